package argo

import (
	"fmt"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// Template returns the YAML of a WorkflowTemplate, or of a ClusterWorkflowTemplate,
// that has a program: argo submit --from starts it, and other Workflows refer to
// it. Unlike a Workflow, it may have inputs without a value.
func Template(p *program.Program, o Options, cluster bool) ([]byte, error) {
	t, parts, err := workflowTemplate(p, o)
	if err != nil {
		return nil, err
	}
	return join(objects(append(parts, t), cluster)...)
}

func workflowTemplate(p *program.Program, o Options) (*wfv1.WorkflowTemplate, []*wfv1.WorkflowTemplate, error) {
	w, parts, err := Workflow(p, o)
	if err != nil {
		return nil, nil, err
	}
	return &wfv1.WorkflowTemplate{
		TypeMeta:   metav1.TypeMeta{APIVersion: w.APIVersion, Kind: "WorkflowTemplate"},
		ObjectMeta: metav1.ObjectMeta{Name: p.Name, Annotations: w.Annotations},
		Spec:       w.Spec,
	}, parts, nil
}

// join returns documents as one file.
func join(docs ...any) ([]byte, error) {
	var all []byte
	for i, d := range docs {
		b, err := print(d)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			all = append(all, "---\n"...)
		}
		all = append(all, b...)
	}
	return all, nil
}

// scheduleArg returns the text of an argument of a schedule.
func scheduleArg(v program.Value) (string, error) {
	switch v.Kind {
	case program.FireTime, program.FireDate:
		return scheduledTime, nil
	case program.Const:
		text := argumentOf(v.Const)
		return text, passable(text)
	}
	return "", fmt.Errorf("a %s can't be the argument of a schedule", v.Kind)
}
