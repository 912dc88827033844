package argo

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// A PausePoint is where [DebugPause] stops a task.
type PausePoint string

// The points of a [DebugPause].
const (
	PauseBefore  PausePoint = "ARGO_DEBUG_PAUSE_BEFORE"   // the step starts
	PauseAfter   PausePoint = "ARGO_DEBUG_PAUSE_AFTER"    // the step has ended
	PauseOnError PausePoint = "ARGO_DEBUG_PAUSE_ON_ERROR" // the step has failed
)

// DebugPause keeps the pod of a task alive, to look into it with kubectl exec,
// after the step if no other point is given (set_debug_pause). KFP's servers run
// Argo, so that it has this effect there too.
func DebugPause(at ...PausePoint) dsl.Option {
	return record.At(func(t *record.Task) {
		if len(at) == 0 {
			at = []PausePoint{PauseAfter}
		}
		after := map[PausePoint]bool{}
		for _, p := range at {
			switch p {
			case PauseBefore, PauseAfter, PauseOnError:
			default:
				t.Errorf("DebugPause(%q): use argo.PauseBefore, argo.PauseAfter or argo.PauseOnError", string(p))
			}
			after[p] = true
			t.Set("env", string(p), "true")
		}
		if after[PauseAfter] && after[PauseOnError] {
			t.Errorf("DebugPause: PauseAfter stops after an error too; leave PauseOnError out")
		}
	})
}
