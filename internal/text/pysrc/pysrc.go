// Package pysrc reads the declarations of a Python module: its functions with their
// signatures and docstrings, its classes and its constants. It reads the text, and
// runs nothing of it.
package pysrc

import (
	"fmt"
	"strings"
)

// A Module is what the top level of a file declares.
type Module struct {
	Functions []*Function
	Classes   map[string]*Class
	Values    map[string]*Expr  // NAME = expression; of kind Other if there are several
	Aliases   map[string]string // from x import name as alias
	Comments  map[int]string    // the lines that are comments, without the #
}

// A Function is a def at the top level.
type Function struct {
	Name       string
	Line       int // of the def
	First      int // of the first decorator, or else of the def
	Decorators []*Expr
	Params     []Param
	Returns    *Expr  // nil: none
	Doc        string // the docstring, without the indentation of its lines
}

// A Param is a parameter of a function.
type Param struct {
	Name       string
	Line       int
	Star       string // * or ** in front of the name
	Positional bool   // before a /, so that the name can't be given
	Type       *Expr  // nil: none
	Default    *Expr  // likewise
}

// A Class is a class with the fields that have types.
type Class struct {
	Line   int
	Bases  []*Expr
	Fields []Param
}

// An Error says why a file isn't Python.
type Error struct {
	Line int
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// Parse reads a module. The error is an *Error.
func Parse(text string) (*Module, error) {
	s, err := scan(strings.TrimPrefix(text, "\ufeff"))
	if err != nil {
		return nil, err
	}
	m := &Module{Classes: map[string]*Class{}, Values: map[string]*Expr{}, Aliases: map[string]string{}, Comments: s.comments}
	p := &parser{tokens: s.tokens, text: s.text}
	var decorators []*Expr
	first := 0
	for p.peek().kind != end {
		t := p.peek()
		switch {
		case t.kind == newline || t.col > 0:
		case t.text == "@":
			p.next()
			if decorators == nil {
				first = t.line
			}
			decorators = append(decorators, p.expr(0))
			p.skipLine()
			continue
		case t.kind == name && (t.text == "def" || t.text == "async" && p.tokens[p.i+1].text == "def"):
			if f := p.function(); f != nil {
				f.Decorators, f.First = decorators, f.Line
				if decorators != nil {
					f.First = first
				}
				m.Functions = append(m.Functions, f)
			}
		case t.kind == name && t.text == "class":
			p.class(m)
		case t.kind == name && t.text == "from":
			p.imports(m)
		case t.kind == name:
			p.value(m)
		}
		decorators = nil
		p.skipLine()
	}
	return m, nil
}

// function reads a def; nil is what isn't one.
func (p *parser) function() *Function {
	if p.next().text == "async" {
		p.next()
	}
	t := p.next()
	f := &Function{Name: t.text, Line: t.line}
	if p.is("[") { // type parameters
		p.items("]", 1)
	}
	if t.kind != name || !p.take("(") {
		return nil
	}
	f.Params = p.params()
	if p.take("->") {
		f.Returns = p.expr(0)
	}
	if !p.take(":") {
		return nil
	}
	for p.peek().kind == newline {
		p.next()
	}
	if t := p.peek(); t.kind == str && t.col > 0 {
		doc := p.expr(0)
		if doc.Kind == Str && (p.peek().kind == newline || p.peek().kind == end || p.is(";")) {
			f.Doc = clean(doc.Text)
		}
	}
	return f
}

// params reads parameters up to the closing bracket.
func (p *parser) params() (list []Param) {
	for p.peek().kind != end && !p.take(")") {
		t := p.next()
		q := Param{Line: t.line}
		switch {
		case t.text == "/":
			for i := range list {
				list[i].Positional = true
			}
		case t.text == "*" || t.text == "**":
			if q.Star = t.text; p.peek().kind == name {
				t = p.next()
			}
		}
		if t.kind == name {
			q.Name = t.text
			if p.take(":") {
				q.Type = p.expr(0)
			}
			if p.take("=") {
				q.Default = p.expr(0)
			}
			list = append(list, q)
		}
		p.skipTo(",", ")")
		p.take(",")
	}
	return list
}

// class reads a class and the fields of its body that have types.
func (p *parser) class(m *Module) {
	c := &Class{Line: p.next().line}
	called := p.next()
	if p.is("[") {
		p.items("]", 1)
	}
	if p.is("(") {
		c.Bases = p.items(")", 1).Items
	}
	p.skipLine()
	in := p.peek().col
	for p.peek().kind != end && p.peek().col > 0 {
		if t := p.peek(); t.kind == name && t.col == in && p.tokens[p.i+1].text == ":" {
			p.i += 2
			c.Fields = append(c.Fields, Param{Name: t.text, Line: t.line, Type: p.expr(0)})
		}
		p.skipLine()
	}
	p.i-- // the end of the line, which the caller skips
	m.Classes[called.text] = c
}

// imports reads the other names that a from statement gives.
func (p *parser) imports(m *Module) {
	for t := p.next(); t.kind != newline && t.kind != end; t = p.next() {
		if t.kind == name && p.is("as") {
			p.next()
			m.Aliases[p.next().text] = t.text
		}
	}
	p.i--
}

// value reads NAME = expression, which may have a type.
func (p *parser) value(m *Module) {
	t := p.next()
	if p.take(":") {
		p.expr(0)
	}
	if !p.take("=") {
		return
	}
	e := p.expr(0)
	if k := p.peek().kind; m.Values[t.text] != nil || k != newline && k != end {
		e = &Expr{Kind: Other, Line: t.line}
	}
	m.Values[t.text] = e
}

// clean takes the indentation off the lines of a docstring, as Python's inspect does.
func clean(doc string) string {
	lines := strings.Split(doc, "\n")
	for i, l := range lines {
		lines[i] = expandTabs(l)
	}
	least := -1
	for _, l := range lines[1:] {
		if n := len(l) - len(strings.TrimLeft(l, " ")); n < len(l) && (least < 0 || n < least) {
			least = n
		}
	}
	for i, l := range lines {
		if i > 0 && least > 0 {
			l = l[min(least, len(l)):]
		}
		lines[i] = strings.TrimRight(l, " \r")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// expandTabs writes tabs as the spaces to the next column that 8 divides.
func expandTabs(line string) string {
	var b strings.Builder
	col := 0
	for _, r := range line {
		if r != '\t' {
			b.WriteRune(r)
			col++
			continue
		}
		n := 8 - col%8
		b.WriteString("        "[:n])
		col += n
	}
	return b.String()
}
