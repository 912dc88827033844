package pairs

import "github.com/kfpgo/kfpgo/dsl"

type exitIn struct {
	Text dsl.Param[string]
	N    dsl.Param[int] `default:"1"`
}

var _ = pair(exit,
	"dsl.ExitHandler", "dsl.PipelineTaskFinalStatus").
	Except(13, "/tasks/report/cachingOptions/enableCache")

var exit = dsl.Pipeline("exit", func(s *dsl.Scope, in exitIn) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		report.Call(s, reportIn{Status: status, Note: in.Text})
	})
	a := makeText.Call(s, textIn{Text: in.Text})
	dsl.If(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) { say.Call(s, textIn{Text: a.Out.Out}) })
	return dsl.None{}
})

var _ = pair(exitCached, "dsl.ExitHandler", "set_caching_options")

// exitCached has exit tasks that say themselves that they are cached, as all are in
// Python, and one that isn't.
var exitCached = dsl.Pipeline("exit-cached", func(s *dsl.Scope, in exitIn) dsl.None {
	cleanUp := dsl.Pipeline("clean-up", func(s *dsl.Scope, in textIn) dsl.None {
		say.Call(s, in)
		say.Call(s, in, dsl.NoCache())
		return dsl.None{}
	})
	guard := func(handler func(*dsl.Scope)) {
		dsl.Group(s, func(s *dsl.Scope) {
			dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) { handler(s) })
			say.Call(s, textIn{in.Text})
		})
	}
	guard(func(s *dsl.Scope) { say.Call(s, textIn{in.Text}, dsl.Cache()) })
	guard(func(s *dsl.Scope) { say.Call(s, textIn{in.Text}, dsl.CacheKey("once")) })
	guard(func(s *dsl.Scope) { say.Call(s, textIn{in.Text}) })
	guard(func(s *dsl.Scope) { cleanUp.Call(s, textIn{in.Text}, dsl.Cache()) })
	return dsl.None{}
})
