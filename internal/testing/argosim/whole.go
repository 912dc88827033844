package argosim

import (
	"encoding/json"
	"fmt"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// Whole returns a Workflow with the spec of the template that it refers to below its
// own, as util/merge of Argo's does.
func Whole(w *wfv1.Workflow, templates []*wfv1.WorkflowTemplate) (*wfv1.Workflow, error) {
	ref := w.Spec.WorkflowTemplateRef
	if ref == nil {
		return w, nil
	}
	for _, t := range templates {
		if t.Name != ref.Name {
			continue
		}
		own := w.DeepCopy()
		own.Spec.WorkflowTemplateRef = nil
		below, err := json.Marshal(wfv1.Workflow{Spec: t.Spec})
		if err != nil {
			return nil, err
		}
		above, err := json.Marshal(own)
		if err != nil {
			return nil, err
		}
		both, err := strategicpatch.StrategicMergePatch(below, above, wfv1.Workflow{})
		if err != nil {
			return nil, err
		}
		all := &wfv1.Workflow{}
		return all, json.Unmarshal(both, all)
	}
	return nil, fmt.Errorf("there is no WorkflowTemplate %q", ref.Name)
}
