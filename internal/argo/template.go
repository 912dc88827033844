package argo

import (
	"bytes"
	"encoding/json"
	"fmt"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kfpgo/kfpgo/internal/program"
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

// scheduledTime is what Argo makes of the time at which a CronWorkflow fires, in
// RFC 3339 and UTC.
const scheduledTime = "{{workflow.scheduledTime}}"

// FireTime makes a spec put the fire time where an argument says {{workflow.scheduledTime}}:
// Argo replaces that in arguments as the spec shows them, but not in what expressions
// read of them.
func FireTime(spec *wfv1.WorkflowSpec, inputs []string) error {
	if len(inputs) == 0 {
		return nil
	}
	b, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	for _, name := range inputs {
		is := "workflow.parameters[" + literal(name) + "]"
		b = bytes.ReplaceAll(b, []byte(is), []byte("replace("+is+", '{' + '{workflow.scheduledTime}' + '}', "+scheduled+")"))
	}
	*spec = wfv1.WorkflowSpec{}
	return json.Unmarshal(b, spec)
}

// scheduleArg returns the text of an argument of a schedule, as arguments has it.
func scheduleArg(in *program.Port, v program.Value) (string, error) {
	bare := in.Type.Name == "STRING" && !optional(in)
	switch v.Kind {
	case program.FireTime:
		if bare {
			return scheduledTime, nil
		}
		return `"` + scheduledTime + `"`, nil
	case program.Const:
		if text, ok := v.Constant(); ok && bare {
			if containsTag(text) {
				return "", fmt.Errorf("the text %q has {{ in it, which Argo replaces in what a schedule passes; make it the default of the input", text)
			}
			return text, nil
		}
		return constCarrier(json.RawMessage(v.Const)), nil
	}
	return "", fmt.Errorf("a %s can't be the argument of a schedule", v.Kind)
}
