package dsl

import (
	"reflect"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/source"
)

// If adds tasks that run only when the condition holds. Its KFP counterparts
// are dsl.If, and dsl.Condition in v1.
//
//	dsl.If(s, dsl.GeRef(eval.Out.Accuracy, in.Threshold), func(s *dsl.Scope) {
//		Serve.Call(s, ServeIn{Model: train.Out.Model})
//	}).Else(func(s *dsl.Scope) {
//		Report.Call(s, ReportIn{Accuracy: eval.Out.Accuracy})
//	})
func If(s *Scope, c Cond, then func(*Scope)) *Branches {
	return &Branches{branch(s, c, then)}
}

// Branches is an If that Elif and Else may follow.
type Branches struct{ s *Scope }

// Elif adds tasks that run when no earlier condition holds and this one does.
func (b *Branches) Elif(c Cond, then func(*Scope)) *Branches {
	b.s.nest(graph.Elif, then, b.s.cond(c))
	return b
}

// Else adds tasks that run when no condition holds.
func (b *Branches) Else(then func(*Scope)) { b.s.nest(graph.Else, then, nil) }

// OneOf is [If] for a value. Every branch returns one, a [Param], an [Artifact]
// or a struct of them, and Else returns whichever the run produced. KFP's
// dsl.OneOf joins branches that were written before.
//
//	model := dsl.OneOf(s, dsl.True(in.Large), func(s *dsl.Scope) dsl.Model {
//		return TrainLarge.Call(s, args).Out.Model
//	}).Else(func(s *dsl.Scope) dsl.Model {
//		return TrainSmall.Call(s, args).Out.Model
//	})
func OneOf[T any](s *Scope, c Cond, then func(*Scope) T) *Choice[T] {
	ch := &Choice[T]{}
	ch.s = branch(s, c, ch.arm(then))
	if len(leaves(new(T))) == 0 {
		ch.s.errorf(ch.s.g.Pos, "OneOf of %v; it takes a dsl.Param, a dsl.Artifact or a struct of them", reflect.TypeFor[T]())
	}
	outer := ch.s.parent
	outer.open = append(outer.open, ch.s.g)
	return ch
}

// A Choice is a OneOf that needs an Else, a Default or an Optional.
type Choice[T any] struct {
	s    *Scope
	arms []T
}

// Elif adds a branch for when no earlier condition holds and this one does.
func (ch *Choice[T]) Elif(c Cond, then func(*Scope) T) *Choice[T] {
	ch.s.nest(graph.Elif, ch.arm(then), ch.s.cond(c))
	return ch
}

// Else adds the last branch and returns the value.
func (ch *Choice[T]) Else(then func(*Scope) T) T {
	ch.s.nest(graph.Else, ch.arm(then), nil)
	return ch.merged()
}

// Optional ends a OneOf of one branch: the value is there only if the branch ran,
// as what a task in KFP's dsl.If makes and something outside of it reads. As an
// output of a pipeline it is then missing. A task that reads it is skipped too,
// unless it has [IgnoreUpstreamFailure]: then it takes the default of its input, or
// gets none if that is optional, and fails otherwise.
//
//	model := dsl.OneOf(s, dsl.True(in.Retrain), func(s *dsl.Scope) dsl.Model {
//		return Train.Call(s, args).Out.Model
//	}).Optional()
func (ch *Choice[T]) Optional() T {
	if len(ch.arms) > 1 {
		ch.s.errorf(ch.s.g.Pos, "OneOf: Optional after an Elif; it ends a OneOf of one branch, so use Else")
	}
	return ch.merged()
}

// Default ends a OneOf: the value is this one where no branch runs. It may be a
// constant, or anything that a task could read here. What a branch returns is made
// by a task on all targets, so this one is too: a step of the program itself, which
// needs an image as those of Go components do. KFP's Python wants an Else.
//
//	epochs := dsl.OneOf(s, dsl.Gt(rows.Out.N, 1_000_000), func(s *dsl.Scope) dsl.Param[int] {
//		return Tune.Call(s, TuneIn{Data: in.Data}).Out.Epochs
//	}).Default(dsl.Const(5))
func (ch *Choice[T]) Default(value T) T {
	pos := source.Caller()
	return ch.Else(func(s *Scope) T { return pass(s, value, pos) })
}

// merged returns the value of the branch that ran.
func (ch *Choice[T]) merged() T {
	outer := ch.s.parent
	outer.open = slices.DeleteFunc(outer.open, func(g *record.Scope) bool { return g == ch.s.g })
	var merged T
	for i, f := range leaves(&merged) {
		v := &record.Value{Kind: graph.OneOf, Owner: ch.s.g.Owner, Scope: ch.s.g.Parent}
		for _, arm := range ch.arms {
			v.Of = append(v.Of, orInvalid(leaves(&arm)[i].value(), "a value of a branch"))
		}
		f.bind(v)
	}
	return merged
}

func (ch *Choice[T]) arm(then func(*Scope) T) func(*Scope) {
	if then == nil {
		return nil
	}
	return func(s *Scope) {
		out := then(s)
		for _, f := range leaves(&out) {
			v := f.value()
			if s.result(v, s.g.Pos, "a value of the "+string(s.g.Kind)) && v.Scope != nil && !v.Scope.Within(s.g) {
				s.errorf(s.g.Pos, "the %s returns %s, which is made outside of it; make it in the branch", s.g.Kind, v.Describe())
			}
		}
		ch.arms = append(ch.arms, out)
	}
}

// branch records the group of an If and its first arm.
func branch(s *Scope, c Cond, then func(*Scope)) *Scope {
	var group *Scope
	s.nest(graph.Branches, func(g *Scope) {
		group = g
		g.nest(graph.If, then, g.cond(c))
	}, nil)
	group.closed = false // Elif and Else add to it
	return group
}
