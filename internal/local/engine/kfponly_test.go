package engine

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// TestOnlyKFP: what only KFP can evaluate is refused by name, never skipped or
// taken for true.
func TestOnlyKFP(t *testing.T) {
	p := &program.Program{Name: "p", Main: "p", Components: []*program.Component{
		{Name: "p", DAG: &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{
			{Name: "a", Component: "echo", WhenText: "size(inputs.parameter_values['x']) > 2"},
			{Name: "b", Component: "echo", Args: map[string]program.Value{"x": {Kind: program.Input, Name: "x", Selector: "string_value.size()"}}},
		}}},
		{Name: "echo", Exec: &program.Executor{Container: &program.Container{Image: "x:1"}}},
	}}
	err := gate(p, Options{}, sound(p))
	for _, want := range []string{
		"task a: target local has no condition of an IR file, beyond comparisons",
		"task b: target local has no parameterExpressionSelector of an IR file",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}
