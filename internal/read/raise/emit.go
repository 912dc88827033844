package raise

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

func sorted[V any](m map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

// nameAll gives Go names to components and their fields, and finds the tasks that
// the language would number differently.
func (b *builder) nameAll() {
	stem := "Pipeline"
	if b.bound != nil {
		if stem = gosrc.Exported(cmp.Or(b.bound.Name, b.mainName()), "Pipeline"); b.p.Leaf() != nil {
			stem = "component" // which nothing shows
		}
	}
	b.name(b.main, stem)
	taken := map[string]bool{"pipeline " + b.mainName(): true}
	for _, c := range b.order {
		if c != b.main && !c.ready && !c.importer() {
			stem := gosrc.Exported(c.base, "Step")
			if b.bound != nil && b.p.Leaf() != nil {
				stem = gosrc.Exported(cmp.Or(b.bound.Name, c.base), "Step")
			}
			b.name(c, stem)
		}
		if c.importer() {
			continue
		}
		kind := ""
		if c.root != nil {
			kind = "pipeline "
		}
		c.name = c.base
		if c == b.main {
			continue
		}
		if c.ready {
			c.name = strings.ToLower(c.stem[strings.LastIndex(c.stem, ".")+1:])
		}
		for n := 2; taken[kind+c.name]; n++ {
			c.name = fmt.Sprintf("%s-v%d", c.base, n)
		}
		taken[kind+c.name] = true
	}
	for _, c := range b.order {
		if c.root != nil {
			b.number(c.root, map[string]int{})
		}
	}
}

func (b *builder) name(c *class, stem string) {
	c.stem = b.taken.pick(stem, "In", "Out")
	fields := func(ports []program.Port, to map[string]*port) {
		n := newNames()
		for i := range ports {
			to[ports[i].Name].field = n.pick(gosrc.Exported(ports[i].Name, "X"))
		}
	}
	fields(c.Inputs, c.ins)
	fields(c.Outputs, c.outs)
	c.inType, c.outType = "dsl.None", "dsl.None"
	if len(c.Inputs) > 0 {
		c.inType = c.stem + "In"
	}
	if len(c.Outputs) > 0 {
		c.outType = c.stem + "Out"
	}
}

// number counts the names of tasks as package dsl does, in the order of writing.
func (b *builder) number(s *scope, counts map[string]int) {
	visit := func(n *node) {
		if n.group != nil {
			b.number(n.group, counts)
			return
		}
		base := "importer"
		if !n.class.importer() {
			base = n.class.name
		}
		name, i := base, counts[base]
		for ; counts[name] > 0; i++ {
			name = fmt.Sprintf("%s-%d", base, i)
		}
		if program.CleanName(name) != n.task.Name && n.task.Name != name {
			n.wants = n.task.Name
			counts[n.wants] = max(counts[n.wants], 2)
			return
		}
		counts[base] = max(i, 2)
		if name != base {
			counts[name] = 2
		}
	}
	for _, n := range s.exits {
		visit(n)
	}
	for _, n := range s.nodes {
		if n.exitOf == nil {
			visit(n)
		}
	}
}

// emit writes the files.
func (b *builder) emit() {
	var steps, pipes, types strings.Builder
	var stepImports, pipeImports map[string]bool
	b.imports = map[string]bool{}
	for _, c := range b.order { // callers last
		if c.root == nil && !c.ready && !c.importer() {
			b.leaf(&steps, c)
		}
	}
	if b.folder {
		steps.WriteString(folderFunc)
	}
	stepImports = b.imports
	b.imports = map[string]bool{}
	bodies := make([]string, len(b.order))
	for i, c := range b.order {
		if c.root != nil {
			bodies[i] = b.pipelineSource(c)
		}
	}
	for i, body := range slices.Backward(bodies) { // the main one first
		pipes.WriteString(body)
		if i == len(bodies)-1 {
			pipes.WriteString(b.schedules())
		}
	}
	for _, d := range b.decls {
		types.WriteString(d + "\n")
	}
	pipeImports = b.imports
	doc := gosrc.Doc("Package %s is the pipeline %s.", b.o.Package, b.mainName())
	if b.o.From != "" {
		doc = gosrc.Doc("Package %s is the pipeline %s,", b.o.Package, b.mainName()) + gosrc.Doc("imported from %s.", b.o.From)
	}
	b.file("pipeline.go", doc, pipeImports, pipes.String())
	if steps.Len() > 0 {
		b.file("components.go", "", stepImports, steps.String())
	}
	if types.Len() > 0 {
		b.file("types.go", "", map[string]bool{}, types.String())
	}
}

func (b *builder) file(name, doc string, imports map[string]bool, text string) {
	var f strings.Builder
	f.WriteString(doc + "package " + b.o.Package + "\n\n")
	used := gosrc.Packages(text)
	if used["dsl"] {
		imports["github.com/kfpgo/kfpgo/dsl"] = true
	}
	if used["k8s"] {
		imports[k8sPath] = true
	}
	if used["argo"] {
		imports[argoPath] = true
	}
	var std, other []string
	for path := range sorted(imports) {
		spec := fmt.Sprintf("%q", path)
		if path == "embed" && !b.folder || path == k8sPath && !used["k8s"] {
			spec = "_ " + spec
		}
		if strings.Contains(path, ".") {
			other = append(other, spec)
		} else {
			std = append(std, spec)
		}
	}
	slices.SortFunc(std, func(x, y string) int {
		return strings.Compare(strings.TrimPrefix(x, "_ "), strings.TrimPrefix(y, "_ "))
	})
	if len(std)+len(other) == 1 {
		f.WriteString("import " + strings.Join(append(std, other...), "") + "\n\n")
	} else if len(std)+len(other) > 0 {
		f.WriteString("import (\n" + strings.Join(std, "\n") + "\n\n" + strings.Join(other, "\n") + "\n)\n\n")
	}
	f.WriteString(text)
	b.files[name] = []byte(f.String())
}

// structs returns the In and Out types of a component.
func (b *builder) structs(c *class) string {
	var w strings.Builder
	write := func(typ, what string, ports []program.Port, of map[string]*port, out bool) {
		if typ == "dsl.None" {
			return
		}
		w.WriteString(gosrc.Doc("%s is what %s %s.", typ, c.stem, what))
		fmt.Fprintf(&w, "type %s struct {\n", typ)
		for i := range ports {
			p := of[ports[i].Name]
			goType := ""
			if p.typ != nil {
				goType = "dsl.Param[" + b.goType(p.typ) + "]"
			} else {
				goType = b.artifact(p.Type)
			}
			if b.bound != nil {
				w.WriteString(gosrc.Comment(p.Doc))
			}
			fmt.Fprintf(&w, "%s %s %s\n", p.field, goType, b.tag(c, p, out))
		}
		w.WriteString("}\n\n")
	}
	write(c.inType, "takes", c.Inputs, c.ins, false)
	write(c.outType, "returns", c.Outputs, c.outs, true)
	return w.String()
}

// tag returns the tag of a field.
func (b *builder) tag(c *class, p *port, out bool) string {
	name := p.Name
	if graph.PortName(p.field) == name {
		name = ""
	}
	if p.Optional && p.Default == nil && p.Type.Name != kfptype.FinalStatus && p.Type.Name != kfptype.TaskConfig {
		name += ",optional"
	}
	var pairs []string
	if name != "" {
		pairs = append(pairs, "kfp", name)
	}
	if p.JSONPath != "" {
		pairs = append(pairs, "jsonpath", p.JSONPath)
	}
	if p.Enum != nil {
		for _, v := range p.Enum {
			if strings.ContainsAny(v, ",\n`") {
				b.errorf(c.Pos, "component %s: output %s may be %q, and an enum tag holds no comma, backquote or line end", c.base, p.Name, v)
			}
		}
		pairs = append(pairs, "enum", strings.Join(p.Enum, ","))
	}
	if text, ok := b.defaultTag(p); ok && (!out || c.Exec != nil && c.Exec.Suspend != nil) {
		pairs = append(pairs, "default", text)
	}
	if p.Doc != "" {
		pairs = append(pairs, "doc", p.Doc)
	}
	return gosrc.Tag(pairs...)
}

// defaultTag returns a default as the text of a tag, where it fits there.
func (b *builder) defaultTag(p *port) (string, bool) {
	if p.Default == nil || p.typ == nil || p.typ.root().open {
		return "", false
	}
	switch p.typ.root().ir {
	case kfptype.String:
		v := program.Value{Kind: program.Const, Const: p.Default}
		if s, ok := v.Constant(); ok && jsonType(p.Default) == kfptype.String && len(s) < 60 && !strings.ContainsAny(s, "\n`") {
			return s, true
		}
	case kfptype.Boolean, kfptype.Integer, kfptype.Double:
		if s, ok := b.literal(p.typ, p.Default); ok {
			return strings.TrimSuffix(s, ".0"), true
		}
	}
	return "", false
}

// configFields are the settings of a task that a step can be passed.
var configFields = map[string]string{
	"RESOURCES": "ConfigResources", "ENV": "ConfigEnv", "KUBERNETES_AFFINITY": "ConfigAffinity", "KUBERNETES_TOLERATIONS": "ConfigTolerations",
	"KUBERNETES_NODE_SELECTOR": "ConfigNodeSelector", "KUBERNETES_VOLUMES": "ConfigVolumes",
}

// ending returns the methods that end a declaration: the defaults that are not
// tags, and the description.
func (b *builder) ending(c *class, doc string) string {
	var parts []string
	for i := range c.Inputs {
		p := c.ins[c.Inputs[i].Name]
		if p.Default == nil {
			continue
		}
		if _, ok := b.defaultTag(p); ok {
			continue
		}
		if p.typ == nil {
			b.errorf(c.Pos, "component %s: input %s is an artifact with a default", c.base, p.Name)
			continue
		}
		lit, ok := b.literal(p.typ, p.Default)
		if !ok {
			b.errorf(c.Pos, "component %s: input %s is a %s and its default is %s", c.base, p.Name, p.Type.Name, short(p.Default))
			continue
		}
		parts = append(parts, p.field+": dsl.Const("+b.typed(p.typ, lit)+")")
	}
	s := ""
	if len(parts) > 0 {
		s += ".Defaults(" + braces(c.inType, parts) + ")"
	}
	if doc != "" {
		s += ".Doc(" + gosrc.Quote(doc) + ")"
	}
	var fields []string
	for _, f := range c.Passthroughs {
		name, ok := configFields[f.Field]
		if !ok {
			b.errorf(c.Pos, "component %s: the setting %s of a task that is passed to the step", c.base, f.Field)
		}
		if f.ApplyToTask {
			name += ".ApplyToTask()"
		}
		fields = append(fields, "k8s."+name)
	}
	if len(fields) > 0 {
		s += ".Passthroughs(" + strings.Join(fields, ", ") + ")"
	}
	return s
}

// pipelineSource returns the declaration of a pipeline.
func (b *builder) pipelineSource(c *class) string {
	w := &writer{builder: b, locals: newNames()}
	w.locals.up = b.taken
	w.body(c.root)
	var parts []string
	for i := range c.Outputs {
		p := c.outs[c.Outputs[i].Name]
		r := b.result(c.root, p.Name)
		if r == nil {
			continue
		}
		want := ""
		if p.typ != nil {
			want = "dsl.Param[" + b.goType(p.typ) + "]"
		} else {
			want = b.artifact(p.Type)
			if strings.HasPrefix(r.art, "dsl.List[") && !p.Type.List {
				b.errorf(c.Pos, "pipeline %s: output %s is one artifact and is given those of all rounds of a loop", c.base, p.Name)
				continue
			}
		}
		parts = append(parts, p.field+": "+b.as(want, r))
	}
	doc := c.Doc
	name, config := c.name, ""
	if c == b.main {
		doc, name, config = b.p.Doc, b.mainName(), b.config()
	}
	in := "in"
	if len(c.Inputs) == 0 {
		in = "_"
	}
	head := b.structs(c)
	return head + b.about(c) + gosrc.Doc("%s is the pipeline %s.", c.stem, name) + fmt.Sprintf("var %s = dsl.Pipeline(%s, func(s *dsl.Scope, %s %s) %s {\n%sreturn %s\n}%s)%s\n\n",
		c.stem, gosrc.Quote(name), in, c.inType, c.outType, w.String(), braces(c.outType, parts), config, b.ending(c, doc))
}
