package pairs

import "github.com/kfpgo/kfpgo/dsl"

type deepIn struct {
	Ns     dsl.Param[[]int]
	Groups dsl.Param[[]members]
	Count  dsl.Param[int]
	Text   dsl.Param[string]
}

type members struct {
	Members dsl.Param[[]string] `json:"members"`
}

type sumAllIn struct{ Ns dsl.Param[[][]int] }

var sumAll = tool("sum-all", "/sum", func(in sumAllIn, _ dsl.None) []string { return dsl.Args(in.Ns) })

var _ = pair(deep,
	"dsl.Collected through several loops", "dsl.ParallelFor over a key of an item", "dsl.If", "dsl.OneOf", "nested loops")

// deep nests everything in everything.
var deep = dsl.Pipeline("deep", func(s *dsl.Scope, in deepIn) dsl.None {
	const none = "none"
	got := makeInt.Call(s, intIn{N: in.Count}).Out.Out
	dsl.If(s, dsl.Eq(in.Count, 1), func(s *dsl.Scope) {
		dsl.If(s, dsl.Eq(got, 2), func(s *dsl.Scope) {
			dsl.ParallelFor(s, in.Ns, func(s *dsl.Scope, i dsl.Param[int]) dsl.None {
				makeInt.Call(s, intIn{N: i})
				dsl.If(s, dsl.Eq(i, 3), func(s *dsl.Scope) { say.Call(s, textIn{Text: in.Text}) })
				return dsl.None{}
			})
		})
	})
	all := dsl.ParallelFor(s, in.Ns, func(s *dsl.Scope, _ dsl.Param[int]) struct{ Out dsl.Param[[]int] } {
		inner := dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, j dsl.Param[int]) intOut {
			return makeInt.Call(s, intIn{N: j}).Out
		})
		return struct{ Out dsl.Param[[]int] }{dsl.Collected(inner.Each.Out)}
	})
	sumAll.Call(s, sumAllIn{Ns: dsl.Collected(all.Each.Out)})
	dsl.ParallelFor(s, in.Groups, func(s *dsl.Scope, g dsl.Param[members]) dsl.None {
		dsl.ParallelFor(s, dsl.Fields(g).Members, func(s *dsl.Scope, m dsl.Param[string]) dsl.None {
			say.Call(s, textIn{Text: m})
			return dsl.None{}
		})
		return dsl.None{}
	})
	word := func(text dsl.Param[string]) func(*dsl.Scope) dsl.Param[string] {
		return func(s *dsl.Scope) dsl.Param[string] { return makeText.Call(s, textIn{Text: text}).Out.Out }
	}
	dsl.ParallelFor(s, in.Ns, func(s *dsl.Scope, i dsl.Param[int]) dsl.None {
		say.Call(s, textIn{Text: dsl.OneOf(s, dsl.Eq(i, 1), word(dsl.Const("one"))).Else(word(in.Text))})
		return dsl.None{}
	})
	words := dsl.OneOf(s, dsl.Gt(got, 1), word(dsl.Const("many"))).Elif(dsl.Eq(got, 1), word(dsl.Const("one"))).Else(word(dsl.Const(none)))
	dsl.ParallelFor(s, in.Ns, func(s *dsl.Scope, i dsl.Param[int]) dsl.None {
		dsl.If(s, dsl.Gt(i, 0), func(s *dsl.Scope) { say.Call(s, textIn{Text: words}) })
		return dsl.None{}
	})
	return dsl.None{}
})
