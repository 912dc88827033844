// Package compiler turns a pipeline into YAML for a target: KFP's intermediate
// representation, which a KFP server runs, or an Argo Workflow, which a cluster
// with nothing but Argo runs.
//
// The command kfpgo compile does the same for a package. This package is for Go
// programs that want the YAML themselves.
package compiler

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
)

// A Target is what a pipeline is compiled for.
type Target string

// The targets for KFP. Those for Argo are in package compiler/argo.
const (
	KFP         Target = emit.KFP         // IR YAML for Kubeflow Pipelines 2
	KFPManifest Target = emit.KFPManifest // a PipelineVersion with it, for KFP servers that keep pipelines in Kubernetes
)

// An Option says something that the definition doesn't.
type Option func(*emit.Options)

// Image sets the container image with the program that defines the pipeline: it
// runs the [dsl.Func] components that have no dsl.Image of their own.
func Image(ref string) Option { return func(o *emit.Options) { o.Image = ref } }

// ArtifactRoot sets the URI of the folder that holds the artifacts, such as
// s3://bucket/runs. Only targets for Argo take it, and need it only where a
// component asks for the URI of an artifact.
func ArtifactRoot(uri string) Option { return func(o *emit.Options) { o.ArtifactRoot = uri } }

// Name changes the name of the pipeline (pipeline_name of KFP's compiler).
func Name(name string) Option { return func(o *emit.Options) { o.Name = name } }

// DisplayName changes what the UI calls the pipeline (pipeline_display_name).
func DisplayName(title string) Option { return func(o *emit.Options) { o.Title = title } }

// Defaults changes the defaults of inputs of the pipeline, by name
// (pipeline_parameters). The values must be of the inputs' types.
func Defaults(values map[string]any) Option {
	return func(o *emit.Options) {
		b, err := json.Marshal(values)
		if err != nil { // the reader of the values reports it
			b = []byte("!" + err.Error())
		}
		o.Defaults.File, o.Defaults.YAML = "compiler.Defaults", b
	}
}

// NoCache makes every task run even if an equal one has run before.
func NoCache() Option { return func(o *emit.Options) { o.NoCache = true } }

// A Manifest says how a pipeline is called as objects of Kubernetes. Empty names
// follow from the pipeline's.
type Manifest struct {
	Namespace           string
	Pipeline            string // name of the Pipeline object
	PipelineDisplayName string
	Version             string // name of the PipelineVersion
	VersionDisplayName  string
	WithPipeline        bool // write the Pipeline object too
}

// Objects says how the objects of target [KFPManifest] are called
// (kubernetes_manifest_options of KFP's compiler).
func Objects(m Manifest) Option {
	return func(o *emit.Options) {
		o.Manifest = kfp.Manifest{
			Namespace: m.Namespace, Pipeline: m.Pipeline, PipelineTitle: m.PipelineDisplayName,
			Version: m.Version, VersionTitle: m.VersionDisplayName, WithPipeline: m.WithPipeline,
		}
	}
}

// KFPVersion sets the version of the KFP server, such as 2.5. Without it the IR is
// for the newest. An older server gets no field that it doesn't know, and what it
// can't do is an error. A string of several values ([dsl.Sprintf]) is then written so
// that no server leaves any of them out, rather than as by KFP's SDK. Only the
// target [KFP] takes it.
func KFPVersion(version string) Option { return func(o *emit.Options) { o.KFPVersion = version } }

// Compile returns the YAML of a pipeline. The same definition always gives the
// same bytes.
//
// A component that isn't a pipeline becomes the only task of one, and for a
// schedule the result is its pipeline. Mistakes in the definition, and what the
// target can't express, are a [dsl.ErrorList]: all of them, each with its line.
func Compile(d dsl.Definition, t Target, opts ...Option) ([]byte, error) {
	if d == nil {
		return nil, errors.New("compiler: the definition is nil")
	}
	var o emit.Options
	for _, opt := range opts {
		opt(&o)
	}
	if err := emit.Check(string(t), o); err != nil {
		return nil, fmt.Errorf("compiler: %w", err)
	}
	g := recorded.Graph(d)
	if len(g.Errors) > 0 {
		return nil, list(g.Errors)
	}
	p, err := lower.Lower(g, root(g))
	if err != nil {
		return nil, wrap(err)
	}
	b, err := emit.Emit(p, string(t), o)
	if err != nil {
		return nil, wrap(err)
	}
	return b, nil
}

// root returns the component that the only definition in a graph is about.
func root(g *graph.Graph) *graph.Component {
	if len(g.Schedules) > 0 {
		return g.Component(g.Schedules[0].Pipeline)
	}
	return g.Components[0]
}

// wrap turns what the parts behind this package report into this package's errors.
func wrap(err error) error {
	mistakes, rest := emit.Split(err)
	if len(mistakes) == 0 {
		return fmt.Errorf("compiler: %w", err)
	}
	if len(rest) == 0 {
		return list(mistakes)
	}
	return errors.Join(append([]error{list(mistakes)}, rest...)...)
}

func list(errs []*graph.Error) dsl.ErrorList {
	l := make(dsl.ErrorList, len(errs))
	for i, e := range errs {
		l[i] = &dsl.Error{File: e.File, Line: e.Line, Msg: e.Msg}
	}
	return l
}
