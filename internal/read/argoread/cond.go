package argoread

import (
	"encoding/json"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/freename"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// A hint is an input that is compared with a number.
type hint struct {
	c     *program.Component
	input string
	typ   string
}

// when puts a task under its condition.
func (s *scope) when(c *call, t *task) {
	p := &condParser{scope: s, t: t, at: t.When.At, args: map[string]program.Value{}}
	e := p.parse()
	if e == nil {
		return
	}
	s.wrap(c, program.Condition, s.group("condition"))
	c.when = true
	outer, w := c.tasks[0], c.wraps[0]
	names := map[string]string{}
	for _, k := range sortedKeys(p.args) {
		v := p.args[k]
		for _, have := range sortedKeys(outer.Args) {
			if same(outer.Args[have], v) {
				names[k] = have
			}
		}
		if names[k] == "" {
			names[k] = free(w.Inputs, k)
			w.Inputs = append(w.Inputs, program.Port{Name: names[k]})
			outer.Args[names[k]] = v
		}
	}
	outer.When = e.Rename(func(n string) string { return names[n] })
	for _, h := range p.hints {
		s.numeric = append(s.numeric, hint{w, names[h.input], h.typ})
	}
}

// A condParser reads a when: words, numbers, quoted strings and tags, compared with
// each other, as the evaluator of Argo does once the tags are replaced.
type condParser struct {
	*scope
	t     *task
	at    pos
	toks  []condTok
	args  map[string]program.Value
	hints []hint
	bad   bool
}

type condTok struct {
	op    string // an operator or bracket
	value *program.Value
	text  string // a constant
	kind  string // of the constant: string, number or bool
}

var (
	condOp   = lazyregexp.New(`^(==|!=|<=|>=|<|>|&&|\|\||!~|=~|!|\(|\))`)
	condTag  = lazyregexp.New(`(?s)^\{\{.*?\}\}`)
	condText = lazyregexp.New(`^("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`)
	condWord = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_.:/-]*|^-[0-9][0-9.]*`)
	number   = lazyregexp.New(`^-?[0-9]+(\.[0-9]+)?$`)
)

func (p *condParser) refuseWhen(why string) *expr.Expr {
	if !p.bad {
		p.bad = true
		p.refuse(p.at, "when", "task %s, %q: %s", p.t.Name, p.t.When.S, why)
	}
	return nil
}

func (p *condParser) parse() *expr.Expr {
	s := strings.TrimSpace(p.t.When.S)
	for s != "" && !p.bad {
		switch {
		case s[0] == ' ' || s[0] == '\n' || s[0] == '\t':
			s = s[1:]
		case condTag.MatchString(s):
			m := condTag.FindString(s)
			p.tag(m)
			s = s[len(m):]
		case condText.MatchString(s):
			m := condText.FindString(s)
			if inner := m[1 : len(m)-1]; condTag.FindString(inner) == inner && inner != "" {
				p.tag(inner)
			} else if strings.Contains(inner, "{{") {
				return p.refuseWhen("a string with a tag in it")
			} else {
				p.toks = append(p.toks, condTok{text: strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\\`, `\`).Replace(inner), kind: "string"})
			}
			s = s[len(m):]
		case condOp.MatchString(s):
			m := condOp.FindString(s)
			p.toks = append(p.toks, condTok{op: m})
			s = s[len(m):]
		case condWord.MatchString(s):
			m := condWord.FindString(s)
			kind := "string"
			if number.MatchString(m) {
				kind = "number"
			} else if m == "true" || m == "false" {
				kind = "bool"
			}
			p.toks = append(p.toks, condTok{text: m, kind: kind})
			s = s[len(m):]
		default:
			return p.refuseWhen("it isn't understood at " + s)
		}
	}
	e := p.or()
	if e != nil && len(p.toks) > 0 {
		return p.refuseWhen("it isn't understood")
	}
	if e != nil && len(e.Names()) == 0 {
		return p.refuseWhen("it depends on nothing")
	}
	return e
}

func (p *condParser) tag(tag string) {
	v := p.value(p.at, tag, nil)
	if v.Kind == program.Const { // a mistake that was reported
		p.bad = true
	}
	p.toks = append(p.toks, condTok{value: &v})
}

func (p *condParser) next(ops ...string) string {
	if len(p.toks) > 0 {
		for _, op := range ops {
			if p.toks[0].op == op {
				p.toks = p.toks[1:]
				return op
			}
		}
	}
	return ""
}

func (p *condParser) or() *expr.Expr { return p.chain("||", p.and) }

func (p *condParser) and() *expr.Expr { return p.chain("&&", p.not) }

// chain reads what stands between operators of one kind.
func (p *condParser) chain(op string, one func() *expr.Expr) *expr.Expr {
	e := one()
	for e != nil && p.next(op) != "" {
		r := one()
		if r == nil {
			return nil
		}
		e = &expr.Expr{Op: op, Args: []*expr.Expr{e, r}}
	}
	return e
}

func (p *condParser) not() *expr.Expr {
	if p.bad {
		return nil
	}
	if p.next("!") != "" {
		if e := p.not(); e != nil {
			return expr.Not(e)
		}
		return nil
	}
	if p.next("(") != "" {
		e := p.or()
		if e != nil && p.next(")") == "" {
			return p.refuseWhen("a bracket isn't closed")
		}
		return e
	}
	return p.compare()
}

var mirrored = map[string]string{"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// compare reads a comparison, or a value that is true or false.
func (p *condParser) compare() *expr.Expr {
	if len(p.toks) == 0 || p.toks[0].op != "" {
		return p.refuseWhen("a value is missing")
	}
	a := p.toks[0]
	p.toks = p.toks[1:]
	op := p.next("==", "!=", "<=", ">=", "<", ">", "=~", "!~")
	if op == "" {
		if a.value == nil {
			return p.refuseWhen("it depends on nothing")
		}
		return &expr.Expr{Op: "==", Args: []*expr.Expr{p.operand(a, ""), {Op: "const", Type: kfptype.String, Const: jsonText("true")}}}
	}
	if op == "=~" || op == "!~" {
		return p.refuseWhen("a program doesn't compare with patterns")
	}
	if len(p.toks) == 0 || p.toks[0].op != "" {
		return p.refuseWhen("a value is missing")
	}
	b := p.toks[0]
	p.toks = p.toks[1:]
	if a.value == nil {
		a, b, op = b, a, mirrored[op]
	}
	if a.value == nil {
		return p.refuseWhen("it compares constants")
	}
	typ := ""
	switch {
	case b.value == nil && b.kind == "number":
		typ = kfptype.Integer
		if strings.Contains(b.text, ".") {
			typ = kfptype.Double
		}
	case b.value != nil && op != "==" && op != "!=":
		typ = kfptype.Double
	}
	left := p.operand(a, typ)
	if b.value != nil {
		return &expr.Expr{Op: op, Args: []*expr.Expr{left, p.operand(b, typ)}}
	}
	c := &expr.Expr{Op: "const", Type: kfptype.String, Const: jsonText(b.text)}
	if typ != "" {
		c.Type, c.Const = typ, json.RawMessage(b.text)
	}
	return &expr.Expr{Op: op, Args: []*expr.Expr{left, c}}
}

// operand returns a value as an operand, which is one of numbers if typ says so.
func (p *condParser) operand(t condTok, typ string) *expr.Expr {
	name := ""
	for _, k := range sortedKeys(p.args) {
		if same(p.args[k], *t.value) {
			name = k
		}
	}
	if name == "" {
		taken := map[string]bool{}
		for k := range p.args {
			taken[k] = true
		}
		hint := t.value.Name
		if len(t.value.Field) > 0 {
			hint = t.value.Field[len(t.value.Field)-1]
		}
		if hint == "" {
			hint = "when"
		}
		name = freename.TakeWith(taken, portName(hint), "_")
		p.args[name] = *t.value
	}
	if typ != "" {
		p.hints = append(p.hints, hint{input: name, typ: typ})
	}
	return &expr.Expr{Op: "name", Name: name, Type: kfptype.String}
}
