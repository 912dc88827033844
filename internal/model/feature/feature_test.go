package feature_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type in struct {
	N    dsl.Param[int]
	Text dsl.Param[string]
	Flag dsl.Param[int] `kfp:",optional"`
	Base dsl.Model      `kfp:",optional"`
}
type out struct{ N dsl.Param[int] }

var step = dsl.Func("step", func(context.Context, in, *out) error { return nil })

var tool = dsl.Container("tool", func(in in, out out) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox", Command: []string{"sh"}, Args: dsl.Args(dsl.IfPresent(in.Flag, in.Flag), in.Base.URI()),
		Outputs: []dsl.OutputFile{dsl.OutputAt(out.N, "/tmp/n")}}
})

var all = dsl.Pipeline("all", func(s *dsl.Scope, p in) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		step.Call(s, in{N: p.N, Text: dsl.Field(status, func(f *dsl.FinalStatus) *string { return &f.State })})
	})
	a := step.Call(s, p,
		dsl.CPU(p.Text), dsl.Memory("1Gi"), dsl.GPU(p.N), dsl.Accelerator("amd.com/gpu", 1), dsl.Env("A", p.Text), dsl.Image(p.Text),
		dsl.Timeout(time.Minute), dsl.Retry(p.N, dsl.Backoff{Initial: 1e9, Factor: 1.5}), dsl.NoCache(), k8s.NodeSelector("a", p.Text), k8s.SecretEnv("S", "s", "k"),
		k8s.Tolerate(k8s.Toleration{Key: "x", Operator: "Exists"}), k8s.MountPVC("claim", "/data"))
	tool.Call(s, p, dsl.After(a), dsl.IgnoreUpstreamFailure(), dsl.Env("A", p.Text))
	dsl.If(s, dsl.And(dsl.Given(p.Flag), dsl.Given(p.Base)), func(s *dsl.Scope) { step.Call(s, p) })
	return dsl.None{}
})

// TestCheck names each task and knob that a target can't do, at its line.
func TestCheck(t *testing.T) {
	p := lowered.Program(t, all)
	for target, wants := range map[feature.Target][]string{
		feature.KFP: {
			"task exit-handler-1/step-2: target kfp has no several device resources on a task",
			"target kfp has no dsl.Env of a reference, in a container", "target kfp has no dsl.Retry of a reference",
			"target kfp has no field of the final status", "target kfp has no dsl.Given of an artifact", "k8s.NodeSelector of a reference",
		},
		feature.Argo: {"task exit-handler-1/step-2: target argo has no dsl.Backoff with a Factor"},
	} {
		err := feature.Gate(p, target, nil)
		if err == nil {
			t.Fatalf("%s: no error", target)
		}
		for _, want := range wants {
			if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "feature_test.go:") {
				t.Errorf("%s: no %q in\n%v", target, want, err)
			}
		}
	}
	if err := feature.Gate(p, feature.Local, nil); err != nil {
		t.Errorf("local: %v", err)
	}
}

// TestTable holds the table complete: every option of a task has a row, and
// every row says something about every target.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range feature.Table {
		if seen[r.ID] || r.Write == "" {
			t.Errorf("row %q: twice or without a name", r.ID)
		}
		seen[r.ID] = true
		for _, target := range []feature.Target{feature.KFP, feature.Argo, feature.Local} {
			if s, ok := r.Support[target]; !ok || !s.OK && s.Note == "" {
				t.Errorf("row %q says nothing about %s", r.ID, target)
			}
		}
	}
	for _, sf := range reflect.VisibleFields(reflect.TypeFor[program.Settings]()) {
		if _, ok := sf.Tag.Lookup("option"); !ok && !sf.Anonymous && sf.Name != "SecurityContext" {
			t.Errorf("program.Settings.%s has no option", sf.Name)
		}
	}
	for _, o := range program.Options() {
		if !seen[o.Row] || len(o.Go) == 0 || o.File == "" {
			t.Errorf("option %s: no row %s, no function or no field in a file", o.Name, o.Row)
		}
	}
	for sf := range reflect.TypeFor[program.Executor]().Fields() {
		if id := "exec." + strings.ToLower(sf.Name); sf.Type.Kind() == reflect.Pointer && !seen[id] {
			t.Errorf("program.Executor.%s has no row %s", sf.Name, id)
		}
	}
	for _, u := range feature.Uses(lowered.Program(t, all)) {
		if !seen[u.ID] {
			t.Errorf("%s of task %s has no row", u.ID, u.Task)
		}
	}
}
