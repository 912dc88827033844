package argo_test

import (
	"errors"
	"strings"
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

// TestRunVolume: the claim of a run is deleted whether its tasks succeed or fail, is
// the run's own, and belongs to the Workflow.
func TestRunVolume(t *testing.T) {
	w := workflow(t, dsl.Pipeline("volume-of-run", func(s *dsl.Scope, in textIn) dsl.None {
		k8s.RunVolume(s, k8s.CreatePVCIn{Size: dsl.Const("1Gi")}, func(s *dsl.Scope, claim dsl.Param[string]) {
			echo.Call(s, in, k8s.MountPVC(claim, "/data"))
		})
		echo.Call(s, in)
		return dsl.None{}
	}), options)
	for _, fails := range []bool{false, true} {
		s := newSim(t, w, map[string]string{"text": "x"})
		var did []string
		s.step = func(_ string, x map[string]any) (map[string]string, error) {
			did = append(did, "step")
			if fails {
				return nil, errors.New("it fails")
			}
			return write(x, map[string]any{"text": "x"}), nil
		}
		s.object = func(r *wfv1.ResourceTemplate) map[string]string {
			switch {
			case r.Action == "create" && r.SetOwnerReference && strings.Contains(r.Manifest, `"name":"run-x7k2p-volume"`):
				did = append(did, "create")
			case r.Action == "delete" && r.Flags[1] == "run-x7k2p-volume":
				did = append(did, "delete")
			default:
				t.Errorf("%s %v %s", r.Action, r.Flags, r.Manifest)
			}
			return map[string]string{"{.metadata.name}": "run-x7k2p-volume"}
		}
		want, phase := "create step delete step", "Succeeded"
		if fails {
			phase = "Failed"
		}
		got := s.run()
		if text := strings.Join(did, " "); got.phase != phase || text != want {
			t.Errorf("fails: %t: %s, did %s; want %s, %s", fails, got.phase, text, phase, want)
		}
	}
}
