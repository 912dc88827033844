package dsl

import (
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/source"
)

// Label sets the name that UIs show for the group of a scope: the body of an If,
// Elif, Else or ParallelFor, or what an OnExit guards. KFP's dsl.If, ParallelFor
// and ExitHandler have the argument name for it. For a task see [Named].
//
//	dsl.ParallelFor(s, in.Rates, func(s *dsl.Scope, rate dsl.Param[float64]) dsl.None {
//		dsl.Label(s, "all rates")
//		Train.Call(s, TrainIn{Rate: rate})
//		return dsl.None{}
//	})
func Label(s *Scope, name string) {
	if s == nil {
		return
	}
	if err := checkName(name); err != nil {
		s.errorf(source.Caller(), "a label %v", err)
	}
	s.g.Title = name
}

// checkLabel reports a label of a scope that isn't a group in the compiled YAML.
func (s *Scope) checkLabel() {
	if s.g.Title == "" || s.g.Kind != graph.Body && s.g.Kind != graph.Group {
		return
	}
	if len(s.g.Nodes) > 0 {
		if first, ok := s.g.Nodes[0].(*record.Scope); ok && first.Kind == graph.Exit {
			return
		}
	}
	s.errorf(s.g.Pos, "the label %q of a %s without an OnExit, which isn't a group in the compiled YAML; for the name of a pipeline see dsl.Config", s.g.Title, s.g.Kind)
}
