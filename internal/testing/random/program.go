package random

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/kfpgo/kfpgo/dsl"
)

// A pool is what can be read at a place of a pipeline, by type.
type pool struct {
	texts  []dsl.Param[string]
	ns     []dsl.Param[int]
	fs     []dsl.Param[float64]
	bs     []dsl.Param[bool]
	maybe  []dsl.Param[string] // that may not be given
	maybeN []dsl.Param[int]

	textLists []dsl.Param[[]string]
	intLists  []dsl.Param[[]int]
	fLists    []dsl.Param[[]float64]
	bLists    []dsl.Param[[]bool]
	items     []dsl.Param[[]item]
	nested    []dsl.Param[[][]string]
	item      []dsl.Param[item]
}

// fork returns a pool for a scope inside of this one.
func (p *pool) fork() *pool {
	q := *p
	for _, list := range []*[]dsl.Param[string]{&q.texts, &q.maybe} {
		*list = slices.Clip(*list)
	}
	q.ns, q.maybeN, q.fs, q.bs = slices.Clip(q.ns), slices.Clip(q.maybeN), slices.Clip(q.fs), slices.Clip(q.bs)
	q.textLists, q.intLists, q.fLists, q.bLists = slices.Clip(q.textLists), slices.Clip(q.intLists), slices.Clip(q.fLists), slices.Clip(q.bLists)
	q.items, q.nested, q.item = slices.Clip(q.items), slices.Clip(q.nested), slices.Clip(q.item)
	return &q
}

func (p *pool) add(v vals) {
	p.texts, p.ns, p.fs, p.bs = append(p.texts, v.Text), append(p.ns, v.N), append(p.fs, v.F), append(p.bs, v.B)
}

type mainIn struct {
	Text   dsl.Param[string]
	N      dsl.Param[int]
	F      dsl.Param[float64]
	B      dsl.Param[bool]
	Maybe  dsl.Param[string] `kfp:",optional"`
	MaybeN dsl.Param[int]    `kfp:",optional"`
	Texts  dsl.Param[[]string]
	Ns     dsl.Param[[]int]
	Items  dsl.Param[[]item]
	Item   dsl.Param[item]
}

type plainOut struct {
	Text  dsl.Param[string]
	N     dsl.Param[int]
	F     dsl.Param[float64]
	B     dsl.Param[bool]
	Texts dsl.Param[[]string]
	Ns    dsl.Param[[]int]
}

type mainOut struct {
	plainOut
	Maybe dsl.Param[string] `kfp:",optional"`
}

// A Kind is what programs are made of.
type Kind struct {
	Steps int  // about how many calls of steps a program has
	Risky bool // some of its steps fail
	KFP   bool // only what KFP's servers run: no optional outputs, no $ in values, numbers within doubles
}

// A maker makes a pipeline.
type maker struct {
	random
	kind  Kind
	left  int // steps that may still be added
	depth int
	inner int
	given []dsl.Cond // conditions on what was given
}

// Program makes a pipeline and arguments for it. The same seed makes the same program.
func Program(seed uint64, kind Kind) (dsl.Definition, map[string]json.RawMessage) {
	m := &maker{random: random{Rand: rand.New(rand.NewPCG(seed, 1)), kfp: kind.KFP}, kind: kind, left: kind.Steps}
	var p dsl.Definition
	if kind.KFP {
		p = dsl.Pipeline("random", func(s *dsl.Scope, in mainIn) plainOut { return m.main(s, in).plainOut })
	} else {
		p = dsl.Pipeline("random", m.main)
	}
	args := map[string]json.RawMessage{}
	set := func(name string, v any) { args[name], _ = json.Marshal(v) }
	set("text", m.text())
	set("n", m.int())
	set("f", m.float())
	set("b", m.bool())
	if m.bool() {
		set("maybe", m.text())
	}
	if m.bool() {
		set("maybe_n", m.int())
	}
	set("texts", some(m.random, m.text)[m.IntN(2):])
	set("ns", some(m.random, m.int)[m.IntN(2):])
	set("items", some(m.random, m.item)[m.IntN(2):])
	set("item", m.item())
	return p, args
}

// main is the body of the pipeline.
func (m *maker) main(s *dsl.Scope, in mainIn) mainOut {
	if m.IntN(4) == 0 || m.kind.Risky {
		dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
			Report.Call(s, reportIn{Status: status, Text: dsl.Sprintf("%v {{x}} %v", in.Text, in.N)})
		})
	}
	at := &pool{
		texts: []dsl.Param[string]{in.Text}, ns: []dsl.Param[int]{in.N}, fs: []dsl.Param[float64]{in.F}, bs: []dsl.Param[bool]{in.B},
		maybe: []dsl.Param[string]{in.Maybe}, maybeN: []dsl.Param[int]{in.MaybeN},
		textLists: []dsl.Param[[]string]{in.Texts}, intLists: []dsl.Param[[]int]{in.Ns}, items: []dsl.Param[[]item]{in.Items}, item: []dsl.Param[item]{in.Item},
	}
	m.given = []dsl.Cond{dsl.Given(in.Maybe), dsl.Given(in.MaybeN)}
	m.block(s, at)
	if m.kind.Risky {
		Risk.Call(s, riskIn{Text: m.aText(at), Fail: m.aBool(at)})
	}
	last, lists := m.say(s, at), Many.Call(s, manyIn{m.aText(at), m.anInt(at)})
	return mainOut{plainOut{last.Text, last.N, last.F, last.B, lists.Out.Texts, lists.Out.Ns}, last.Maybe}
}

// block adds a few things to a scope.
func (m *maker) block(s *dsl.Scope, at *pool) {
	m.depth++
	defer func() { m.depth-- }()
	for range 1 + m.IntN(3) {
		if m.left <= 0 {
			return
		}
		switch kind := m.IntN(10); {
		case kind < 3 || m.depth > 3:
			at.add(m.say(s, at).vals)
		case kind == 3:
			m.lists(s, at)
		case kind == 4:
			m.branches(s, at)
		case kind == 5:
			m.choice(s, at)
		case kind == 6:
			m.nest(s, at)
		default:
			m.loop(s, at)
		}
	}
}

// say calls say.
func (m *maker) say(s *dsl.Scope, at *pool) sayOut {
	m.left--
	in := sayIn{Text: m.aText(at), N: m.anInt(at), F: m.aFloat(at), B: m.aBool(at)}
	if len(at.maybe) > 0 && m.bool() {
		in.Maybe = pick(m.random, at.maybe)
	}
	if len(at.maybeN) > 0 && m.bool() {
		in.MaybeN = pick(m.random, at.maybeN)
	}
	switch m.IntN(4) {
	case 0:
		in.Def = m.aText(at)
	case 1:
		if len(at.maybe) > 0 {
			in.Def = pick(m.random, at.maybe)
		}
	}
	if len(at.maybeN) > 0 && m.IntN(3) == 0 {
		in.DefN = pick(m.random, at.maybeN)
	}
	if m.kind.KFP {
		return sayOut{vals: Speak.Call(s, in).Out.vals}
	}
	out := Say.Call(s, in).Out
	at.maybe, at.maybeN = append(at.maybe, out.Maybe), append(at.maybeN, out.MaybeN)
	return out
}

func (m *maker) aText(at *pool) dsl.Param[string] {
	switch m.IntN(8) {
	case 0:
		braces := "{{=1}}"
		if m.kfp {
			braces = "{{x}}"
		}
		return dsl.Sprintf("%s %v%s %v|%v", m.text(), one(m.random, at.texts, m.constText), braces, one(m.random, at.ns, m.constInt), one(m.random, at.fs, m.constFloat))
	case 1:
		if len(at.maybe) > 0 {
			return dsl.Sprintf("%v{%v", pick(m.random, at.maybe), one(m.random, at.bs, m.constBool))
		}
	case 2:
		if len(at.item) > 0 {
			return dsl.Field(pick(m.random, at.item), func(i *item) *string { return &i.Text })
		}
	}
	return one(m.random, at.texts, m.constText)
}

func (m *maker) anInt(at *pool) dsl.Param[int] {
	if len(at.item) > 0 && m.IntN(6) == 0 {
		return dsl.Field(pick(m.random, at.item), func(i *item) *int { return &i.N })
	}
	return one(m.random, at.ns, m.constInt)
}

func (m *maker) aFloat(at *pool) dsl.Param[float64] {
	if len(at.item) > 0 && m.IntN(6) == 0 {
		return dsl.Field(pick(m.random, at.item), func(i *item) *float64 { return &i.F })
	}
	return one(m.random, at.fs, m.constFloat)
}

func (m *maker) aBool(at *pool) dsl.Param[bool] {
	if len(at.item) > 0 && m.IntN(6) == 0 {
		return dsl.Field(pick(m.random, at.item), func(i *item) *bool { return &i.B })
	}
	return one(m.random, at.bs, m.constBool)
}

func (m *maker) constText() dsl.Param[string]   { return dsl.Const(m.text()) }
func (m *maker) constInt() dsl.Param[int]       { return dsl.Const(m.int()) }
func (m *maker) constFloat() dsl.Param[float64] { return dsl.Const(m.float()) }
func (m *maker) constBool() dsl.Param[bool]     { return dsl.Const(m.bool()) }

// lists calls many or tell.
func (m *maker) lists(s *dsl.Scope, at *pool) {
	m.left--
	if m.bool() {
		out := Many.Call(s, manyIn{m.aText(at), m.anInt(at)}).Out
		at.textLists, at.intLists, at.fLists, at.bLists = append(at.textLists, out.Texts), append(at.intLists, out.Ns), append(at.fLists, out.Fs), append(at.bLists, out.Bs)
		at.items, at.nested, at.item = append(at.items, out.Items), append(at.nested, out.Nested), append(at.item, out.Item)
		return
	}
	var in tellIn
	maybe(m, &in.Texts, at.textLists)
	maybe(m, &in.Ns, at.intLists)
	maybe(m, &in.Fs, at.fLists)
	maybe(m, &in.Bs, at.bLists)
	maybe(m, &in.Items, at.items)
	maybe(m, &in.Nested, at.nested)
	maybe(m, &in.Item, at.item)
	if m.IntN(3) == 0 {
		in.Texts = dsl.Items(m.aText(at), m.aText(at))
	}
	if m.IntN(3) == 0 {
		in.Ns = dsl.Items(m.anInt(at), m.constInt())
	}
	at.texts = append(at.texts, Tell.Call(s, in).Out.Text)
}

func maybe[T any](m *maker, in *dsl.Param[T], list []dsl.Param[T]) {
	if len(list) > 0 && m.bool() {
		*in = pick(m.random, list)
	}
}

// branches adds an If, out of which nothing comes.
func (m *maker) branches(s *dsl.Scope, at *pool) {
	arm := func(s *dsl.Scope) {
		in := at.fork()
		m.say(s, in)
		m.block(s, in)
	}
	b := dsl.If(s, m.cond(at, 2), arm)
	for range m.IntN(3) {
		b = b.Elif(m.cond(at, 2), arm)
	}
	if m.bool() {
		b.Else(arm)
	}
}

// choice adds a one-of.
func (m *maker) choice(s *dsl.Scope, at *pool) {
	if !m.kind.KFP && m.IntN(3) == 0 {
		v := m.optional(s, at)
		at.maybe, at.maybeN = append(at.maybe, v.Text), append(at.maybeN, v.N)
		return
	}
	arm := m.arm(at)
	ch := dsl.OneOf(s, m.cond(at, 2), arm)
	for range m.IntN(3) {
		ch = ch.Elif(m.cond(at, 2), arm)
	}
	at.add(ch.Else(arm))
}

func (m *maker) optional(s *dsl.Scope, at *pool) vals {
	return dsl.OneOf(s, m.cond(at, 2), m.arm(at)).Optional()
}

func (m *maker) arm(at *pool) func(s *dsl.Scope) vals {
	return func(s *dsl.Scope) vals {
		in := at.fork()
		if m.IntN(3) == 0 {
			m.block(s, in)
		}
		return m.say(s, in).vals
	}
}

type innerIn struct {
	Text  dsl.Param[string]
	N     dsl.Param[int]
	Maybe dsl.Param[string] `kfp:",optional"`
	Def   dsl.Param[string]
	Texts dsl.Param[[]string]
}

// nest calls a pipeline of its own.
func (m *maker) nest(s *dsl.Scope, at *pool) {
	m.inner++
	p := dsl.Pipeline(fmt.Sprintf("inner-%d", m.inner), func(s *dsl.Scope, in innerIn) vals {
		outer := m.given
		defer func() { m.given = outer }()
		m.given = []dsl.Cond{dsl.Given(in.Maybe)}
		at := &pool{texts: []dsl.Param[string]{in.Text, in.Def}, ns: []dsl.Param[int]{in.N}, maybe: []dsl.Param[string]{in.Maybe}, textLists: []dsl.Param[[]string]{in.Texts}}
		m.block(s, at)
		return m.say(s, at).vals
	}).Defaults(innerIn{Def: dsl.Const(m.text())})
	in := innerIn{Text: m.aText(at), N: m.anInt(at), Texts: one(m.random, at.textLists, func() dsl.Param[[]string] { return dsl.Const(some(m.random, m.text)) })}
	if len(at.maybe) > 0 && m.bool() {
		in.Maybe = pick(m.random, at.maybe)
	}
	if len(at.maybe) > 0 && m.bool() {
		in.Def = pick(m.random, at.maybe)
	}
	at.add(p.Call(s, in).Out)
}

// loop adds a loop, and what it collects.
func (m *maker) loop(s *dsl.Scope, at *pool) {
	switch m.IntN(6) {
	case 0:
		repeat(m, s, at, one(m.random, at.textLists, func() dsl.Param[[]string] { return dsl.Const(some(m.random, m.text)) }), func(p *pool, v dsl.Param[string]) { p.texts = append(p.texts, v) })
	case 1:
		repeat(m, s, at, one(m.random, at.intLists, func() dsl.Param[[]int] { return dsl.Items(m.anInt(at), m.anInt(at)) }), func(p *pool, v dsl.Param[int]) { p.ns = append(p.ns, v) })
	case 2:
		repeat(m, s, at, one(m.random, at.fLists, func() dsl.Param[[]float64] { return dsl.Const(some(m.random, m.float)) }), func(p *pool, v dsl.Param[float64]) { p.fs = append(p.fs, v) })
	case 3:
		repeat(m, s, at, one(m.random, at.bLists, func() dsl.Param[[]bool] { return dsl.Const(some(m.random, m.bool)) }), func(p *pool, v dsl.Param[bool]) { p.bs = append(p.bs, v) })
	case 4:
		repeat(m, s, at, one(m.random, at.nested, func() dsl.Param[[][]string] { return dsl.Const([][]string{some(m.random, m.text), {}}) }), func(p *pool, v dsl.Param[[]string]) { p.textLists = append(p.textLists, v) })
	default:
		repeat(m, s, at, one(m.random, at.items, func() dsl.Param[[]item] { return dsl.Const(some(m.random, m.item)) }), func(p *pool, v dsl.Param[item]) { p.item = append(p.item, v) })
	}
}

func repeat[T any](m *maker, s *dsl.Scope, at *pool, items dsl.Param[[]T], add func(*pool, dsl.Param[T])) {
	var opts []dsl.LoopOption
	if m.IntN(3) == 0 {
		opts = append(opts, dsl.Parallelism(1+m.IntN(3)))
	}
	l := dsl.ParallelFor(s, items, func(s *dsl.Scope, v dsl.Param[T]) loopOut {
		in := at.fork()
		in.textLists = nil // so that what it collects is its own
		add(in, v)
		had := len(in.textLists)
		if m.depth < 3 && m.IntN(2) == 0 {
			m.block(s, in)
		}
		if len(in.textLists) == had {
			in.textLists = append(in.textLists, Many.Call(s, manyIn{m.aText(in), m.anInt(in)}).Out.Texts)
		}
		list := in.textLists[len(in.textLists)-1]
		if !m.kind.KFP && m.IntN(4) == 0 {
			return loopOut{m.optional(s, in), list} // an iteration may make no values
		}
		return loopOut{m.say(s, in).vals, list}
	}, opts...)
	at.textLists, at.intLists = append(at.textLists, dsl.Collected(l.Each.Text)), append(at.intLists, dsl.Collected(l.Each.N))
	at.fLists, at.bLists = append(at.fLists, dsl.Collected(l.Each.F)), append(at.bLists, dsl.Collected(l.Each.B))
	at.nested = append(at.nested, dsl.Collected(l.Each.Texts))
}

type loopOut struct {
	vals
	Texts dsl.Param[[]string]
}
