package calc

import (
	_ "embed"

	"github.com/kfpgo/kfpgo/dsl"
)

//go:embed calc.py
var source string

// AddPython is [Add] as a Python function.
var AddPython = dsl.Python[AddIn, AddOut]("add-python", dsl.PythonSource{
	Source: source, Function: "add", Image: "python:3.12",
})

// DivmodPython is [MyDivmod] as a Python function with two results.
var DivmodPython = dsl.Python[DivmodIn, DivmodOut]("my-divmod-python", dsl.PythonSource{
	Source: source, Function: "my_divmod", Image: "python:3.12", Packages: []string{"numpy==2.2.0"},
})

// PythonPipeline is [Pipeline] with Python steps.
var PythonPipeline = dsl.Pipeline("calc-python", func(s *dsl.Scope, in CalcIn) CalcOut {
	sum := AddPython.Call(s, AddIn{A: in.A, B: dsl.Const(4.0)})
	div := DivmodPython.Call(s, DivmodIn{Dividend: sum.Out.Sum, Divisor: in.B})
	result := AddPython.Call(s, AddIn{A: div.Out.Quotient, B: in.C})
	return CalcOut{
		Quotient:  div.Out.Quotient,
		Remainder: div.Out.Remainder,
		Result:    result.Out.Sum,
	}
})
