package kfpread

import (
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// FuzzCondition reads any condition. One that is taken apart prints as the same text.
func FuzzCondition(f *testing.F) {
	for _, text := range []string{
		"inputs.parameter_values['pipelinechannel--a'] == 'x'", "!(inputs.parameter_values['n'] > 3 && inputs.parameter_values['n'] <= 9.5) || inputs.parameter_values['a'] in ['x', 'y']",
		"double(inputs.parameter_values['n']) >= double(1)", "has(inputs.parameter_values.n)", "((((((((((true))))))))))", "inputs.parameter_values['a'] == \"\\u0000\\\"\"",
	} {
		f.Add(text)
	}
	sub := &program.Component{Inputs: []program.Port{
		{Name: "pipelinechannel--a", Type: graph.Type{Name: "STRING"}}, {Name: "a", Type: graph.Type{Name: "STRING"}, Optional: true}, {Name: "n", Type: graph.Type{Name: "NUMBER_INTEGER"}},
	}}
	f.Fuzz(func(t *testing.T, text string) {
		if e := condition(text, sub); e != nil && e.CEL() != uncast(text) {
			t.Errorf("%q became %q", text, e.CEL())
		}
	})
}
