package stepfunc

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
	"github.com/kfpgo/kfpgo/internal/text/near"
)

// A port is an input or output of a step.
type port struct {
	pos      token.Pos
	param    string // its name in the function
	field    string // in the struct
	name     string // in the pipeline
	typ      ast.Expr
	kind     kind
	list     bool // of artifacts, written as a slice
	variadic bool
	pointer  bool // to a value: it may be left out
	result   bool // of the function
	optional bool
	doc      string
	value    *string // its default
}

// signature reads what a function takes and returns.
func (p *Package) signature(s *step) {
	fn, name := s.fn, s.fn.Name.Name
	p.naming(s)
	switch {
	case fn.Recv != nil:
		p.errorf(fn.Pos(), "function %s is a method, which can't be a step; write a function that makes the value and calls it", name)
		return
	case fn.Type.TypeParams != nil:
		p.errorf(fn.Pos(), "function %s has type parameters, and a step has types; write a function that calls it with them", name)
		return
	case name == "init" || name == "_" || name == "main":
		p.errorf(fn.Pos(), "the function %s can't be a step, since Go calls it itself or never; give it another name", name)
		return
	}
	for i, f := range fn.Type.Params.List {
		if i == 0 && s.in.isContext(f.Type) && len(f.Names) < 2 {
			s.context = true
			continue
		}
		if len(f.Names) == 0 {
			p.errorf(f.Pos(), "function %s: a parameter has no name, and an input is named after it", name)
		}
		for _, id := range f.Names {
			p.parameter(s, id, f.Type)
		}
	}
	p.results(s)
	for _, d := range s.ports {
		if d.used {
			continue
		}
		var there []string
		for _, q := range slices.Concat(s.inputs, s.outputs) {
			if q.param == d.of && d.word == "input" {
				p.errorf(d.pos, "%s of function %s is an output; write //kfpgo:output", d.of, name)
			} else if q.param == d.of {
				p.errorf(d.pos, "%s of function %s is an input; write //kfpgo:input", d.of, name)
			}
			there = append(there, q.param)
		}
		if !slices.Contains(there, d.of) {
			hint := ""
			if n := near.Name(d.of, there); n != "" {
				hint = "; did you mean " + n + "?"
			}
			p.errorf(d.pos, "function %s has no parameter or result %s%s", name, d.of, hint)
		}
	}
	p.unique(s.inputs, "inputs", name)
	p.unique(s.outputs, "outputs", name)
}

func (f *file) isContext(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Context" {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && f.importPath(id.Name) == "context"
}

// parameter adds an input, or for a pointer to an artifact an output.
func (p *Package) parameter(s *step, id *ast.Ident, typ ast.Expr) {
	q := &port{pos: id.Pos(), param: id.Name, name: graph.PortName(id.Name), typ: typ}
	if id.Name == "_" {
		p.errorf(q.pos, "function %s: a parameter is named _, and an input is named after it", s.fn.Name.Name)
		return
	}
	var err error
	word := "input"
	switch t := typ.(type) {
	case *ast.Ellipsis:
		q.typ, q.variadic, q.optional = t.Elt, true, true
		if q.kind, err = p.kind(&ast.ArrayType{Elt: t.Elt}, visit{in: s.in}); p.isArtifact(t.Elt, s) {
			q.kind, q.list, err = artifacts, true, nil
		}
	case *ast.ArrayType:
		if t.Len == nil && p.isArtifact(t.Elt, s) {
			q.typ, q.kind, q.list = t.Elt, artifacts, true
			break
		}
		q.kind, err = p.kind(typ, visit{in: s.in})
	case *ast.StarExpr:
		q.typ = t.X
		q.kind, err = p.kind(t.X, visit{in: s.in})
		switch {
		case err == nil && q.kind == artifact:
			word = "output"
		case err == nil && q.kind == artifacts:
			err = errors.New("a step can't return a list of artifacts; use an artifact that is a folder")
		default:
			q.pointer, q.optional = true, true
		}
	default:
		q.kind, err = p.kind(typ, visit{in: s.in})
	}
	if err == nil {
		err = p.anonymous(typ)
	}
	if err != nil {
		p.errorf(q.pos, "function %s: parameter %s: %v", s.fn.Name.Name, id.Name, err)
	}
	p.port(s, q, word)
}

func (p *Package) isArtifact(e ast.Expr, s *step) bool {
	k, err := p.kind(e, visit{in: s.in})
	return err == nil && k == artifact
}

// anonymous refuses types that have no name to write in another file.
func (p *Package) anonymous(e ast.Expr) (err error) {
	ast.Inspect(e, func(n ast.Node) bool {
		if _, ok := n.(*ast.StructType); ok {
			err = errors.New("the struct has no name; declare a type for it")
		}
		return err == nil
	})
	return err
}

// only is the output of a function with one result that has no name, as in KFP's SDK for
// Python.
const only = "Output"

// results adds the outputs that a function returns.
func (p *Package) results(s *step) {
	if s.fn.Type.Results == nil {
		return
	}
	list := s.fn.Type.Results.List
	last := list[len(list)-1]
	if id, ok := last.Type.(*ast.Ident); ok && id.Name == "error" && p.types["error"] == nil && len(last.Names) < 2 {
		s.fails, list = true, list[:len(list)-1]
	}
	if len(list) > 1 && len(list[0].Names) == 0 {
		p.errorf(list[0].Pos(), "function %s: several results have no names, and outputs are named after them; write (rows int, share float64, err error)", s.fn.Name.Name)
		return
	}
	for _, f := range list {
		if len(f.Names) == 0 {
			p.result(s, &port{pos: f.Pos(), param: only, name: only, typ: f.Type, result: true})
		}
		for _, id := range f.Names {
			p.result(s, &port{pos: id.Pos(), param: id.Name, name: graph.PortName(id.Name), typ: f.Type, result: true})
		}
	}
}

func (p *Package) result(s *step, q *port) {
	if q.param == "_" {
		p.errorf(q.pos, "function %s: a result is named _, and an output is named after it", s.fn.Name.Name)
		return
	}
	if t, ok := q.typ.(*ast.StarExpr); ok {
		q.typ, q.pointer, q.optional = t.X, true, true
	}
	k, err := p.kind(q.typ, visit{in: s.in})
	if a, ok := q.typ.(*ast.ArrayType); ok && p.isArtifact(a.Elt, s) {
		k, err = artifacts, nil
	}
	switch {
	case err != nil:
	case k == artifact:
		err = fmt.Errorf("an artifact can't be a result, since a step writes it to a path that it is given; make it a parameter: %s *%s", q.param, p.text(q.typ, s.in, p.newImporter()))
	case k == artifacts:
		err = errors.New("a step can't return a list of artifacts; use an artifact that is a folder")
	default:
		err = p.anonymous(q.typ)
	}
	if err != nil {
		p.errorf(q.pos, "function %s: result %s: %v", s.fn.Name.Name, q.param, err)
	}
	p.port(s, q, "output")
}

var portForm = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`) // dsl has the same

// port adds an input or output with what its directive says.
func (p *Package) port(s *step, q *port, word string) {
	q.field = gosrc.Exported(q.param, "X")
	fn, said := s.fn.Name.Name, false
	for _, d := range s.ports {
		if d.of != q.param || d.word != word {
			continue
		}
		d.used = true
		if said {
			p.errorf(d.pos, "function %s has //kfpgo:%s %s twice", fn, word, d.of)
			continue
		}
		said = true
		if d.name != "" {
			q.name = d.name
		}
		q.doc = d.doc
		if d.optional && q.kind == value && !q.optional && (q.result || !hasNil(q.typ)) {
			p.errorf(d.pos, "function %s: %s %s can be optional only as a pointer, which is nil where there is no value; write *%s", fn, word, q.param, p.text(q.typ, s.in, p.newImporter()))
		}
		q.optional = q.optional || d.optional
		if d.hasDefault {
			if err := p.defaultOf(q, d, s.in); err != nil {
				p.errorf(d.pos, "function %s: default of %s: %v", fn, q.param, err)
			}
			q.value = &d.value
		}
	}
	if !portForm.MatchString(q.name) {
		p.errorf(q.pos, "function %s: the name %q must be ASCII letters, digits and _, not a digit first; give it one with //kfpgo:%s %s name=NAME", fn, q.name, word, q.param)
	}
	if word == "input" {
		s.inputs = append(s.inputs, q)
	} else {
		s.outputs = append(s.outputs, q)
	}
}

// hasNil reports whether a type is a slice or a map, as far as syntax says.
func hasNil(e ast.Expr) bool {
	a, list := e.(*ast.ArrayType)
	_, dict := e.(*ast.MapType)
	return dict || list && a.Len == nil
}

// defaultOf returns the error in the default of an input, as far as syntax shows it.
func (p *Package) defaultOf(q *port, d *portDirective, in *file) error {
	switch {
	case q.kind != value:
		return errors.New("an artifact has no default; write optional")
	case q.optional:
		return errors.New("an input that is optional has none; leave out the default, the pointer or the ...")
	}
	var err error
	switch t := q.typ.(type) {
	case *ast.ArrayType:
		if t.Len == nil && d.value == "[]" {
			return nil
		}
		return errors.New("that of a list can only be []; leave it out, write optional, and test for nil in the function")
	case *ast.MapType:
		if d.value == "{}" {
			return nil
		}
		return errors.New("that of a map can only be {}; leave it out, write optional, and test for nil in the function")
	case *ast.Ident:
		switch {
		case p.types[t.Name] != nil || t.Name == "string":
			return nil
		case t.Name == "bool" && d.value != "true" && d.value != "false":
			err = errors.New("write true or false")
		case strings.HasPrefix(t.Name, "float"):
			_, err = strconv.ParseFloat(d.value, 64)
		case strings.HasPrefix(t.Name, "int") || strings.HasPrefix(t.Name, "uint") || t.Name == "byte" || t.Name == "rune":
			_, err = strconv.ParseInt(d.value, 10, 64)
		}
		if err != nil {
			return fmt.Errorf("%q is not a valid %s", d.value, t.Name)
		}
	case *ast.SelectorExpr:
		if id, ok := t.X.(*ast.Ident); ok && t.Sel.Name == "Time" && in.importPath(id.Name) == "time" {
			if _, err := time.Parse(time.RFC3339, d.value); err != nil {
				return fmt.Errorf("%q is not a time such as 2026-01-31T15:04:05Z", d.value)
			}
		}
	}
	return nil
}

// unique reports names that are equal.
func (p *Package) unique(ports []*port, what, fn string) {
	for i, q := range ports {
		for _, r := range ports[:i] {
			if q.name == r.name {
				p.errorf(q.pos, "function %s: two %s are named %s; give one another name with //kfpgo:%s %s name=NAME", fn, what, q.name, strings.TrimSuffix(what, "s"), q.param)
			} else if q.field == r.field {
				p.errorf(q.pos, "function %s: the %s %s and %s would both be the field %s; rename one", fn, what, r.param, q.param, q.field)
			}
		}
	}
}
