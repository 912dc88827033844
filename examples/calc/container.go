package calc

import "github.com/kfpgo/kfpgo/dsl"

const busybox = "busybox:1.36"

// AddContainer is [Add] as a command that is told where to write its result.
var AddContainer = dsl.Container("add-container", func(in AddIn, out AddOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image: busybox,
		Command: []string{"sh", "-ec", `
			mkdir -p "$(dirname "$2")"
			awk -v a="$0" -v b="$1" 'BEGIN { printf "%.17g\n", a + b }' >"$2"`},
		Args: dsl.Args(in.A, in.B, out.Sum.Path()),
	}
})

// DivmodContainer is [MyDivmod] as a command that writes its results to paths
// of its own.
var DivmodContainer = dsl.Container("my-divmod-container", func(in DivmodIn, out DivmodOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image: busybox,
		Command: []string{"sh", "-ec", `
			awk -v a="$0" -v b="$1" 'BEGIN {
				q = int(a / b)
				if (q > a / b) q-- # int rounds towards zero
				printf "%.17g\n", q >"/tmp/quotient"
				printf "%.17g\n", a - q * b >"/tmp/remainder"
			}'`},
		Args: dsl.Args(in.Dividend, in.Divisor),
		Outputs: []dsl.OutputFile{
			dsl.OutputAt(out.Quotient, "/tmp/quotient"),
			dsl.OutputAt(out.Remainder, "/tmp/remainder"),
		},
	}
})

// ContainerPipeline is [Pipeline] with steps in containers.
var ContainerPipeline = dsl.Pipeline("calc-container", func(s *dsl.Scope, in CalcIn) CalcOut {
	sum := AddContainer.Call(s, AddIn{A: in.A, B: dsl.Const(4.0)})
	div := DivmodContainer.Call(s, DivmodIn{Dividend: sum.Out.Sum, Divisor: in.B})
	result := AddContainer.Call(s, AddIn{A: div.Out.Quotient, B: in.C})
	return CalcOut{
		Quotient:  div.Out.Quotient,
		Remainder: div.Out.Remainder,
		Result:    result.Out.Sum,
	}
})
