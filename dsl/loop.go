package dsl

import (
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/source"
)

// ParallelFor adds tasks that run once per item, in parallel. The result's Each
// is what the function returned; read it with [Collected]. Its KFP counterpart
// is dsl.ParallelFor.
//
//	sweep := dsl.ParallelFor(s, in.Rates, func(s *dsl.Scope, rate dsl.Param[float64]) TrainOut {
//		return Train.Call(s, TrainIn{Data: data, Rate: rate}).Out
//	}, dsl.Parallelism(4))
//	accuracies := dsl.Collected(sweep.Each.Accuracy)
func ParallelFor[T, R any](s *Scope, items Param[[]T], body func(*Scope, Param[T]) R, opts ...LoopOption) Loop[R] {
	if items.src != nil && items.src.Kind == graph.Const && len(items.Get()) == 0 {
		items.src = record.Invalidf("ParallelFor over a constant list with no items")
	}
	return loop(s, items.src, body == nil, func(s *Scope, item *record.Value) R {
		var p Param[T]
		p.bind(item)
		return body(s, p)
	}, opts)
}

// ForEach is [ParallelFor] for tasks whose outputs nothing outside of the loop reads.
// The result stands for all of the loop in [After].
//
//	dsl.ForEach(s, in.Days, func(s *dsl.Scope, day dsl.Param[string]) {
//		Check.Call(s, CheckIn{Day: day})
//	})
func ForEach[T any](s *Scope, items Param[[]T], body func(*Scope, Param[T]), opts ...LoopOption) Handle {
	return ParallelFor(s, items, unread(body), opts...)
}

// ForEachArtifact is [ForEach] over a list of artifacts.
func ForEachArtifact[A interface{ artifact() }](s *Scope, items List[A], body func(*Scope, A), opts ...LoopOption) Handle {
	return ParallelForArtifacts(s, items, unread(body), opts...)
}

// unread returns the body of a loop that returns nothing as one that returns None.
func unread[P any](body func(*Scope, P)) func(*Scope, P) None {
	if body == nil {
		return nil
	}
	return func(s *Scope, item P) None {
		body(s, item)
		return None{}
	}
}

// ParallelForArtifacts is [ParallelFor] over a list of artifacts.
func ParallelForArtifacts[A interface{ artifact() }, R any](s *Scope, items List[A], body func(*Scope, A) R, opts ...LoopOption) Loop[R] {
	return loop(s, items.src, body == nil, func(s *Scope, item *record.Value) R {
		var a A
		any(&a).(field).bind(item)
		return body(s, a)
	}, opts)
}

func loop[R any](s *Scope, items *record.Value, noBody bool, body func(*Scope, *record.Value) R, opts []LoopOption) Loop[R] {
	var l Loop[R]
	fill := func(n *Scope) {
		l.Each = body(n, &record.Value{Kind: graph.Item, Owner: n.g.Owner, Scope: n.g})
	}
	if noBody {
		fill = nil
	}
	l.g = s.nest(graph.For, fill, func(g *record.Scope) {
		g.Items = orInvalid(items, "the list of ParallelFor")
		s.readable(g.Items, g.Pos)
		for _, o := range opts {
			if o != nil {
				o(s, g)
			}
		}
	}).g
	return l
}

// A Loop is the outputs of a ParallelFor. It stands for all of the loop in [After].
type Loop[R any] struct {
	Each R // of one iteration
	g    *record.Scope
}

func (l Loop[R]) handle() (*record.Task, *record.Scope) { return nil, l.g }

// A LoopOption changes how a loop runs.
type LoopOption func(*Scope, *record.Scope)

// Parallelism limits how many iterations run at once.
func Parallelism(n int) LoopOption {
	at := source.Caller()
	return func(s *Scope, g *record.Scope) {
		if g.Limit = n; n < 1 {
			s.errorf(at, "Parallelism(%d): must be at least 1", n)
		}
	}
}

// Collected returns the values of a parameter over all iterations of a loop. An
// iteration that made none, because the task is in an [If], adds none. Of the item of a
// loop it is the list that the loop goes over. Its KFP counterpart is dsl.Collected.
//
// Of a loop in a loop, Collected(Collected(each)) has a list for each iteration of the outer
// one, and CollectedLists(CollectedArtifacts(each)) all artifacts as one list.
func Collected[T any](each Param[T]) Param[[]T] {
	var all Param[[]T]
	all.bind(collected(each.src))
	if all.src.Kind == graph.Const { // the list of a loop
		if err := all.load(all.src.Const); err != nil {
			all.src = record.Invalidf("Collected: %v", err)
		}
	}
	return all
}

// CollectedArtifacts is [Collected] for an artifact.
func CollectedArtifacts[A interface {
	artifact()
	Input
}](each A) List[A] {
	var all List[A]
	all.bind(collected(each.ref()))
	return all
}

// CollectedLists is [Collected] for a list of artifacts, such as those collected
// in a loop inside this one. The result is one list, of all their artifacts.
func CollectedLists[A interface{ artifact() }](each List[A]) List[A] {
	var all List[A]
	all.bind(collected(each.src))
	return all
}

func collected(v *record.Value) *record.Value {
	if v == nil {
		return record.Invalidf("Collected of an output that is not set")
	}
	var loop *record.Scope
	for loop = v.Scope; loop != nil && loop.Kind != graph.For; loop = loop.Parent {
	}
	switch {
	case v.Kind == record.Invalid:
		return record.Invalidf("%s", v.Problem)
	case v.Kind == graph.Item:
		return v.Scope.Items
	case loop == nil:
		return record.Invalidf("Collected of %s, which is not in a loop", v.Describe())
	case guarded(v.Scope, loop):
		return record.Invalidf("Collected of %s, which is in a group that an exit handler guards", v.Describe())
	case v.Kind != graph.Output && v.Kind != graph.OneOf && v.Kind != graph.Collected:
		return record.Invalidf("Collected of %s, which is not the output of a task", v.Describe())
	}
	return &record.Value{Kind: graph.Collected, Owner: v.Owner, Of: []*record.Value{v}, Scope: loop.Parent}
}

// guarded reports whether a scope, in another one, is in a group with an exit handler.
func guarded(s, in *record.Scope) bool {
	for ; s != nil && s != in; s = s.Parent {
		if s.Kind == graph.Exit || len(s.Nodes) > 0 && isScope(s.Nodes[0], graph.Exit) {
			return true
		}
	}
	return false
}
