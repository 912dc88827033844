package raise

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// call writes one call of a component.
func (w *writer) call(n *node) {
	cl := n.class
	if cl.importer() {
		w.importArtifact(n)
		return
	}
	args := []string{"s", w.args(n)}
	args = append(args, w.options(n)...)
	head := ""
	if n.used {
		if n.varn == "" {
			n.varn = w.locals.pick(callName(cl))
			head = n.varn + " := "
		} else {
			head = n.varn + " = "
		}
	}
	w.line("%s%s.Call(%s)", head, cl.stem, arguments(args))
}

// callName is what a call's variable is called.
func callName(c *class) string {
	if c.stem == "k8s.CreatePVC" {
		return "claim"
	}
	return gosrc.Local(c.base, "task")
}

// arguments joins the arguments of a call; long ones get lines of their own.
func arguments(args []string) string {
	one := strings.Join(args, ", ")
	if len(args) > 2 {
		if rest := strings.Join(args[2:], ", "); len(rest) > 80 || strings.Contains(rest, "\n") || len(one) > 120 && !strings.Contains(args[1], "\n") {
			return strings.Join(args[:2], ", ") + ",\n" + strings.Join(args[2:], ",\n") + ",\n"
		}
	}
	return one
}

// args returns the In struct of a call.
func (w *writer) args(n *node) string {
	var parts []string
	for i := range n.class.Inputs {
		p := n.class.ins[n.class.Inputs[i].Name]
		v, ok := n.task.Args[p.Name]
		if !ok {
			continue
		}
		r := w.ref(n.in, v, n.task)
		if r == nil {
			continue
		}
		parts = append(parts, p.field+": "+w.arg(n, p, r))
	}
	return braces(n.class.inType, parts)
}

// arg returns the argument for a port.
func (w *writer) arg(n *node, p *port, r *ref) string {
	if p.typ == nil {
		if r.typ != nil {
			w.taskErrorf(n.task, "input %s is an artifact and is given a parameter", p.Name)
			return ""
		}
		return w.as(w.artifact(p.Type), r)
	}
	if r.typ == nil {
		w.taskErrorf(n.task, "input %s is a parameter and is given an artifact", p.Name)
		return ""
	}
	if r.kind == refConst {
		lit, ok := w.literal(p.typ, r.lit)
		if !ok {
			w.taskErrorf(n.task, "input %s is a %s and is given %s", p.Name, p.Type.Name, short(r.lit))
		}
		return "dsl.Const(" + w.typed(p.typ, lit) + ")"
	}
	if r.kind == refValues {
		s, ok := w.composed(p.typ, r.lit, r)
		if !ok {
			w.taskErrorf(n.task, "input %s is a %s and is given %s", p.Name, p.Type.Name, short(r.sample))
		}
		return s
	}
	return w.as("dsl.Param["+w.goType(p.typ)+"]", r)
}

// importer reports whether the class is an import of an artifact.
func (c *class) importer() bool { return c.Exec != nil && c.Exec.Importer != nil }

// importArtifact writes an import.
func (w *writer) importArtifact(n *node) {
	out := n.class.Output("artifact")
	if out == nil || len(n.class.Outputs) != 1 {
		w.taskErrorf(n.task, "an importer without the output artifact")
		return
	}
	x := n.class.Exec.Importer
	meta := ""
	if len(x.Metadata) > 0 {
		j, _ := json.Marshal(x.Metadata)
		meta = w.metadata(n, j)
	}
	args := []string{}
	if config := fields("dsl.ImportConfig", "Reimport", flag(x.Reimport), "Metadata", meta, "Workspace", flag(x.Workspace)); config != "dsl.ImportConfig{}" {
		args = append(args, config)
	}
	args = append(args, w.options(n)...)
	rest := ""
	if len(args) > 0 {
		rest = ", " + strings.Join(args, ", ")
	}
	head := ""
	if n.used {
		n.varn = w.locals.pick(gosrc.Local(lastWord(w.artifact(out.Type)), "artifact"))
		head = n.varn + " := "
	}
	uri := `""`
	if v, ok := n.task.Args["uri"]; ok {
		if r := w.ref(n.in, v, n.task); r != nil {
			uri = w.text(r)
		}
	}
	w.line("%sdsl.Import[%s](s, %s%s)", head, w.artifact(out.Type), uri, rest)
}

// metadata returns the metadata of an import as Go: its strings may hold placeholders
// of the importer's inputs.
func (w *writer) metadata(n *node, j json.RawMessage) string {
	switch jsonType(j) {
	case kfptype.Struct:
		parts, _ := members(j, func(k string, v json.RawMessage) (string, bool) { // it is an object
			if slices.ContainsFunc(placeholder.Parse(k), func(p placeholder.Part) bool { return p.Kind != placeholder.Text }) {
				w.taskErrorf(n.task, "metadata of an import with the key %s, which KFP's servers keep as it is: the language has references in values; in the file, give the key a name, and the reference as its value", k)
			}
			return gosrc.Quote(k) + ": " + w.metadata(n, v), true
		})
		return braces("map[string]any", parts)
	case kfptype.List:
		parts, _ := items(j, func(v json.RawMessage) (string, bool) { return w.metadata(n, v), true }) // it is a list
		return braces("[]any", parts)
	case kfptype.String:
		var text string
		_ = json.Unmarshal(j, &text) // it is a string
		r := &ref{kind: refFormat, text: []string{""}}
		for _, p := range placeholder.Parse(text) {
			if p.Kind == placeholder.Text {
				r.text[len(r.text)-1] += p.Text
				continue
			}
			v, ok := n.task.Args[p.Name]
			if p.Kind != placeholder.InputParam || !ok {
				w.taskErrorf(n.task, "metadata of an import with the text %s, which is not one of its inputs: in the file, make it one, and name it there", p)
				return ""
			}
			of := w.ref(n.in, v, n.task)
			if of == nil {
				return ""
			}
			r.of, r.text = append(r.of, of), append(r.text, "")
		}
		switch {
		case len(r.of) == 0:
			return gosrc.Quote(text)
		case len(r.of) == 1 && r.text[0] == "" && r.text[1] == "":
			return w.expr(r.of[0])
		}
		return w.expr(r)
	}
	s, _ := anyLiteral(j)
	return s
}

func lastWord(goType string) string {
	return strings.ToLower(goType[strings.LastIndex(goType, ".")+1:])
}

// text returns a string that is known now, as a Go string, or a reference.
func (w *writer) text(r *ref) string {
	if r.kind == refConst {
		v := program.Value{Kind: program.Const, Const: r.lit}
		s, _ := v.Constant()
		return gosrc.Quote(s)
	}
	return w.as("dsl.Param[string]", r)
}

// number returns a number that is known now, or a reference.
func (w *writer) number(n *node, what string, r *ref) string {
	if r.kind == refConst {
		v := program.Value{Kind: program.Const, Const: r.lit}
		s, _ := v.Constant()
		i, ok := wholeNumber(s)
		if !ok {
			w.taskErrorf(n.task, "%s of %s, which is not a whole number", what, s)
		}
		return i
	}
	return w.as("dsl.Param[int]", r)
}

// options returns the settings of a task as options.
func (w *writer) options(n *node) []string {
	o := &options{w: w, n: n}
	if n.task.Title != "" {
		o.add("dsl.Named(%s)", gosrc.Quote(n.task.Title))
	}
	if n.wants != "" {
		o.add("dsl.TaskKey(%s)", gosrc.Quote(n.wants))
	}
	o.settings()
	if len(n.waits) > 0 {
		var names []string
		for _, a := range n.waits {
			names = append(names, a.varn)
		}
		o.add("dsl.After(%s)", strings.Join(names, ", "))
	}
	if n.task.Always && n.exitOf == nil {
		o.add("dsl.IgnoreUpstreamFailure()")
	}
	return o.out
}

// An options gathers the options of a task.
type options struct {
	w   *writer
	n   *node
	out []string
}

func (o *options) add(format string, args ...any) {
	o.out = append(o.out, fmt.Sprintf(format, args...))
}

// value returns a setting that is a string or a reference.
func (o *options) value(v program.Value) string {
	if r := o.w.ref(o.n.in, v, o.n.task); r != nil {
		return o.w.text(r)
	}
	return `""`
}

func (o *options) count(what string, v program.Value) string {
	if r := o.w.ref(o.n.in, v, o.n.task); r != nil {
		return o.w.number(o.n, what, r)
	}
	return "0"
}
