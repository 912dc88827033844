package pairs

import "github.com/kfpgo/kfpgo/dsl"

type exitIn struct {
	Text dsl.Param[string]
	N    dsl.Param[int] `default:"1"`
}

var _ = pair(exit,
	"dsl.ExitHandler", "dsl.PipelineTaskFinalStatus")

var exit = dsl.Pipeline("exit", func(s *dsl.Scope, in exitIn) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		report.Call(s, reportIn{Status: status, Note: in.Text})
	})
	a := makeText.Call(s, textIn{Text: in.Text})
	dsl.If(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) { say.Call(s, textIn{Text: a.Out.Out}) })
	return dsl.None{}
})
