package stepfunc

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/freename"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// Bytes returns the file for the steps of a package, or nil if it has none.
func (p *Package) Bytes() ([]byte, error) {
	if len(p.steps) == 0 {
		return nil, nil
	}
	im := p.newImporter()
	w := &writer{Writer: Writer{DSL: im.name(dslPath, "dsl")}, p: p, im: im, context: im.name("context", "context")}
	for _, s := range p.steps {
		w.step(s)
	}
	return gosrc.Format(File, []byte(Header+"\npackage "+p.Name+"\n\n"+im.source()+w.String()))
}

type writer struct {
	Writer
	p       *Package
	im      *importer
	context string // the package's name in the file
}

func (w *writer) step(s *step) {
	field := func(q *port) (name, typ string, tag []string) {
		return q.field, w.fieldType(s, q), Tag(q.field, q.name, q.optional, q.value, q.doc)
	}
	in := Structure(&w.Writer, s.variable, "In", "takes", s.inputs, field)
	out := Structure(&w.Writer, s.variable, "Out", "returns", s.outputs, field)
	fn := s.fn.Name.Name
	w.Head(gosrc.Doc("%s is the step %s, which calls %s.", s.variable, s.name, fn), s.doc, fn, s.digest())
	n := w.locals(s)
	w.Line("var %s = %s.Func(%s, func(%s %s.Context, %s %s, %s *%s) error {", s.variable, w.DSL, gosrc.Quote(s.name), n.or("ctx", s.context), w.context, n.or("in", len(s.inputs) > 0), in, n.or("out", len(s.outputs) > 0), out)
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

func (w *writer) fieldType(s *step, q *port) string {
	typ := w.p.text(q.typ, s.in, w.im)
	switch {
	case q.list:
		return w.DSL + ".List[" + typ + "]"
	case q.kind != value:
		return typ
	case q.variadic:
		typ = "[]" + typ
	}
	return w.DSL + ".Param[" + typ + "]"
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
		w.Line("return %s", call)
		return
	case len(results) == 0:
		w.Line("%s\nreturn nil", call)
		return
	case s.fails:
		w.Line("%s, %s := %s\nif %s != nil {\nreturn %s\n}", strings.Join(results, ", "), n["err"], call, n["err"], n["err"])
	default:
		w.Line("%s := %s", strings.Join(results, ", "), call)
	}
	for _, q := range s.outputs {
		switch name := n.of(q); {
		case !q.result:
		case q.pointer:
			w.Line("if %s != nil {\n%s.%s.Set(*%s)\n}", name, n["out"], q.field, name)
		default:
			w.Line("%s.%s.Set(%s)", n["out"], q.field, name)
		}
	}
	w.Line("return nil")
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
		w.Line("var %s *%s\nif v, ok := %s.Lookup(); ok {\n%s = &v\n}", name, w.p.text(q.typ, s.in, w.im), field, name)
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
