package pairs

import "github.com/kfpgo/kfpgo/dsl"

type textsIn struct {
	S dsl.Param[string]
	N dsl.Param[int] `default:"2"`
}

var _ = pair(texts,
	"f-strings", "constants", "str")

var texts = dsl.Pipeline("texts", func(s *dsl.Scope, in textsIn) dsl.None {
	a := makeText.Call(s, textIn{Text: dsl.Sprintf("%s and %v", in.S, in.N)})
	say.Call(s, textIn{Text: dsl.Sprintf("got %s: %s", a.Out.Out, in.S)})
	dsl.If(s, dsl.Eq(in.N, 2), func(s *dsl.Scope) {
		say.Call(s, textIn{Text: dsl.Sprintf("in %s %s %v", a.Out.Out, in.S, in.N)})
	})
	say.Call(s, textIn{Text: dsl.Const("quote ' \" {brace} # line\nnext ü 日本 \\ $(x)")})
	say.Call(s, textIn{Text: dsl.Const("")})
	makeFlt.Call(s, floatIn{X: dsl.Const(-0.5)})
	return dsl.None{}
})
