package suite

import (
	"context"

	"github.com/kfpgo/kfpgo/dsl"
)

type TruthIn struct {
	A, B dsl.Param[int]
	S, T dsl.Param[string]
	X, Y dsl.Param[float64]
	F    dsl.Param[bool]
}

// truth says by its outputs which conditions hold: each adds a letter.
var truths = []struct {
	letter string
	cond   func(TruthIn) dsl.Cond
}{
	{"a", func(in TruthIn) dsl.Cond { return dsl.Eq(in.A, 3) }},
	{"b", func(in TruthIn) dsl.Cond {
		return dsl.And(dsl.LtRef(in.A, in.B), dsl.Not(dsl.GeRef(in.A, in.B)), dsl.NeRef(in.A, in.B))
	}},
	{"c", func(in TruthIn) dsl.Cond {
		return dsl.Or(dsl.Gt(in.A, 100), dsl.And(dsl.Le(in.B, -1), dsl.True(in.F)), dsl.Ge(in.A, 10))
	}},
	{"d", func(in TruthIn) dsl.Cond { return dsl.In(in.S, "x", "it's", "{{y}}", "") }},
	{"e", func(in TruthIn) dsl.Cond { return dsl.And(dsl.LtRef(in.S, in.T), dsl.Ne(in.T, "null")) }},
	{"f", func(in TruthIn) dsl.Cond { return dsl.Or(dsl.GtRef(in.X, in.Y), dsl.Eq(in.X, 1e21)) }},
	{"g", func(in TruthIn) dsl.Cond {
		return dsl.Not(dsl.Or(dsl.True(in.F), dsl.EqRef(in.S, in.T), dsl.Lt(in.Y, 0.5)))
	}},
}

var inputs = dsl.Func("inputs-of-truth", func(_ context.Context, in TruthIn, out *TruthIn) error {
	out.A.Set(in.A.Get())
	out.B.Set(in.B.Get())
	out.S.Set(in.S.Get())
	out.T.Set(in.T.Get())
	out.X.Set(in.X.Get())
	out.Y.Set(in.Y.Get())
	out.F.Set(in.F.Get())
	return nil
})

// Truth evaluates conditions of all kinds on what a step returned.
var Truth = dsl.Pipeline("truth", func(s *dsl.Scope, in TruthIn) Text {
	in = inputs.Call(s, in).Out
	var all []dsl.Param[string]
	for _, c := range truths {
		all = append(all, dsl.OneOf(s, c.cond(in), func(s *dsl.Scope) dsl.Param[string] { return Echo.Call(s, Text{dsl.Const(c.letter)}).Out.Text }).Optional())
	}
	return Text{letters.Call(s, LettersIn{all[0], all[1], all[2], all[3], all[4], all[5], all[6]}, dsl.IgnoreUpstreamFailure()).Out.Text}
})

type LettersIn struct {
	A dsl.Param[string] `kfp:",optional"`
	B dsl.Param[string] `kfp:",optional"`
	C dsl.Param[string] `kfp:",optional"`
	D dsl.Param[string] `kfp:",optional"`
	E dsl.Param[string] `kfp:",optional"`
	F dsl.Param[string] `kfp:",optional"`
	G dsl.Param[string] `kfp:",optional"`
}

var letters = dsl.Func("letters", func(_ context.Context, in LettersIn, out *Text) error {
	text := ""
	for _, p := range []dsl.Param[string]{in.A, in.B, in.C, in.D, in.E, in.F, in.G} {
		text += p.Get()
	}
	out.Text.Set(text)
	return nil
})

type GivenIn struct {
	Text dsl.Param[string] `kfp:",optional"`
	N    dsl.Param[int]    `kfp:",optional"`
}

// Given asks what it was given.
var Given = dsl.Pipeline("given", func(s *dsl.Scope, in GivenIn) Text {
	return Text{dsl.OneOf(s, dsl.And(dsl.Given(in.Text), dsl.Given(in.N)), say("both")).
		Elif(dsl.Given(in.Text), say("text")).Elif(dsl.And(dsl.Given(in.N), dsl.Gt(in.N, 0)), say("positive")).Else(say("neither"))}
})

type artifactIn struct {
	Data dsl.Dataset `kfp:",optional"`
}

var given = dsl.Pipeline("given-inner", func(s *dsl.Scope, in artifactIn) Text {
	return Text{dsl.OneOf(s, dsl.Given(in.Data), func(s *dsl.Scope) dsl.Param[string] { return Read.Call(s, ReadIn(in)).Out.Text }).Else(say("no file"))}
})

type TwoOut struct{ First, Second dsl.Param[string] }

// GivenFile asks whether a nested pipeline was given a file.
var GivenFile = dsl.Pipeline("given-file", func(s *dsl.Scope, _ dsl.None) TwoOut {
	return TwoOut{
		given.Call(s, artifactIn{Write.Call(s, Text{dsl.Const("abc")}).Out.Data}).Out.Text,
		given.Call(s, artifactIn{}).Out.Text,
	}
})

// Nests has an If in an If, with values from outside of both.
var Nests = dsl.Pipeline("nests", func(s *dsl.Scope, in Int) TwoOut {
	n := Add1.Call(s, in).Out.N
	inner := dsl.OneOf(s, dsl.Gt(n, 0), func(s *dsl.Scope) dsl.Param[string] {
		return dsl.OneOf(s, dsl.Gt(n, 5), func(s *dsl.Scope) dsl.Param[string] {
			return Echo.Call(s, Text{dsl.Sprintf("large %v", n)}).Out.Text
		}).Else(say("small"))
	}).Else(say("negative"))
	second := dsl.OneOf(s, dsl.Eq(inner, "small"), say("it was small")).Else(say("it was not"))
	return TwoOut{inner, second}
})

// Perhaps has an output that only a branch makes, and a step that runs without it.
var Perhaps = dsl.Pipeline("perhaps", func(s *dsl.Scope, in Int) TwoOut {
	n := Add1.Call(s, in).Out.N
	text := dsl.OneOf(s, dsl.Gt(n, 5), say("more")).Optional()
	return TwoOut{text, Maybe.Call(s, MaybeIn{text}, dsl.IgnoreUpstreamFailure()).Out.Text}
})

type bothOut struct {
	Text dsl.Param[string]
	Data dsl.Dataset
}

// Both chooses a string and a file together.
var Both = dsl.Pipeline("both", func(s *dsl.Scope, in Int) TwoOut {
	branch := func(text string) func(*dsl.Scope) bothOut {
		return func(s *dsl.Scope) bothOut {
			return bothOut{say(text)(s), Write.Call(s, Text{dsl.Const(text + "\n")}).Out.Data}
		}
	}
	n := Add1.Call(s, in).Out.N
	got := dsl.OneOf(s, dsl.Lt(n, 0), branch("below")).Elif(dsl.Eq(n, 0), branch("zero")).Else(branch("above"))
	return TwoOut{got.Text, Read.Call(s, ReadIn{got.Data}).Out.Text}
})
