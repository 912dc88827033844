package oracle

import (
	"bytes"
	"os"
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"github.com/argoproj/argo-workflows/v3/workflow/templateresolution"
	"github.com/argoproj/argo-workflows/v3/workflow/validate"
	"sigs.k8s.io/yaml"
)

// one is a cluster with one WorkflowTemplate.
type one struct{ *wfv1.WorkflowTemplate }

func (o one) Get(name string) (*wfv1.WorkflowTemplate, error) {
	if o.WorkflowTemplate != nil && o.Name == name {
		return o.WorkflowTemplate, nil
	}
	return templates{}.Get(name)
}

// TestArgoKinds validates templates and CronWorkflows as Argo's server does, each
// CronWorkflow with the template beside it.
func TestArgoKinds(t *testing.T) {
	none := &templateresolution.NullClusterWorkflowTemplateGetter{}
	read := func(file string) [][]byte {
		b, err := os.ReadFile("../../internal/target/argo/testdata/kinds/" + file)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Split(b, []byte("---\n"))
	}
	strict := func(b []byte, into any) {
		if err := yaml.UnmarshalStrict(b, into); err != nil {
			t.Error(err)
		}
	}
	var template wfv1.WorkflowTemplate
	crons := 0
	for _, doc := range read("cron.yaml") {
		switch {
		case bytes.Contains(doc, []byte("\nkind: WorkflowTemplate\n")):
			strict(doc, &template)
			if err := validate.ValidateWorkflowTemplate(templates{}, none, &template, nil, validate.ValidateOpts{}); err != nil {
				t.Error(err)
			}
		case bytes.Contains(doc, []byte("\nkind: CronWorkflow\n")):
			var c wfv1.CronWorkflow
			strict(doc, &c)
			crons++
			if err := validate.ValidateCronWorkflow(t.Context(), one{&template}, none, &c, nil); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
		}
	}
	if crons != 2 {
		t.Errorf("%d CronWorkflows", crons)
	}
	var cluster wfv1.ClusterWorkflowTemplate
	strict(read("cluster-template.yaml")[0], &cluster)
	if err := validate.ValidateClusterWorkflowTemplate(templates{}, none, &cluster, nil, validate.ValidateOpts{}); err != nil {
		t.Error(err)
	}
}
