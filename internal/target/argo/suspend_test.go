package argo_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	argodsl "github.com/kfpgo/kfpgo/dsl/argo"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type askIn struct{ Score dsl.Param[float64] }

type askOut struct {
	Deploy   dsl.Param[string] `enum:"YES,NO" default:"NO" doc:"deploy?"`
	Replicas dsl.Param[int]    `doc:"how many"`
	Comment  dsl.Param[string] `kfp:",optional"`
	Force    dsl.Param[bool]   `default:"false"`
}

type reply struct{ Text dsl.Param[string] }

// TestSuspend: what a person supplies is a string, and becomes a value of the output's type.
func TestSuspend(t *testing.T) {
	ask := argodsl.Suspend[askIn, askOut]("ask", argodsl.SuspendSpec{})
	tell := dsl.Func("tell", func(_ context.Context, _ reply, _ *reply) error { return nil })
	p := dsl.Pipeline("asks", func(s *dsl.Scope, in askIn) reply {
		a := ask.Call(s, in).Out
		return tell.Call(s, reply{dsl.Sprintf("%s %s [%s] %s", a.Deploy, a.Replicas, a.Comment, a.Force)}).Out
	})
	w, _, err := argo.Workflow(lowered.Program(t, p), options)
	if err != nil {
		t.Fatal(err)
	}
	for _, template := range w.Spec.Templates {
		if template.Suspend == nil {
			continue
		}
		j, _ := json.Marshal(template)
		const want = `{"name":"ask","inputs":{"parameters":[{"name":"score"},{"name":"deploy","default":"NO","enum":["YES","NO"],"description":"deploy?"},` +
			`{"name":"replicas","value":"","description":"how many"}]},"outputs":{"parameters":[{"name":"deploy","valueFrom":{"supplied":{},"default":"NO"}},` +
			`{"name":"replicas","valueFrom":{"supplied":{}}},{"name":"comment","valueFrom":{"supplied":{},"default":"null"}},` +
			`{"name":"force","valueFrom":{"supplied":{},"default":"false"}}]},"metadata":{},"suspend":{}}`
		if string(j) != want {
			t.Errorf("%s\nwant %s", j, want)
		}
	}
	for _, tt := range []struct {
		supplied map[string]string
		want     string
	}{
		{map[string]string{"ask.replicas": "3\n"}, "NO 3 [] false"},
		{map[string]string{"ask.replicas": "4", "ask.deploy": "YES", "ask.comment": `it's "{{x}}"`, "ask.force": "true"}, `YES 4 [it's "{{x}}"] true`},
	} {
		s, got := newSim(t, w, map[string]string{"score": "0.5"}), ""
		s.Supply = func(task, output string) (string, bool) { text, ok := tt.supplied[task+"."+output]; return text, ok }
		s.step = func(_ string, input map[string]any) (map[string]string, error) {
			got = input["inputs"].(map[string]any)["parameterValues"].(map[string]any)["text"].(string)
			return map[string]string{"/tmp/kfpgo-outputs/parameters/text": `"x"`}, nil
		}
		if n := s.run(); n.phase != "Succeeded" || got != tt.want {
			t.Errorf("%v: %s %q, want %q", tt.supplied, n.phase, got, tt.want)
		}
	}
}

// TestSuspended: a suspend that Argo can't have is an error with the reason.
func TestSuspended(t *testing.T) {
	text := graph.Type{Name: "STRING"}
	for _, tt := range []struct {
		x    program.Suspend
		in   []program.Port
		out  program.Port
		set  program.Settings
		want string
	}{
		{x: program.Suspend{}, out: program.Port{Name: "a", Type: text, Doc: "{{x}}"}, want: "Argo would replace the {{"},
		{x: program.Suspend{}, out: program.Port{Name: "a", Type: text, Default: json.RawMessage(`"{{x}}"`)}, want: "Argo would replace the {{"},
		{x: program.Suspend{}, out: program.Port{Name: "a", Type: text, Enum: []string{"{{x}}"}}, want: "Argo would replace the {{"},
		{x: program.Suspend{Duration: 1}, out: program.Port{Name: "a", Type: text}, want: "output a of ask has no default"},
		{x: program.Suspend{}, out: program.Port{Name: "a", Type: graph.Type{Name: "system.Model", Artifact: true}}, want: "is an artifact"},
		{x: program.Suspend{}, in: []program.Port{{Name: "a", Type: text, Optional: true}}, out: program.Port{Name: "a", Type: text, Enum: []string{"x"}}, want: "rename one of them"},
		{x: program.Suspend{}, out: program.Port{Name: "a", Type: text}, set: program.Settings{TimeoutSecs: 1}, want: "no option for pods"},
	} {
		p := &program.Program{Name: "p", Main: "p", Components: []*program.Component{
			{Name: "p", DAG: &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{{Name: "ask", Component: "ask", Settings: tt.set}}}},
			{Name: "ask", Inputs: tt.in, Outputs: []program.Port{tt.out}, Exec: &program.Executor{Suspend: &tt.x}},
		}}
		if _, _, err := argo.Workflow(p, options); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("no %q in %v", tt.want, err)
		}
	}
	d := argodsl.Suspend[dsl.None, dsl.None]("wait", argodsl.SuspendSpec{Duration: 90 * time.Minute})
	w, _, err := argo.Workflow(lowered.Program(t, d), options)
	if err != nil || w.Spec.Templates[len(w.Spec.Templates)-1].Suspend.Duration != "5400s" {
		t.Errorf("%v: %+v", err, w)
	}
}
