package kfpread

import "fmt"

// The most that a pipeline may hold, of each kind. What is beyond would take gigabytes
// to check, draw or compile, and no cluster runs it.
const (
	MaxTasks  = 20_000  // in all components
	MaxEdges  = 300_000 // arguments and dependencies of all tasks
	MaxPorts  = 50_000  // inputs and outputs of a component
	MaxItems  = 100_000 // of a loop, or of any other list
	MaxNested = 100     // components that call each other
)

// Tables of the file are not made where the file is larger than that.
const maxElements = 700_000

// Elements returns an error if a YAML file has more lines and elements of lists and
// objects than can be read: its reader holds some 250 bytes for each.
func Elements(data []byte) error {
	n := 0
	for _, c := range data {
		if c == ',' || c == '\n' || c == '[' || c == '{' {
			n++
		}
	}
	if n > maxElements {
		return fmt.Errorf("%d lines and elements are more than a pipeline has; at most %d are read", n, maxElements)
	}
	return nil
}

// Items returns an error if a list in JSON, in brackets, has more elements than a loop
// may have.
func Items(list string) error {
	depth, quoted, n := 0, false, 1
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 1:
			n++
		}
	}
	return itemCount(n)
}

func itemCount(n int) error {
	if n > MaxItems {
		return fmt.Errorf("a list of %d items, and at most %d are read; loop over fewer, each of which stands for several, or pass the list as an input when the pipeline is run", n, MaxItems)
	}
	return nil
}

// limits reports what the file has too much of, before anything is made of it.
func (f *file) limits() {
	components := map[string]*node{}
	if all := f.node.get("components"); all != nil && all.kind == object {
		for i, k := range all.keys {
			components[k.text] = all.items[i]
		}
	}
	tasks, edges := 0, 0
	each := func(name string, c *node) {
		for _, way := range []string{"inputDefinitions", "outputDefinitions"} {
			if n := c.sub(way, "parameters").size() + c.sub(way, "artifacts").size(); n > MaxPorts {
				f.errorf(c.get(way), "component %s has %d %s, and at most %d are read; pass one STRUCT or LIST, or an artifact, in place of many", name, n, map[string]string{"inputDefinitions": "inputs", "outputDefinitions": "outputs"}[way], MaxPorts)
			}
		}
		all := c.sub("dag", "tasks")
		if tasks += all.size(); tasks > MaxTasks {
			return
		}
		for i := range all.size() {
			if t := all.items[i]; all.kind == object {
				in := t.get("inputs")
				edges += t.get("dependentTasks").size() + in.get("parameters").size() + in.get("artifacts").size()
				if raw := t.sub("parameterIterator", "items", "raw"); raw != nil {
					if err := Items(raw.text); err != nil {
						f.errorf(raw, "task %s of component %s: %v", all.keys[i].text, name, err)
					}
				}
			}
		}
	}
	each("root", f.node.get("root"))
	for _, name := range sorted(components) {
		each(name, components[name])
	}
	if tasks > MaxTasks {
		f.errorf(f.node, "the pipeline has %d tasks, and at most %d are read; split it into pipelines that are run one after the other, or use loops", tasks, MaxTasks)
	}
	if edges > MaxEdges {
		f.errorf(f.node, "the tasks have %d arguments and dependencies, and at most %d are read; leave out dependencies that follow from others, or put a task between many and many", edges, MaxEdges)
	}
	f.lists(f.node)
	if len(f.errs) == 0 {
		f.nesting(components)
	}
}

// size returns how many values are in a list or an object.
func (n *node) size() int {
	if n == nil {
		return 0
	}
	return len(n.items)
}

// lists reports lists that are too long.
func (f *file) lists(n *node) {
	if n.kind == list {
		if err := itemCount(len(n.items)); err != nil {
			f.errorf(n, "%v", err)
			return
		}
	}
	for _, e := range n.items {
		if e.items != nil {
			f.lists(e)
		}
	}
}

// nesting reports components that call each other in too long a row. Those that call
// themselves are reported elsewhere.
func (f *file) nesting(components map[string]*node) {
	below := map[string]int{}
	const busy = -1
	var visit func(name string, depth int) int
	visit = func(name string, depth int) int {
		c := components[name]
		known, seen := below[name]
		if c == nil || known == busy || len(f.errs) > 0 {
			return 0
		}
		if depth > MaxNested || seen && depth+known > MaxNested {
			f.errorf(c, "component %s is nested more than %d deep, in components that call each other; call it from further out", name, MaxNested)
			return 0
		}
		if seen {
			return known
		}
		below[name] = busy
		deepest := 0
		all := c.sub("dag", "tasks")
		for i := range all.size() {
			if ref := all.items[i].sub("componentRef", "name"); ref != nil {
				deepest = max(deepest, 1+visit(ref.text, depth+1))
			}
		}
		below[name] = deepest
		return deepest
	}
	for _, name := range sorted(components) {
		visit(name, 1)
	}
}
