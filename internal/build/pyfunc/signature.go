package pyfunc

import (
	"errors"
	"fmt"

	"github.com/kfpgo/kfpgo/internal/text/gosrc"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
	"github.com/kfpgo/kfpgo/internal/text/pysrc"
)

// A port is an input or output of a step.
type port struct {
	line     int
	field    string // in the struct
	name     string // in Python and in the pipeline
	typ      typ
	optional bool
	doc      string
	value    *string // its default, in a tag
	literal  string  // its default, as Go
}

// signature reads what a function takes and returns.
func (f *File) signature(s *step) {
	f.readSettings(s)
	for _, p := range s.fn.Params {
		f.parameter(s, p)
	}
	f.results(s)
	f.uniquePorts(s, s.inputs, "inputs")
	f.uniquePorts(s, s.outputs, "outputs")
	s.describe()
}

// parameter adds what a parameter of a function is.
func (f *File) parameter(s *step, p pysrc.Param) {
	bad := func(format string, args ...any) {
		f.errorf(p.Line, "function %s: parameter %s"+format, append([]any{s.fn.Name, p.Name}, args...)...)
	}
	switch {
	case p.Star != "":
		f.errorf(p.Line, "function %s: %s%s can't be an input, since it has no name of its own; write a parameter with a list or dict", s.fn.Name, p.Star, p.Name)
		return
	case p.Type == nil:
		bad(" has no type; write %s: str, or the type that it has", p.Name)
		return
	case p.Positional:
		bad(" is before a /, and a step gives its inputs by name; leave out the /")
		return
	}
	q := &port{line: p.Line, name: p.Name}
	var err error
	f.parts = 0
	if q.typ, err = f.typ(p.Type, 0); err == nil && q.typ.kind == nothing {
		err = errors.New("None alone is not a value")
	}
	if err != nil {
		bad(": %v", err)
		return
	}
	q.optional = q.typ.optional
	switch {
	case p.Default == nil:
	case q.typ.way == output:
		bad(" is an output, and only an input has a default")
	case f.isNone(p.Default):
		q.optional = true
	case q.typ.kind != value || q.typ.path:
		bad(": it takes no default but None")
	default:
		if err := f.defaultOf(q, f.constant(p.Default)); err != nil {
			bad(": default %s: %v", p.Default.Text, err)
		}
		q.optional = false
	}
	if q.typ.way != output {
		s.inputs = append(s.inputs, q)
		return
	}
	if q.optional && p.Default == nil {
		bad(" is an output, whose path a function always gets; leave out None")
	}
	s.outputs = append(s.outputs, q)
}

// results adds the outputs that a function returns: one that is called Output, or the
// fields of a NamedTuple.
func (f *File) results(s *step) {
	e := s.fn.Returns
	if e == nil {
		return
	}
	if fields, ok := f.tuple(e, 0); ok {
		for _, p := range fields {
			f.result(s, p)
		}
		return
	}
	f.result(s, pysrc.Param{Name: "Output", Line: s.fn.Line, Type: e})
}

func (f *File) result(s *step, p pysrc.Param) {
	what := "result " + p.Name
	if p.Name == "Output" {
		what = "its result"
	}
	if p.Type == nil {
		f.errorf(p.Line, "function %s: %s has no type", s.fn.Name, what)
		return
	}
	f.parts = 0
	t, err := f.typ(p.Type, 0)
	switch {
	case err != nil:
	case t.kind == nothing && p.Type == s.fn.Returns:
		return
	case t.kind == nothing:
		err = errors.New("None alone is not a value")
	case t.way != plain:
		err = errors.New("Input, Output and paths are for parameters; write the class alone")
	case t.kind == artifacts:
		err = errList
	case t.kind == special:
		err = fmt.Errorf("a step can't return a %s", p.Type.Text)
	}
	if err != nil {
		f.errorf(p.Line, "function %s: %s: %v", s.fn.Name, what, err)
		return
	}
	s.outputs = append(s.outputs, &port{line: p.Line, name: p.Name, typ: t, optional: t.optional})
}

// tuple returns the fields of a NamedTuple.
func (f *File) tuple(e *pysrc.Expr, depth int) (fields []pysrc.Param, ok bool) {
	switch c := f.module.Classes[e.Text]; {
	case depth > maxDepth:
	case e.Kind == pysrc.Str:
		return f.tuple(pysrc.ParseExpr(e.Text, e.Line), depth+1)
	case e.Kind == pysrc.Name && c != nil && len(c.Bases) == 1 && c.Bases[0].Kind == pysrc.Name && f.lastName(c.Bases[0]) == "NamedTuple":
		return c.Fields, true
	case e.Kind == pysrc.Name && f.module.Values[e.Text] != nil:
		return f.tuple(f.module.Values[e.Text], depth+1)
	case e.Kind == pysrc.Call && f.lastName(e.Of) == "NamedTuple" && len(e.Items) > 0:
		for i, x := range e.Items[1:] {
			if key := e.Keys[i+1]; key != nil && key.Text != "fields" {
				fields = append(fields, pysrc.Param{Name: key.Text, Line: x.Line, Type: x})
				continue
			}
			for _, pair := range x.Items { // [('name', type)]
				if pair.Kind != pysrc.Tuple || len(pair.Items) != 2 || pair.Items[0].Kind != pysrc.Str {
					return nil, false
				}
				fields = append(fields, pysrc.Param{Name: pair.Items[0].Text, Line: pair.Line, Type: pair.Items[1]})
			}
		}
		return fields, true
	}
	return nil, false
}

var portForm = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`) // dsl has the same

// uniquePorts names the fields, and reports names that can't be, or are equal.
func (f *File) uniquePorts(s *step, ports []*port, what string) {
	for i, q := range ports {
		q.field = gosrc.Exported(q.name, "X")
		if !portForm.MatchString(q.name) {
			f.errorf(q.line, "function %s: the name %q must be ASCII letters, digits and _, not a digit first; rename it", s.fn.Name, q.name)
		}
		for _, r := range ports[:i] {
			if q.name == r.name {
				f.errorf(q.line, "function %s: two %s are named %s; rename one", s.fn.Name, what, q.name)
			} else if q.field == r.field {
				f.errorf(q.line, "function %s: the %s %s and %s would both be the field %s; rename one", s.fn.Name, what, r.name, q.name, q.field)
			}
		}
	}
}
