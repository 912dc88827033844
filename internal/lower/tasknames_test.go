package lower_test

import (
	"context"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
)

// TestTaskNames: no task has a name that a Workflow doesn't take where others wait for
// it (argo#4199), which KFP's server finds out only when the pipeline is run.
func TestTaskNames(t *testing.T) {
	type text struct{ Text dsl.Param[string] }
	called := func(name string) *dsl.Component[text, text] {
		return dsl.Func(name, func(context.Context, text, *text) error { return nil })
	}
	d := dsl.Pipeline("9 p", func(s *dsl.Scope, in text) text {
		a := called("9 lives").Call(s, in)
		b := called("and").Call(s, a.Out)
		c := called("t-and").Call(s, b.Out)
		return called("x").Call(s, c.Out, dsl.TaskKey("1")).Out
	})
	g := recorded.Graph(d)
	if len(g.Errors) > 0 {
		t.Fatal(g.Errors)
	}
	p, err := lower.Lower(g, g.Component(1))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"t-9-lives", "t-and", "t-and-2", "task-1"}
	for i, task := range p.Component(p.Main).DAG.Tasks {
		if task.Name != want[i] {
			t.Errorf("task %s, want %s", task.Name, want[i])
		}
	}
}
