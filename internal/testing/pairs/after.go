package pairs

import "github.com/kfpgo/kfpgo/dsl"

var _ = pair(after,
	"after")

var after = dsl.Pipeline("after", func(s *dsl.Scope, in intIn) dsl.None {
	a := say.Call(s, textIn{Text: dsl.Const("a")})
	b := say.Call(s, textIn{Text: dsl.Const("b")}, dsl.After(a))
	dsl.If(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) {
		c := say.Call(s, textIn{Text: dsl.Const("c")}, dsl.After(a))
		say.Call(s, textIn{Text: dsl.Const("d")}, dsl.After(c, b))
	})
	dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, i dsl.Param[int]) dsl.None {
		makeInt.Call(s, intIn{N: i}, dsl.After(b))
		return dsl.None{}
	})
	return dsl.None{}
})
