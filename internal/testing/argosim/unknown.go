package argosim

import (
	"errors"
	"fmt"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
)

// A missing construct is one that isn't known, and would change what runs. Teach
// it, and take its row out.
type missing[T any] struct {
	name string
	in   func(v T) bool
}

var unknown = []missing[*wfv1.Template]{
	{"daemon", func(t *wfv1.Template) bool { return t.Daemon != nil && *t.Daemon }},
	{"retryStrategy.expression", func(t *wfv1.Template) bool { return t.RetryStrategy != nil && t.RetryStrategy.Expression != "" }},
}

var unknownOfTask = []missing[*wfv1.DAGTask]{
	{"hooks", func(t *wfv1.DAGTask) bool { return len(t.Hooks) > 0 || t.OnExit != "" }},
}

var unknownOfWorkflow = []missing[*wfv1.Workflow]{
	{"templateDefaults", func(w *wfv1.Workflow) bool { return w.Spec.TemplateDefaults != nil }},
	{"hooks other than exit", func(w *wfv1.Workflow) bool {
		_, exit := w.Spec.Hooks[wfv1.ExitLifecycleEvent]
		return len(w.Spec.Hooks) > 1 || len(w.Spec.Hooks) == 1 && !exit
	}},
}

// errUnknown is a construct that isn't known.
var errUnknown = errors.New("isn't known to this simulation of Argo")

// check returns the node of what has a construct that isn't known, or nil.
func check[T any](s *Sim, table []missing[T], where string, v T) *Node {
	for _, m := range table {
		if m.in(v) {
			return s.wrong(where, fmt.Errorf("%s %w", m.name, errUnknown))
		}
	}
	return nil
}
