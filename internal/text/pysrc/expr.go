package pysrc

import (
	"slices"
	"strings"
)

// The kinds of expressions.
const (
	Other  = iota // which isn't one of those below
	Name          // a name, or several with dots: Text
	Str           // a string: Text is its value
	Number        // Text is its source, with its sign
	Tuple         // (Items), and [Items] below is a List
	List
	Dict  // {Keys: Items}
	Call  // Of(Items), with Keys of the same length: nil for one that is positional
	Index // Of[Items]
	Or    // Items with | in between
)

// An Expr is an expression of Python as it is written.
type Expr struct {
	Kind  int
	Line  int
	Text  string // of a Name, Str and Number; for others the source
	Of    *Expr
	Keys  []*Expr
	Items []*Expr
}

// ParseExpr reads one expression, such as a type in quotes, which is at a line.
func ParseExpr(text string, line int) *Expr {
	s, err := scan("(" + text + ")")
	if err != nil {
		return &Expr{Kind: Other, Line: line, Text: text}
	}
	p := &parser{tokens: s.tokens, text: s.text}
	p.next()
	e := p.expr(0)
	if !p.take(")") || p.peek().kind != newline {
		return &Expr{Kind: Other, Line: line, Text: text}
	}
	e.at(line)
	return e
}

// at sets the line of an expression and of its parts.
func (e *Expr) at(line int) {
	if e == nil {
		return
	}
	e.Line = line
	e.Of.at(line)
	for _, x := range slices.Concat(e.Keys, e.Items) {
		x.at(line)
	}
}

type parser struct {
	tokens []token
	text   string
	i      int
}

func (p *parser) peek() token { return p.tokens[min(p.i, len(p.tokens)-1)] }

func (p *parser) next() token {
	t := p.peek()
	p.i++
	return t
}

func (p *parser) is(text string) bool {
	t := p.peek()
	return t.text == text && t.kind != str
}

// take goes past a token if it is the next one.
func (p *parser) take(text string) bool {
	if !p.is(text) {
		return false
	}
	p.i++
	return true
}

// skipLine goes to the start of the next line.
func (p *parser) skipLine() {
	for k := p.peek().kind; k != end; k = p.peek().kind {
		p.i++
		if k == newline {
			return
		}
	}
}

// skipTo goes to one of the tokens that isn't in brackets, or to the end of the line.
func (p *parser) skipTo(texts ...string) {
	depth, lambdas := 0, 0
	for t := p.peek(); t.kind != newline && t.kind != end; t = p.peek() {
		opens, closes := slices.Contains([]string{"(", "[", "{"}, t.text), slices.Contains([]string{")", "]", "}"}, t.text)
		switch {
		case depth == 0 && t.kind != str && slices.Contains(texts, t.text) && (lambdas == 0 || closes):
			return
		case depth == 0 && closes:
			return
		case opens:
			depth++
		case closes:
			depth--
		case depth == 0 && t.kind == name && t.text == "lambda": // with commas and a colon of its own
			lambdas++
		case depth == 0 && t.text == ":" && lambdas > 0:
			lambdas--
		}
		p.i++
	}
}

// ends are what an expression ends at.
var ends = []string{",", ")", "]", "}", ":", "=", ";"}

// expr reads an expression.
func (p *parser) expr(depth int) *Expr {
	start, e := p.i, &Expr{Kind: Other}
	if depth < maxNested {
		e = p.operand(depth + 1)
		for e.Kind != Other && p.take("|") {
			e = &Expr{Kind: Or, Items: []*Expr{e, p.operand(depth + 1)}}
		}
	}
	if t := p.peek(); t.kind != newline && t.kind != end && (t.kind == str || !slices.Contains(ends, t.text)) || p.i == start {
		p.i = start
		p.skipTo(ends...)
		e = &Expr{Kind: Other}
	}
	return p.source(e, start)
}

// source sets the line and the text of an expression that starts at a token.
func (p *parser) source(e *Expr, start int) *Expr {
	first := p.tokens[min(start, len(p.tokens)-1)]
	e.Line = first.line
	if e.Text == "" && e.Kind != Str {
		e.Text = strings.TrimSpace(p.text[first.at:max(p.peek().at, first.at)])
	}
	return e
}

// operand reads an expression without operators.
func (p *parser) operand(depth int) *Expr {
	start := p.i
	return p.source(p.primary(depth), start)
}

func (p *parser) primary(depth int) *Expr {
	t := p.peek()
	e := &Expr{Kind: Other}
	switch {
	case t.kind == name:
		p.next()
		e.Kind, e.Text = Name, t.text
	case t.kind == number:
		p.next()
		e.Kind, e.Text = Number, t.text
	case t.kind == str:
		e.Kind = Str
		for p.peek().kind == str {
			s, ok := p.next().value()
			if !ok {
				e.Kind = Other
			}
			e.Text += s
		}
		if e.Kind == Other {
			e.Text = ""
		}
	case (t.text == "-" || t.text == "+") && p.tokens[p.i+1].kind == number:
		p.next()
		e.Kind, e.Text = Number, strings.TrimPrefix(t.text, "+")+p.next().text
	case t.text == "(":
		e = p.items(")", depth)
		if e.Kind = Tuple; len(e.Items) == 1 && p.tokens[p.i-2].text != "," {
			e = e.Items[0]
		}
	case t.text == "[":
		e = p.items("]", depth)
		e.Kind = List
	case t.text == "{":
		e = p.items("}", depth)
		e.Kind = Dict
	}
	for e.Kind != Other {
		switch {
		case p.is(".") && e.Kind == Name && p.tokens[p.i+1].kind == name:
			p.next()
			e.Text += "." + p.next().text
		case p.is("("):
			of := e
			e = p.items(")", depth)
			e.Kind, e.Of = Call, of
		case p.is("["):
			of := e
			e = p.items("]", depth)
			e.Kind, e.Of, e.Keys = Index, of, nil
		default:
			return e
		}
	}
	return e
}

// items reads what is in brackets, with keys before = or :.
func (p *parser) items(closing string, depth int) *Expr {
	e := &Expr{}
	p.next()
	for p.peek().kind != end && !p.take(closing) {
		key, item := (*Expr)(nil), p.expr(depth)
		if p.take("=") || closing == "}" && p.take(":") {
			key, item = item, p.expr(depth)
		}
		e.Keys, e.Items = append(e.Keys, key), append(e.Items, item)
		p.skipTo(",", closing)
		p.take(",")
	}
	return e
}
