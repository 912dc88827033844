package kfp

import (
	"cmp"
	"encoding/json"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A Manifest says how a pipeline is called as an object of Kubernetes, for KFP
// servers that keep pipelines there.
type Manifest struct {
	Namespace string // empty: that of kubectl

	Pipeline      string // name of the Pipeline object; empty: the pipeline's
	PipelineTitle string // that the UI shows; empty: Pipeline
	Version       string // name of the PipelineVersion; empty: Pipeline
	VersionTitle  string // that the UI shows; empty: PipelineTitle

	WithPipeline bool // write the Pipeline object too
}

// CompileManifest returns a program as a PipelineVersion, which holds the IR, and
// before it the Pipeline that it belongs to if that is asked for.
func CompileManifest(p *program.Program, o Options, m Manifest) (Written, error) {
	p, ir, spec, err := o.documents(p)
	if err != nil {
		return Written{Program: p}, err
	}
	m.Pipeline = cmp.Or(m.Pipeline, spec.PipelineInfo.Name)
	m.PipelineTitle = cmp.Or(m.PipelineTitle, m.Pipeline)
	object := func(kind, name, title string) map[string]any {
		metadata := map[string]any{"name": name}
		if m.Namespace != "" {
			metadata["namespace"] = m.Namespace
		}
		s := map[string]any{"displayName": title}
		if p.Doc != "" {
			s["description"] = p.Doc
		}
		return map[string]any{"apiVersion": "pipelines.kubeflow.org/v2beta1", "kind": kind, "metadata": metadata, "spec": s}
	}
	version := object("PipelineVersion", cmp.Or(m.Version, m.Pipeline), cmp.Or(m.VersionTitle, m.PipelineTitle))
	s := version["spec"].(map[string]any)
	s["pipelineName"], s["pipelineSpec"] = m.Pipeline, ir[0]
	if len(ir) > 1 {
		s["platformSpec"] = ir[1]
	}
	objects := []any{version}
	if m.WithPipeline {
		objects = []any{object("Pipeline", m.Pipeline, m.PipelineTitle), version}
	}
	var docs []json.RawMessage
	for _, object := range objects {
		b, err := json.Marshal(object)
		if err != nil {
			return Written{Program: p}, err
		}
		docs = append(docs, b)
	}
	w, err := marshal("", docs)
	w.Program, w.spec = p, spec
	return w, err
}
