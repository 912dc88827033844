// Package calc is a small calculation, three times over: with steps in Go, in
// Python and in containers. The pipelines differ only in what they call.
package calc

import (
	"context"
	"errors"
	"math"

	"github.com/kfpgo/kfpgo/dsl"
)

type AddIn struct {
	A, B dsl.Param[float64]
}

type AddOut struct {
	Sum dsl.Param[float64]
}

// Add adds two numbers.
var Add = dsl.Func("add", func(_ context.Context, in AddIn, out *AddOut) error {
	out.Sum.Set(in.A.Get() + in.B.Get())
	return nil
})

type DivmodIn struct {
	Dividend dsl.Param[float64]
	Divisor  dsl.Param[float64] `doc:"must not be zero"`
}

type DivmodOut struct {
	Quotient, Remainder dsl.Param[float64]
}

// MyDivmod divides with a remainder.
var MyDivmod = dsl.Func("my-divmod", func(_ context.Context, in DivmodIn, out *DivmodOut) error {
	dividend, divisor := in.Dividend.Get(), in.Divisor.Get()
	if divisor == 0 {
		return errors.New("division by zero")
	}
	quotient := math.Floor(dividend / divisor)
	out.Quotient.Set(quotient)
	out.Remainder.Set(dividend - quotient*divisor)
	return nil
})

type CalcIn struct {
	A dsl.Param[float64]
	B dsl.Param[float64] `default:"7"`
	C dsl.Param[float64] `default:"17"`
}

type CalcOut struct {
	Quotient, Remainder, Result dsl.Param[float64]
}

// Pipeline divides a+4 by b, and adds c to the quotient: 12 gives 2, 2 and 19.
var Pipeline = dsl.Pipeline("calc", func(s *dsl.Scope, in CalcIn) CalcOut {
	sum := Add.Call(s, AddIn{A: in.A, B: dsl.Const(4.0)})
	div := MyDivmod.Call(s, DivmodIn{Dividend: sum.Out.Sum, Divisor: in.B})
	result := Add.Call(s, AddIn{A: div.Out.Quotient, B: in.C})
	return CalcOut{
		Quotient:  div.Out.Quotient,
		Remainder: div.Out.Remainder,
		Result:    result.Out.Sum,
	}
})
