package progdiff

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// portChanges compares the inputs or outputs of two components.
func portChanges(kind string, a, b []program.Port, names map[string]string) (out []Change) {
	prefix := map[string]string{"input": "in ", "output": "out "}[kind]
	now := map[string]*program.Port{}
	for i := range b {
		now[b[i].Name] = &b[i]
	}
	for i := range a {
		p := &a[i]
		name := renamedTo(names, prefix, p.Name)
		n := now[name]
		delete(now, name)
		if n == nil {
			out = append(out, Change{Kind: kind, Op: Removed, What: p.Name, Old: typeWords(p.Type)})
			continue
		}
		if n.Name != p.Name {
			out = append(out, Change{Kind: kind, Op: Renamed, What: n.Name, Old: p.Name, New: n.Name})
		}
		x, y := typeWords(p.Type), typeWords(n.Type)
		if x == y && p.Type.Go != "" && n.Type.Go != "" && full(p.Type) != full(n.Type) {
			if x, y = p.Type.Go, n.Type.Go; x == y { // the fields of a struct
				x, y = full(p.Type), full(n.Type)
			}
		}
		for _, c := range compare(portLeaves(p, x), portLeaves(n, y)) {
			c.Kind, c.What = kind, n.Name+": "+c.What
			out = append(out, c)
		}
	}
	for i := range b {
		if now[b[i].Name] != nil {
			out = append(out, Change{Kind: kind, Op: Added, What: b[i].Name, New: typeWords(b[i].Type)})
		}
	}
	return out
}

func portLeaves(p *program.Port, typ string) []leaf {
	return flatten(struct {
		Type           string
		Default        json.RawMessage
		Optional       bool
		Description    string
		Path, JSONPath string
		AllowedValues  []string
	}{typ, p.Default, p.Optional && p.Default == nil, p.Doc, p.Path, p.JSONPath, p.Enum}, nil)
}

func full(t graph.Type) string { return encode(t) }

// typeWords names a type: STRING, list of system.Model.
func typeWords(t graph.Type) string {
	s := t.Name
	if t.Version != "" && t.Version != "0.0.1" {
		s += "@" + t.Version
	}
	if t.List {
		s = "list of " + s
	}
	return s
}

// component compares what two tasks run. Whatever they are called there, ports
// that were renamed are the same.
func (d *differ) component(ca, cb *program.Component) []Change {
	names := d.portNames(ca, cb)
	var out []Change
	for _, c := range portChanges("input", ca.Inputs, cb.Inputs, names) {
		if strings.HasSuffix(c.What, ": description") && builtin(ca) && builtin(cb) {
			continue // each SDK describes an operation of KFP's own in other words
		}
		c.Kind, c.What = "component", "input "+c.What
		out = append(out, c)
	}
	for _, c := range portChanges("output", ca.Outputs, cb.Outputs, names) {
		c.Kind, c.What = "component", "output "+c.What
		out = append(out, c)
	}
	type face struct {
		Description  string
		Runs         string
		Exec         *program.Executor
		Passthroughs []program.Passthrough
	}
	of := func(c *program.Component, rename bool) face {
		f := face{Description: c.Doc, Passthroughs: c.Passthroughs}
		if c.Exec != nil {
			f.Runs = c.Exec.Kind()
			x := *c.Exec
			if x.Container != nil && rename && len(names) > 0 {
				k := *x.Container
				k.Command, k.Args = replaced(k.Command, names), replaced(k.Args, names)
				x.Container = &k
			}
			f.Exec = &x
		}
		return f
	}
	a, b := of(ca, true), of(cb, false)
	kinds := a.Runs != b.Runs
	for _, c := range compare(unprefixed(flatten(a, constant)), unprefixed(flatten(b, constant))) {
		if kinds && c.What != "runs" && (c.Old == "" || c.New == "") && c.What != "description" {
			continue // what only one kind has goes without saying
		}
		c.Kind = "component"
		out = append(out, c)
	}
	if x, y := ca.Titled(), cb.Titled(); x != y {
		out = append(out, Change{Kind: "component", Op: Renamed, What: "component " + y, Old: x, New: y})
	}
	return out
}

// builtin reports whether a component is an operation of KFP's own, such as createpvc.
func builtin(c *program.Component) bool {
	return c.Exec != nil && c.Exec.Resource != nil && c.Exec.Resource.Builtin != ""
}

// unprefixed takes away what only says that there is an executor.
func unprefixed(ls []leaf) []leaf {
	for i := range ls {
		if s, ok := cutWord(ls[i].label, "exec"); ok {
			for _, kind := range []string{"container", "python", "resource", "importer", "suspend"} {
				if t, ok := cutWord(s, kind); ok {
					s = t
					break
				}
			}
			ls[i].label = s
		}
	}
	return ls
}

func cutWord(s, word string) (string, bool) {
	if len(s) > len(word)+1 && s[:len(word)] == word && s[len(word)] == ' ' {
		return s[len(word)+1:], true
	}
	return s, false
}

// replaced gives the placeholders of ports their new names.
func replaced(texts []string, names map[string]string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		parts := placeholder.Parse(text)
		for j := range parts {
			switch p := &parts[j]; p.Kind {
			case placeholder.InputParam, placeholder.InputArtifact:
				p.Name = renamedTo(names, "in ", p.Name)
			case placeholder.OutputParam, placeholder.OutputArtifact:
				p.Name = renamedTo(names, "out ", p.Name)
			}
		}
		out[i] = placeholder.Join(parts)
	}
	return out
}

// runs says what a task runs, for one that came or went.
func runs(n *node) string {
	c := n.comp
	switch {
	case c == nil:
		return ""
	case n.group() || c.DAG != nil && c.DAG.Kind != program.Pipeline:
		return string(c.DAG.Kind)
	case c.DAG != nil:
		return "pipeline " + c.Titled()
	case c.Exec == nil:
		return ""
	case c.Exec.Go != nil:
		return "Go step " + c.Exec.Go.Name
	case c.Exec.Python != nil:
		return fmt.Sprintf("Python function %s in %s", c.Exec.Python.Function, c.Exec.Python.Image)
	case c.Exec.Container != nil:
		return "container " + c.Exec.Container.Image
	case c.Exec.Resource != nil:
		return "resource " + c.Exec.Resource.Action
	case c.Exec.Suspend != nil:
		return "suspend"
	}
	return "importer"
}
