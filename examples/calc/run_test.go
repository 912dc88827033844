package calc_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/calc"
	"github.com/kfpgo/kfpgo/local"
)

// TestGo runs the pipeline with steps in Go.
func TestGo(t *testing.T) { check(t, calc.Pipeline) }

// check runs a pipeline with a = 12, which gives 2, 2 and 19.
func check(t *testing.T, p *dsl.Component[calc.CalcIn, calc.CalcOut]) {
	t.Helper()
	r, err := local.Run(t.Context(), p, calc.CalcIn{A: dsl.Const(12.0)}, local.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range map[string][2]float64{
		"quotient":  {r.Out.Quotient.Get(), 2},
		"remainder": {r.Out.Remainder.Get(), 2},
		"result":    {r.Out.Result.Get(), 19},
	} {
		if got, want := n[0], n[1]; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}
