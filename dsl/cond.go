package dsl

import (
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// A Scalar is a parameter type that conditions can compare.
type Scalar interface {
	~string | ~bool | ~int | ~int32 | ~int64 | ~float32 | ~float64
}

// An Ordered is a Scalar with an order.
type Ordered interface {
	~string | ~int | ~int32 | ~int64 | ~float32 | ~float64
}

// A Cond is a condition on values that are known at run time.
type Cond struct{ c *record.Cond }

// Eq is the condition that a reference equals a value that is known now; [EqRef] compares
// two references.
//
//	dsl.Eq(in.Env, "production")
func Eq[T Scalar](a Param[T], b T) Cond { return compare("==", a, Const(b)) }

// Ne is the condition a != b.
func Ne[T Scalar](a Param[T], b T) Cond { return compare("!=", a, Const(b)) }

// Lt is the condition a < b. Numbers go by size, and strings by their bytes, as in Go.
func Lt[T Ordered](a Param[T], b T) Cond { return compare("<", a, Const(b)) }

// Le is the condition a <= b.
func Le[T Ordered](a Param[T], b T) Cond { return compare("<=", a, Const(b)) }

// Gt is the condition a > b.
func Gt[T Ordered](a Param[T], b T) Cond { return compare(">", a, Const(b)) }

// Ge is the condition a >= b.
//
//	dsl.Ge(eval.Out.Accuracy, 0.97)
func Ge[T Ordered](a Param[T], b T) Cond { return compare(">=", a, Const(b)) }

// EqRef is [Eq] of two references.
func EqRef[T Scalar](a, b Param[T]) Cond { return compare("==", a, b) }

// NeRef is [Ne] of two references.
func NeRef[T Scalar](a, b Param[T]) Cond { return compare("!=", a, b) }

// LtRef is [Lt] of two references.
func LtRef[T Ordered](a, b Param[T]) Cond { return compare("<", a, b) }

// LeRef is [Le] of two references.
func LeRef[T Ordered](a, b Param[T]) Cond { return compare("<=", a, b) }

// GtRef is [Gt] of two references.
func GtRef[T Ordered](a, b Param[T]) Cond { return compare(">", a, b) }

// GeRef is [Ge] of two references.
//
//	dsl.GeRef(eval.Out.Accuracy, in.Threshold)
func GeRef[T Ordered](a, b Param[T]) Cond { return compare(">=", a, b) }

// In is the condition that a parameter is one of several values.
func In[T Scalar](p Param[T], values ...T) Cond {
	ps := []Param[T]{p}
	for _, v := range values {
		ps = append(ps, Const(v))
	}
	c := compare("in", ps...)
	if len(values) == 0 {
		c.c.Values = append(c.c.Values, record.Invalidf("In of no values, which is never true"))
	}
	return c
}

// True is the condition that a bool parameter is true.
func True(p Param[bool]) Cond { return Eq(p, true) }

// False is the condition that a bool parameter is false.
func False(p Param[bool]) Cond { return Eq(p, false) }

// Given is the condition that an optional input of the pipeline was given.
func Given(in Input) Cond {
	v := orInvalid(in.ref(), "Given: the input")
	if v.Kind != record.Invalid && !(v.Kind == graph.Input && v.Optional) {
		v = record.Invalidf("Given of %s, which always has a value; it takes an input that is tagged kfp:\",optional\"", v.Describe())
	}
	return Cond{&record.Cond{Op: "given", Values: []*record.Value{v}}}
}

// And is the condition that all of several hold.
func And(cs ...Cond) Cond { return join("&&", cs) }

// Or is the condition that at least one of several holds.
func Or(cs ...Cond) Cond { return join("||", cs) }

// Not is the condition that another one doesn't hold.
func Not(c Cond) Cond { return join("!", []Cond{c}) }

func compare[T any](op string, ps ...Param[T]) Cond {
	c := &record.Cond{Op: op}
	for _, p := range ps {
		c.Values = append(c.Values, orInvalid(p.src, "a parameter of the condition "+op))
	}
	return Cond{c}
}

// deepest is how many And, Or and Not may be in each other. KFP's server refuses
// 250 pairs of brackets, and Argo's a few hundred.
const deepest = 100

func join(op string, cs []Cond) Cond {
	c := &record.Cond{Op: op}
	if len(cs) == 0 {
		c.Values = append(c.Values, record.Invalidf("dsl.%s of no conditions", map[string]string{"&&": "And", "||": "Or"}[op]))
	}
	for _, arg := range cs {
		sub := arg.orInvalid()
		c.Conds, c.Depth = append(c.Conds, sub), max(c.Depth, sub.Depth+1)
	}
	if c.Depth > deepest {
		c = &record.Cond{Op: op, Depth: c.Depth, Values: []*record.Value{record.Invalidf(
			"more than %d of dsl.And, dsl.Or and dsl.Not are in each other; give one And or Or all of its conditions, or put an If into an If", deepest)}}
	}
	return Cond{c}
}

func (c Cond) orInvalid() *record.Cond {
	if c.c == nil {
		return &record.Cond{Values: []*record.Value{record.Invalidf("the condition is empty; make it with dsl.Eq, dsl.Given and so on")}}
	}
	return c.c
}

func values(c *record.Cond, yield func(*record.Value)) {
	for _, v := range c.Values {
		yield(v)
	}
	for _, sub := range c.Conds {
		values(sub, yield)
	}
}

// cond returns what sets the condition of a scope inside s.
func (s *Scope) cond(c Cond) func(*record.Scope) {
	return func(g *record.Scope) {
		g.Cond = c.orInvalid()
		constant := true
		values(g.Cond, func(v *record.Value) {
			s.readable(v, g.Pos)
			constant = constant && v.Kind == graph.Const
		})
		if constant {
			s.errorf(g.Pos, "the condition is a constant; use a Go if statement")
		}
	}
}
