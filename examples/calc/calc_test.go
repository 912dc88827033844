package calc_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/calc"
)

func TestDefinitions(t *testing.T) {
	for _, p := range []dsl.Definition{calc.Pipeline, calc.PythonPipeline, calc.ContainerPipeline} {
		if err := p.Check(); err != nil {
			t.Error(err)
		}
	}
}

// TestSteps runs the Go steps as the functions that they are.
func TestSteps(t *testing.T) {
	sum, err := calc.Add.Run(t.Context(), calc.AddIn{A: dsl.Const(2.5), B: dsl.Const(4.0)})
	if err != nil || sum.Sum.Get() != 6.5 {
		t.Errorf("got %v, %v", sum.Sum, err)
	}
	for _, test := range []struct{ dividend, divisor, quotient, remainder float64 }{
		{16, 7, 2, 2}, {-16, 7, -3, 5}, {7.5, 2, 3, 1.5}, {0, 3, 0, 0},
	} {
		out, err := calc.MyDivmod.Run(t.Context(), calc.DivmodIn{Dividend: dsl.Const(test.dividend), Divisor: dsl.Const(test.divisor)})
		if err != nil || out.Quotient.Get() != test.quotient || out.Remainder.Get() != test.remainder {
			t.Errorf("%v: got %v, %v, %v", test, out.Quotient, out.Remainder, err)
		}
	}
	if _, err := calc.MyDivmod.Run(t.Context(), calc.DivmodIn{Dividend: dsl.Const(1.0), Divisor: dsl.Const(0.0)}); err == nil {
		t.Error("divided by zero")
	}
}

type wrongIn struct {
	A dsl.Param[float64] `default:"a"`
}

// TestWrongDefault has a default that is not a number. It is refused where the
// pipeline is declared.
func TestWrongDefault(t *testing.T) {
	_, _, line, _ := runtime.Caller(0)
	p := dsl.Pipeline("calc", func(s *dsl.Scope, in wrongIn) dsl.None { // the next line
		calc.Add.Call(s, calc.AddIn{A: in.A, B: dsl.Const(4.0)})
		return dsl.None{}
	})
	var e *dsl.Error
	if err := p.Check(); !errors.As(err, &e) {
		t.Fatalf("got %v", err)
	}
	want := `component calc: field A of calc_test.wrongIn: default "a": not a valid float64`
	if e.File != "calc_test.go" || e.Line != line+1 || e.Msg != want {
		t.Errorf("got %v, want line %d: %s", e, line+1, want)
	}
}
