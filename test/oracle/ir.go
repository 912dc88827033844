// Package oracle holds KFP's own server-side compiler and Argo's validator
// against what kfpgo writes. It is a module of its own, since the two need
// hundreds of modules that kfpgo doesn't.
package oracle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"github.com/argoproj/argo-workflows/v3/workflow/templateresolution"
	"github.com/argoproj/argo-workflows/v3/workflow/validate"
	"github.com/kubeflow/pipelines/api/v2alpha1/go/pipelinespec"
	"github.com/kubeflow/pipelines/backend/src/v2/compiler/argocompiler"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"
	"gopkg.in/yaml.v3"
)

// CompileIR returns the Workflow that KFP 2.0.5 makes of IR YAML. It decodes
// strictly: a field that the published protos lack is an error.
func CompileIR(ir []byte) (wf *wfv1.Workflow, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("KFP's compiler panics: %v", r)
		}
	}()
	docs, err := jsonDocs(ir)
	if err != nil {
		return nil, err
	}
	spec := &pipelinespec.PipelineSpec{}
	if err := protojson.Unmarshal(docs[0], spec); err != nil {
		return nil, fmt.Errorf("pipeline spec: %w", err)
	}
	job := &pipelinespec.PipelineJob{
		PipelineSpec:  &structpb.Struct{},
		RuntimeConfig: &pipelinespec.PipelineJob_RuntimeConfig{ParameterValues: map[string]*structpb.Value{}},
	}
	if err := protojson.Unmarshal(docs[0], job.PipelineSpec); err != nil {
		return nil, err
	}
	var k8s *pipelinespec.SinglePlatformSpec
	if len(docs) > 1 {
		platform := &pipelinespec.PlatformSpec{}
		if err := protojson.Unmarshal(docs[1], platform); err != nil {
			return nil, fmt.Errorf("platform spec: %w", err)
		}
		k8s = platform.Platforms["kubernetes"]
		if k8s.GetDeploymentSpec() == nil { // the settings of the pipeline alone, on which it panics
			k8s = nil
		}
	}
	return argocompiler.Compile(job, k8s, nil)
}

// jsonDocs returns the documents of a YAML file as JSON.
func jsonDocs(b []byte) ([][]byte, error) {
	var docs [][]byte
	d := yaml.NewDecoder(bytes.NewReader(b))
	for {
		var v any
		err := d.Decode(&v)
		if errors.Is(err, io.EOF) {
			if docs == nil {
				return nil, errors.New("no YAML document")
			}
			return docs, nil
		}
		if err != nil {
			return nil, err
		}
		j, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		docs = append(docs, j)
	}
}

// ValidateArgo returns what Argo's own validator has against a Workflow in a cluster
// with some WorkflowTemplates.
func ValidateArgo(known templates, wf *wfv1.Workflow) error {
	return validate.ValidateWorkflow(known, &templateresolution.NullClusterWorkflowTemplateGetter{}, wf, nil, validate.ValidateOpts{})
}

// LintArgo returns what argo lint has against a Workflow, which may lack arguments.
func LintArgo(known templates, wf *wfv1.Workflow) error {
	return validate.ValidateWorkflow(known, &templateresolution.NullClusterWorkflowTemplateGetter{}, wf, nil, validate.ValidateOpts{Lint: true})
}

// ValidateArgoTemplate is ValidateArgo for a WorkflowTemplate.
func ValidateArgoTemplate(known templates, t *wfv1.WorkflowTemplate) error {
	return validate.ValidateWorkflowTemplate(known, &templateresolution.NullClusterWorkflowTemplateGetter{}, t, nil, validate.ValidateOpts{})
}

// templates are the WorkflowTemplates of a cluster.
type templates map[string]*wfv1.WorkflowTemplate

func (ts templates) Get(name string) (*wfv1.WorkflowTemplate, error) {
	if t, ok := ts[name]; ok {
		return t, nil
	}
	return nil, fmt.Errorf("there is no WorkflowTemplate %s", name)
}
