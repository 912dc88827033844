package suite

import (
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

func say(text string) func(*dsl.Scope) dsl.Param[string] {
	return func(s *dsl.Scope) dsl.Param[string] { return Echo.Call(s, Text{dsl.Const(text)}).Out.Text }
}

// Branch takes the branch that its number chooses.
var Branch = dsl.Pipeline("branch", func(s *dsl.Scope, in Int) Text {
	n := Add1.Call(s, in).Out.N
	got := dsl.OneOf(s, dsl.Lt(n, 0), say("negative")).Elif(dsl.Eq(n, 1), say("one")).Elif(dsl.In(n, 5, 7), say("five or seven")).Else(say("other"))
	return Text{Echo.Call(s, Text{got}).Out.Text}
})

// Quoting compares strings.
var Quoting = dsl.Pipeline("quoting", func(s *dsl.Scope, _ dsl.None) Text {
	text := Echo.Call(s, Text{dsl.Const(awkward)}).Out.Text
	return Text{dsl.OneOf(s, dsl.And(dsl.Eq(text, awkward), dsl.Not(dsl.Eq(text, "it's"))), say("equal")).Else(say("different"))}
})

// Skipped has a branch that doesn't run, and what depends on it.
var Skipped = dsl.Pipeline("skipped", func(s *dsl.Scope, _ dsl.None) Text {
	n := Add1.Call(s, Int{dsl.Const(1)}).Out.N
	dsl.If(s, dsl.Gt(n, 5), func(s *dsl.Scope) { Fail.Call(s, Text{dsl.Const("")}) })
	return Echo.Call(s, Text{dsl.Const("went on")}).Out
})

// Loops goes through constants, through outputs, through nothing, and nested.
var Loops = dsl.Pipeline("loops", func(s *dsl.Scope, _ dsl.None) LoopsOut {
	parts := Split.Call(s, Text{dsl.Const("a b,c\"d,{{x}}")}).Out.Texts
	none := Split.Call(s, Text{dsl.Const("")}).Out.Texts
	each := func(s *dsl.Scope, text dsl.Param[string]) Text {
		return Echo.Call(s, Text{dsl.Sprintf("<%v>", text)}).Out
	}
	outer := dsl.ParallelFor(s, dsl.Const([]int{10, 20}), func(s *dsl.Scope, n dsl.Param[int]) Text {
		inner := dsl.ParallelFor(s, parts, func(s *dsl.Scope, text dsl.Param[string]) Text {
			return Echo.Call(s, Text{dsl.Sprintf("%v%v", n, text)}).Out
		}, dsl.Parallelism(2))
		return Join.Call(s, JoinIn{dsl.Collected(inner.Each.Text)}).Out
	})
	return LoopsOut{
		Each:  Join.Call(s, JoinIn{dsl.Collected(dsl.ParallelFor(s, parts, each).Each.Text)}).Out.Text,
		Empty: dsl.Collected(dsl.ParallelFor(s, none, each).Each.Text),
		Outer: dsl.Collected(outer.Each.Text),
	}
})

type LoopsOut struct {
	Each         dsl.Param[string]
	Empty, Outer dsl.Param[[]string]
}

type Pair struct {
	Name dsl.Param[string] `json:"name"`
	N    dsl.Param[int]    `json:"n"`
}

// Sweep goes through structs, with a condition for each.
var Sweep = dsl.Pipeline("sweep", func(s *dsl.Scope, _ dsl.None) Text {
	items := dsl.Const([]Pair{{dsl.Const("x"), dsl.Const(1)}, {dsl.Const("y"), dsl.Const(2)}, {dsl.Const("z"), dsl.Const(3)}})
	loop := dsl.ParallelFor(s, items, func(s *dsl.Scope, item dsl.Param[Pair]) Text {
		p := dsl.Fields(item)
		n := Add1.Call(s, Int{p.N}).Out.N
		return Text{dsl.OneOf(s, dsl.Gt(n, 2), func(s *dsl.Scope) dsl.Param[string] {
			return Echo.Call(s, Text{dsl.Sprintf("%v large", p.Name)}).Out.Text
		}).Else(func(s *dsl.Scope) dsl.Param[string] {
			return Echo.Call(s, Text{dsl.Sprintf("%v small", p.Name)}).Out.Text
		})}
	})
	return Join.Call(s, JoinIn{dsl.Collected(loop.Each.Text)}).Out
})

// Succeeds ends well, as its exit handler sees.
var Succeeds = dsl.Pipeline("succeeds", func(s *dsl.Scope, _ dsl.None) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		Report.Call(s, StatusIn{Status: status, Name: dsl.Const("SUCCEEDED")})
	})
	Echo.Call(s, Text{dsl.Const("x")})
	return dsl.None{}
})

// Fails fails, as its exit handler sees.
var Fails = dsl.Pipeline("fails", func(s *dsl.Scope, _ dsl.None) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		Report.Call(s, StatusIn{Status: status, Name: dsl.Const("FAILED")})
	})
	first := Fail.Call(s, Text{dsl.Const("x")})
	Echo.Call(s, first.Out)
	return dsl.None{}
})

// Ignores continues after a failure, in a step that ignores failures of upstream tasks.
var Ignores = dsl.Pipeline("ignores", func(s *dsl.Scope, _ dsl.None) Text {
	bad := Fail.Call(s, Text{dsl.Const("x")})
	return Echo.Call(s, Text{dsl.Const("still here")}, dsl.After(bad), dsl.IgnoreUpstreamFailure()).Out
})

// TooLong is ended by its timeout.
var TooLong = dsl.Pipeline("too-long", func(s *dsl.Scope, _ dsl.None) dsl.None {
	Sleep.Call(s, dsl.None{}, dsl.Timeout(3*time.Second))
	return dsl.None{}
})
