package dsl

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

type planIn struct{ Name Param[string] }

// TestPlan: a step says what it would do with objects, once it says that it has rights;
// what goes wrong is said of the step, and of no other.
func TestPlan(t *testing.T) {
	right := []graph.Right{{Resource: "pods", Verbs: []string{"create"}}}
	step := func(name string, run func(context.Context, planIn, *None) error) *Component[planIn, None] {
		c := Func(name, run)
		c.c.Rights = right
		return c
	}
	made := step("made", func(ctx context.Context, in planIn, _ *None) error {
		p := record.PlanOf(ctx)
		p.Operations = append(p.Operations, contract.Operation{Action: "create", Object: json.RawMessage(`{"name":"` + in.Name.Get() + `"}`)})
		return record.ErrPlanned
	})
	file := t.TempDir() + "/written"
	other := Func("other", func(context.Context, planIn, *None) error { return os.WriteFile(file, nil, 0o644) })
	odd := step("odd", func(_ context.Context, in planIn, _ *None) error { _ = []int{}[len(in.Name.Get())]; return nil })
	p := Pipeline("p", func(s *Scope, _ None) None {
		made.Call(s, planIn{Const("a")})
		other.Call(s, planIn{Const("a")})
		odd.Call(s, planIn{Const("a")})
		return None{}
	})
	named := json.RawMessage(`{"inputs":{"parameterValues":{"name":"x"}}}`)
	in, _ := json.Marshal([]contract.Step{{Component: "made", Input: named}, {Component: "other", Input: named}, {Component: "odd", Input: named},
		{Component: "none", Input: named}, {Component: "made", Input: json.RawMessage(`{}`)}, {Component: "made", Input: named}})
	var out strings.Builder
	if err := planAll(t.Context(), strings.NewReader(string(in)), &out, record.ComponentsOf([]any{p})); err != nil {
		t.Fatal(err)
	}
	var got contract.Plans
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil || !strings.HasPrefix(out.String(), `{"schema":`) {
		t.Fatal(err, out.String())
	}
	for i, want := range []string{"", "component other doesn't report its operations on objects", "index out of range", `no Go component "none"`, "input name was not given", ""} {
		s := got.Steps[i]
		if want == "" && (s.Error != "" || len(s.Operations) != 1 || string(s.Operations[0].Object) != `{"name":"x"}`) || !strings.Contains(s.Error, want) {
			t.Errorf("step %d: got %+v, want %q", i, s, want)
		}
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a step without rights was started")
	}
	if err := planAll(t.Context(), strings.NewReader("{"), &out, nil); err == nil || !strings.HasPrefix(err.Error(), "kfpgo:objects takes a list of steps: ") {
		t.Errorf("got %v", err)
	}
}
