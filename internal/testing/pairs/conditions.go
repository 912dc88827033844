package pairs

import "github.com/kfpgo/kfpgo/dsl"

type comparedIn struct {
	S dsl.Param[string]
	T dsl.Param[string] `default:"t"`
	I dsl.Param[int]
	F dsl.Param[float64]
	B dsl.Param[bool]
}

// then is the body of an If that says something.
func then(text string) func(*dsl.Scope) {
	return func(s *dsl.Scope) { say.Call(s, textIn{Text: dsl.Const(text)}) }
}

var _ = pair(compared, "dsl.If", "conditions on str", "conditions on numbers", "conditions on bool", "conditions on two references")

// compared has each comparison of each type.
var compared = dsl.Pipeline("compared", func(s *dsl.Scope, in comparedIn) dsl.None {
	dsl.If(s, dsl.Eq(in.S, "a b"), then("eq"))
	dsl.If(s, dsl.Ne(in.S, ""), then("ne"))
	dsl.If(s, dsl.Lt(in.S, "m"), then("lt"))
	dsl.If(s, dsl.EqRef(in.S, in.T), then("eq ref"))
	dsl.If(s, dsl.Eq(in.I, -1), then("int eq"))
	dsl.If(s, dsl.Ne(in.I, 0), then("int ne"))
	dsl.If(s, dsl.Lt(in.I, 1), then("int lt"))
	dsl.If(s, dsl.Le(in.I, 2), then("int le"))
	dsl.If(s, dsl.Gt(in.I, 3), then("int gt"))
	dsl.If(s, dsl.Ge(in.I, 1<<53), then("int ge"))
	dsl.If(s, dsl.Eq(in.F, 0.5), then("float eq"))
	dsl.If(s, dsl.Le(in.F, -1e-7), then("float le"))
	dsl.If(s, dsl.Gt(in.F, 2), then("float gt"))
	dsl.If(s, dsl.True(in.B), then("bool"))
	dsl.If(s, dsl.False(in.B), then("bool eq"))
	dsl.If(s, dsl.Ne(in.B, true), then("bool ne"))
	got := makeFlt.Call(s, floatIn{in.F}).Out.Out
	dsl.If(s, dsl.LtRef(got, in.F), then("ref lt"))
	dsl.If(s, dsl.LeRef(got, in.F), then("ref le"))
	dsl.If(s, dsl.GtRef(got, in.F), then("ref gt"))
	dsl.If(s, dsl.NeRef(got, in.F), then("ref ne"))
	return dsl.None{}
})

var _ = pair(elifLast, "dsl.If", "dsl.Elif")

// elifLast has no Else, as the last thing of its scope: after it, Python's group
// of branches would stay open.
var elifLast = dsl.Pipeline("elif-last", func(s *dsl.Scope, in comparedIn) dsl.None {
	got := makeText.Call(s, textIn{in.S})
	dsl.If(s, dsl.Eq(got.Out.Out, "a"), then("a")).
		Elif(dsl.Eq(in.I, 1), then("one")).
		Elif(dsl.Gt(in.F, 0.5), then("more"))
	return dsl.None{}
})

var _ = pair(elifNested, "dsl.If", "dsl.Elif", "dsl.Else", "conditions on numbers")

// elifNested has branches in each branch.
var elifNested = dsl.Pipeline("elif-nested", func(s *dsl.Scope, in comparedIn) dsl.None {
	got := makeInt.Call(s, intIn{in.I}).Out.Out
	inner := func(s *dsl.Scope) {
		dsl.If(s, dsl.Eq(in.S, "a"), then("a")).
			Elif(dsl.Gt(got, 3), func(s *dsl.Scope) {
				more := makeInt.Call(s, intIn{got})
				dsl.If(s, dsl.EqRef(more.Out.Out, in.I), then("same")).Else(then("other"))
			}).
			Else(then("none"))
	}
	dsl.If(s, dsl.Eq(in.I, 1), inner).Elif(dsl.Eq(in.I, 2), inner).Else(inner)
	return dsl.None{}
})

var _ = pair(oneOfs, "dsl.OneOf", "dsl.OneOf of artifacts", "dsl.ParallelFor over an output")

// oneOfs uses values of branches in conditions, loops, texts, options, other
// branches and as outputs.
var oneOfs = dsl.Pipeline("one-ofs", func(s *dsl.Scope, in comparedIn) outputText {
	text := func(t dsl.Param[string]) func(*dsl.Scope) dsl.Param[string] {
		return func(s *dsl.Scope) dsl.Param[string] { return makeText.Call(s, textIn{t}).Out.Out }
	}
	list := func(s *dsl.Scope) dsl.Param[[]int] { return makeList.Call(s, dsl.None{}).Out.Out }
	word := dsl.OneOf(s, dsl.Eq(in.S, "a"), text(dsl.Const("A"))).Elif(dsl.Eq(in.I, 2), text(in.S)).Else(text(in.T))
	numbers := dsl.OneOf(s, dsl.True(in.B), list).Else(list)
	say.Call(s, textIn{word})
	sumUp.Call(s, sumIn{numbers})
	dsl.ParallelFor(s, numbers, func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
		say.Call(s, textIn{word})
		makeInt.Call(s, intIn{n})
		return dsl.None{}
	})
	dsl.If(s, dsl.Eq(in.I, 7), func(s *dsl.Scope) { say.Call(s, textIn{word}) })
	return outputText{word}
})
