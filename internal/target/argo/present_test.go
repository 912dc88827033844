package argo_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type presentIn struct {
	Text  dsl.Param[string] `kfp:",optional"`
	N     dsl.Param[int]    `kfp:",optional"`
	Model dsl.Model         `kfp:",optional"`
	Name  dsl.Param[string]
}

var presentTool = dsl.Container("present", func(in presentIn, _ dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image: "busybox:1", Command: dsl.Args("tool", dsl.IfPresent(in.N, "-n", in.N).Else("--no-n")),
		Args: dsl.Args("$(HOME) {{x}} $", dsl.RunName(), in.Name, dsl.IfPresent(in.Text, "--text", dsl.Concat("<", in.Text, ">")),
			dsl.IfPresent(in.Model, in.Model.Path(), in.Model.URI()), "last"),
	}
})

var presentPipeline = dsl.Pipeline("present", func(s *dsl.Scope, in presentIn) dsl.None {
	presentTool.Call(s, in, dsl.CPU(in.Name))
	return dsl.None{}
})

// TestPresentRun: an argument that depends on an input of which only the run knows
// whether it is given is there or not, whatever its text.
func TestPresentRun(t *testing.T) {
	w := workflow(t, presentPipeline, options)
	for i, text := range awkward {
		for _, given := range []bool{true, false} {
			args := map[string]string{"name": text}
			want := []string{"tool", "--no-n", "$(HOME) {{x}} $", "run-x7k2p", text}
			if given {
				args["text"], args["model"] = text, "gs://a/b"
				if i%2 == 0 {
					args["n"] = "9007199254740993"
					want = slices.Concat([]string{"tool", "-n", "9007199254740993"}, want[2:])
				}
				want = append(want, "--text", "<"+text+">", "/tmp/kfpgo/inputs/model", "gs://a/b")
			}
			want = append(want, "last")
			s := newSim(t, w, args)
			s.container = func(_ string, argv []string, _ map[string]string) map[string]string {
				if !slices.Equal(argv, want) {
					t.Errorf("got  %q\nwant %q", argv, want)
				}
				return nil
			}
			if n := s.run(); n.phase != "Succeeded" || len(s.Ran) != 1 {
				t.Fatalf("%s, ran %v", n.phase, s.ran())
			}
		}
	}
}

type labelledIn struct {
	Team dsl.Param[string]
	N    dsl.Param[int] `kfp:",optional"`
}

// TestLabels: labels and annotations of a run, and the run's own time.
func TestLabels(t *testing.T) {
	d := dsl.Pipeline("labelled", func(s *dsl.Scope, in labelledIn) dsl.None {
		presentTool.Call(s, presentIn{Name: dsl.Sprintf("%v", dsl.RunScheduled())}, k8s.Label("team", in.Team), k8s.Label("n", dsl.Sprintf("%v", in.N)), k8s.Label("fixed", "x"),
			k8s.Annotation("note", dsl.Sprintf("it's \"%v\"\n$(A)\u0007", in.Team)))
		return dsl.None{}
	})
	for _, scheduled := range []bool{true, false} {
		s := newSim(t, workflow(t, d, options), map[string]string{"team": "ml-1", "n": "7"})
		want := "2026-11-28T01:02:03Z"
		if scheduled {
			want = "2026-11-28T00:00:00Z"
			s.Global["workflow.scheduledTime"] = want
		}
		s.container = func(_ string, argv []string, _ map[string]string) map[string]string {
			if argv[4] != want {
				t.Errorf("scheduled at %q, want %s", argv[4], want)
			}
			return nil
		}
		s.run()
		if got := fmt.Sprint(s.Ran[0].Template.Metadata.Labels, s.Ran[0].Template.Metadata.Annotations); len(s.Ran) != 1 || got != "map[fixed:x n:7 team:ml-1] map[note:it's \"ml-1\"\n$(A)\u0007]" {
			t.Errorf("labels %s", got)
		}
	}
	// A text that Argo would replace is an error of the task.
	b, err := argo.Write(lowered.Program(t, d), options)
	if err != nil || !strings.Contains(string(b), "label team would have two opening braces in it") {
		t.Errorf("%v: %s", err, b)
	}
}

type scoredIn struct {
	N dsl.Param[int]
}

// TestJoined: artifacts of branches, one of which may have none.
func TestJoined(t *testing.T) {
	measured := dsl.Pipeline("measured", func(s *dsl.Scope, in scoredIn) dsl.None {
		branch := func(text string) func(s *dsl.Scope) dsl.Metrics {
			return func(s *dsl.Scope) dsl.Metrics { return measure.Call(s, textIn{Text: dsl.Const(text)}).Out.Metrics }
		}
		one := dsl.OneOf(s, dsl.Eq(in.N, 1), branch("one")).Elif(dsl.Eq(in.N, 2), branch("two")).Else(branch("other"))
		readMetrics.Call(s, metricsIn{Metrics: one})
		dsl.If(s, dsl.Gt(in.N, 1), func(s *dsl.Scope) { readMetrics.Call(s, metricsIn{Metrics: one}) })
		return dsl.None{}
	})
	w := workflow(t, measured, options)
	for n, task := range map[string]string{"1": "condition-2/measure", "2": "condition-3/measure-2", "3": "condition-4/measure-3"} {
		s := newSim(t, w, map[string]string{"n": n})
		var keys []string
		s.container = func(string, []string, map[string]string) map[string]string { return nil }
		s.step = func(_ string, x map[string]any) (map[string]string, error) {
			keys = append(keys, s.Ran[len(s.Ran)-1].Template.Inputs.GetArtifactByName("metrics").S3.Key)
			return nil, nil
		}
		if got := s.run(); got.phase != "Succeeded" {
			t.Errorf("%s: %s", n, got.phase)
		}
		want := "run-x7k2p/condition-branches-1/" + task + "/metrics"
		if n == "1" && !slices.Equal(keys, []string{want}) || n != "1" && !slices.Equal(keys, []string{want, want}) {
			t.Errorf("%s: reads %q, want %s", n, keys, want)
		}
	}
}
