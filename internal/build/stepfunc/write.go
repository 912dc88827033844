package stepfunc

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/text/freename"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// Bytes returns the file for the steps of a package, or nil if it has none.
func (p *Package) Bytes() ([]byte, error) {
	if len(p.steps) == 0 {
		return nil, nil
	}
	im := p.newImporter()
	w := &writer{p: p, im: im, dsl: im.name(dslPath, "dsl"), context: im.name("context", "context")}
	for _, s := range p.steps {
		w.step(s)
	}
	return gosrc.Format(File, []byte(Header+"\npackage "+p.Name+"\n\n"+im.source()+w.String()))
}

type writer struct {
	strings.Builder
	p            *Package
	im           *importer
	dsl, context string // the packages' names in the file
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

func (w *writer) step(s *step) {
	in, out := w.dsl+".None", w.dsl+".None"
	if len(s.inputs) > 0 {
		in = w.structure(s, "In", "takes", s.inputs)
	}
	if len(s.outputs) > 0 {
		out = w.structure(s, "Out", "returns", s.outputs)
	}
	fn := s.fn.Name.Name
	w.line("")
	w.WriteString(gosrc.Doc("%s is the step %s, which calls %s.", s.variable, s.name, fn))
	if doc := gosrc.Comment(s.doc); doc != "" {
		w.line("//\n%s", strings.TrimSuffix(doc, "\n"))
	}
	w.line("//\n//kfpgo:made %s %s", fn, s.digest())
	n := w.locals(s)
	w.line("var %s = %s.Func(%s, func(%s %s.Context, %s %s, %s *%s) error {", s.variable, w.dsl, gosrc.Quote(s.name), n.or("ctx", s.context), w.context, n.or("in", len(s.inputs) > 0), in, n.or("out", len(s.outputs) > 0), out)
	w.body(s, n)
	for _, name := range n {
		delete(w.im.taken, name)
	}
	w.WriteString("})")
	if s.doc != "" {
		fmt.Fprintf(w, ".Doc(%s)", gosrc.Quote(s.doc))
	}
	w.WriteString("\n")
}

// structure writes the In or Out of a step and returns its name.
func (w *writer) structure(s *step, suffix, does string, ports []*port) string {
	name := s.variable + suffix
	w.line("")
	w.WriteString(gosrc.Doc("%s is what %s %s.", name, s.variable, does))
	w.line("type %s struct {", name)
	for _, q := range ports {
		var tag []string
		called := q.name
		if called == graph.PortName(q.field) {
			called = ""
		}
		if q.optional {
			called += ",optional"
		}
		if called != "" {
			tag = append(tag, "kfp", called)
		}
		if q.value != nil {
			tag = append(tag, "default", *q.value)
		}
		if q.doc != "" {
			tag = append(tag, "doc", q.doc)
		}
		w.line("%s %s %s", q.field, w.fieldType(s, q), gosrc.Tag(tag...))
	}
	w.line("}")
	return name
}

func (w *writer) fieldType(s *step, q *port) string {
	typ := w.p.text(q.typ, s.in, w.im)
	switch {
	case q.list:
		return w.dsl + ".List[" + typ + "]"
	case q.kind != value:
		return typ
	case q.variadic:
		typ = "[]" + typ
	}
	return w.dsl + ".Param[" + typ + "]"
}

// locals are the names of variables in a written function, by what they are for. None
// is a name of the package, which the function could hide.
type locals map[string]string

// or returns the name, or _ if it isn't used.
func (l locals) or(name string, used bool) string {
	if !used {
		return "_"
	}
	return l[name]
}

func (w *writer) locals(s *step) locals {
	n := locals{}
	free := func(name string) string {
		if name == only {
			name = "output"
		}
		return freename.TakeWith(w.im.taken, name, "")
	}
	names := []string{"ctx", "in", "out", "err"}
	for _, q := range slices.Concat(s.inputs, s.outputs) {
		if q.result || q.pointer {
			names = append(names, q.param)
		}
	}
	for _, name := range names {
		if n[name] == "" {
			n[name] = free(name)
			continue
		}
		n["result "+name] = free(name) // a result called in, out, ctx or err
	}
	return n
}

// of returns the name for what an input or output is.
func (l locals) of(q *port) string {
	if name := l["result "+q.param]; name != "" {
		return name
	}
	return l[q.param]
}

func (w *writer) body(s *step, n locals) {
	var args []string
	if s.context {
		args = append(args, n["ctx"])
	}
	for _, f := range s.fn.Type.Params.List {
		for _, id := range f.Names {
			if q := s.param(id.Pos()); q != nil {
				args = append(args, w.argument(s, q, n))
			}
		}
	}
	call := s.fn.Name.Name + "(" + strings.Join(args, ", ") + ")"
	var results []string
	for _, q := range s.outputs {
		if q.result {
			results = append(results, n.of(q))
		}
	}
	switch {
	case len(results) == 0 && s.fails:
		w.line("return %s", call)
		return
	case len(results) == 0:
		w.line("%s\nreturn nil", call)
		return
	case s.fails:
		w.line("%s, %s := %s\nif %s != nil {\nreturn %s\n}", strings.Join(results, ", "), n["err"], call, n["err"], n["err"])
	default:
		w.line("%s := %s", strings.Join(results, ", "), call)
	}
	for _, q := range s.outputs {
		switch name := n.of(q); {
		case !q.result:
		case q.pointer:
			w.line("if %s != nil {\n%s.%s.Set(*%s)\n}", name, n["out"], q.field, name)
		default:
			w.line("%s.%s.Set(%s)", n["out"], q.field, name)
		}
	}
	w.line("return nil")
}

// argument returns what the function gets for a parameter.
func (w *writer) argument(s *step, q *port, n locals) string {
	field := n["in"] + "." + q.field
	rest := map[bool]string{true: "..."}[q.variadic]
	switch {
	case q.list:
		return field + ".All()" + rest
	case q.kind != value && slices.Contains(s.outputs, q):
		return "&" + n["out"] + "." + q.field
	case q.kind != value:
		return field
	case q.pointer:
		name := n.of(q)
		w.line("var %s *%s\nif v, ok := %s.Lookup(); ok {\n%s = &v\n}", name, w.p.text(q.typ, s.in, w.im), field, name)
		return name
	}
	return field + ".Get()" + rest
}

// param returns what a parameter of the function is.
func (s *step) param(pos token.Pos) *port {
	for _, q := range slices.Concat(s.inputs, s.outputs) {
		if q.pos == pos {
			return q
		}
	}
	return nil
}
