package rules

import "github.com/kfpgo/kfpgo/dsl"

func init() { add("branch", BranchFound, BranchFixed) }

// Found:

type ScoreIn struct {
	Score dsl.Param[float64]
	Day   dsl.Param[string]
}

var BranchFound = dsl.Pipeline("branch", func(s *dsl.Scope, in ScoreIn) dsl.None {
	dsl.If(s, dsl.Gt(in.Score, 0.5), func(s *dsl.Scope) {
		Job.Call(s, RunIn{Day: in.Day})
	}).Elif(dsl.Gt(in.Score, 0.9), func(s *dsl.Scope) { // the first one has it already
		Job.Call(s, RunIn{Day: in.Day}, dsl.CPU("8"))
	})
	return dsl.None{}
})

// Fixed:

var BranchFixed = dsl.Pipeline("branch-fixed", func(s *dsl.Scope, in ScoreIn) dsl.None {
	dsl.If(s, dsl.Gt(in.Score, 0.9), func(s *dsl.Scope) {
		Job.Call(s, RunIn{Day: in.Day}, dsl.CPU("8"))
	}).Elif(dsl.Gt(in.Score, 0.5), func(s *dsl.Scope) {
		Job.Call(s, RunIn{Day: in.Day})
	})
	return dsl.None{}
})
