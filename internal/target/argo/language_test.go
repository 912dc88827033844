package argo_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type tellIn struct{ Text dsl.Param[string] }

var tellStep = dsl.Func("tell", func(context.Context, tellIn, *dsl.None) error { return nil })

var tellTool = dsl.Container("tell-tool", func(in tellIn, _ dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1.36", Command: dsl.Args("tell", dsl.RunID(), in.Text, dsl.WorkspacePath().String()+"/x", dsl.RunCreated())}
})

var configured = dsl.Pipeline("configured", func(s *dsl.Scope, in tellIn) dsl.None {
	text := dsl.Sprintf("%s %s %s %s %s", dsl.RunName(), dsl.RunID(), dsl.TaskName(), dsl.WorkspacePath(), dsl.RunCreated())
	tellStep.Call(s, tellIn{text})
	dsl.If(s, dsl.Eq(in.Text, "x"), func(s *dsl.Scope) { tellTool.Call(s, tellIn{dsl.RunName()}) })
	return dsl.None{}
}, dsl.Config{
	DisplayName: "All that is set", Deadline: time.Hour, TTL: time.Minute, TTLOnSuccess: 2 * time.Minute, TTLOnFailure: 3 * time.Minute,
	Workspace: dsl.Workspace{Size: "10Gi", Patch: map[string]any{"storageClassName": "fast"}},
})

// TestConfig: the settings of a pipeline are those of the Workflow, and tasks are
// told what the run knows of itself.
func TestConfig(t *testing.T) {
	w := workflow(t, configured, options)
	spec := w.Spec
	if ttl := spec.TTLStrategy; ttl == nil || *ttl.SecondsAfterCompletion != 60 || *ttl.SecondsAfterSuccess != 120 || *ttl.SecondsAfterFailure != 180 {
		t.Errorf("ttlStrategy %v", ttl)
	}
	if spec.ActiveDeadlineSeconds == nil || *spec.ActiveDeadlineSeconds != 3600 {
		t.Errorf("activeDeadlineSeconds %v", spec.ActiveDeadlineSeconds)
	}
	if len(spec.VolumeClaimTemplates) != 1 {
		t.Fatalf("%d claims", len(spec.VolumeClaimTemplates))
	}
	claim := spec.VolumeClaimTemplates[0].Spec
	size := claim.Resources.Requests["storage"]
	if *claim.StorageClassName != "fast" || size.String() != "10Gi" || claim.AccessModes[0] != "ReadWriteOnce" {
		t.Errorf("claim %v", claim)
	}
	for _, tpl := range spec.Templates {
		if c := tpl.Container; c != nil && (len(c.VolumeMounts) == 0 || c.VolumeMounts[len(c.VolumeMounts)-1].MountPath != "/kfp-workspace") {
			t.Errorf("template %s: mounts %v", tpl.Name, c.VolumeMounts)
		}
	}
	s := newSim(t, w, map[string]string{"text": "x"})
	told := 0
	s.step = func(_ string, x map[string]any) (map[string]string, error) {
		told++
		if got := in(x, "text"); got != "run-x7k2p 1234 tell /kfp-workspace 2026-11-28T01:02:03Z" {
			t.Errorf("a step is told %q", got)
		}
		return nil, nil
	}
	s.container = func(_ string, argv []string, _ map[string]string) map[string]string {
		told++
		if got := fmt.Sprint(argv); got != "[tell 1234 run-x7k2p /kfp-workspace/x 2026-11-28T01:02:03Z]" {
			t.Errorf("a container is told %s", got)
		}
		return nil
	}
	if n := s.run(); n.phase != "Succeeded" || told != 2 {
		t.Errorf("%s, %d told", n.phase, told)
	}
}

// TestRefuseRun: what Argo doesn't know is refused by name.
func TestRefuseRun(t *testing.T) {
	for want, c := range map[string]struct {
		text   dsl.Param[string]
		config dsl.Config
	}{
		"dsl.TaskID":                   {dsl.TaskID(), dsl.Config{}},
		"--artifact-root":              {dsl.ArtifactRoot(), dsl.Config{}},
		"target argo has no Root":      {dsl.Const("x"), dsl.Config{Root: "s3://bucket"}},
		"is not that of the spec of a": {dsl.Const("x"), dsl.Config{Workspace: dsl.Workspace{Size: "1Gi", Patch: map[string]any{"nonsense": 1}}}},
	} {
		p := dsl.Pipeline("p", func(s *dsl.Scope, _ dsl.None) dsl.None {
			tellStep.Call(s, tellIn{c.text})
			return dsl.None{}
		}, c.config)
		_, err := argo.Write(lowered.Program(t, p), argo.Options{Image: "prog"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
