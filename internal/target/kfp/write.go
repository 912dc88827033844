// Package kfp writes a program as KFP's intermediate representation: what the
// Python SDK makes of the same pipeline, except that a component which several
// tasks use in the same way is written once.
package kfp

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/text/jsontree"
	"github.com/kfpgo/kfpgo/internal/text/yaml"
)

// Options change the output.
type Options struct {
	Image       string          // of the program: that of its Go steps
	DisplayName string          // shown by the UI; empty: the program's title
	Version     string          // of kfpgo, for sdkVersion
	Exact       bool            // strings are put together so that no server leaves any of them to chance; not as by the Python SDK
	Given       map[string]bool // the inputs that have arguments; nil: they are not known
	Server      *int            // what it is for, as the N of KFP 2.N; nil: the newest, written as by the Python SDK
}

// documents returns the documents of the IR of a program, and the program that is written:
// where it is exact, without what the run isn't given, and with conditions evaluated whose
// outcome that decides.
func (o Options) documents(p *program.Program) (*program.Program, []json.RawMessage, *kfpspec.PipelineSpec, error) {
	if o.Exact && p.IR == nil {
		p = p.Known(o.given(p))
	}
	if err := InFile(p); err != nil {
		return p, nil, nil, err
	}
	spec, platform, err := build(p, o)
	if err != nil {
		return p, nil, nil, err
	}
	docs, err := documents(p, spec, platform)
	return p, docs, spec, err
}

// given returns the inputs that have arguments. Where those aren't known, artifacts have
// none: KFP takes parameters only.
func (o Options) given(p *program.Program) map[string]bool {
	main := p.Component(p.Main)
	if o.Given != nil || main == nil {
		return o.Given
	}
	unknown := map[string]bool{}
	for _, in := range main.Inputs {
		if !in.Type.Artifact {
			unknown[in.Name] = false
		}
	}
	return unknown
}

// A Written program is its YAML, and the pipeline spec that this holds.
type Written struct {
	Program *program.Program // the program that was written, or refused
	YAML    []byte
	Spec    *jsontree.Node

	spec *kfpspec.PipelineSpec
}

// EqualContainers returns pairs of components that KFP's servers may take for one.
func (w Written) EqualContainers() [][2]string {
	if w.spec == nil {
		return nil
	}
	return equalContainers(w.spec)
}

// Write returns a program as IR YAML: the pipeline, and a second document if a
// task has settings that only Kubernetes knows. The error lists everything that
// KFP can't express, each with its place.
func Write(p *program.Program, o Options) ([]byte, error) {
	w, err := Compile(p, o)
	return w.YAML, err
}

// Compile is Write that returns the pipeline spec too.
func Compile(p *program.Program, o Options) (Written, error) {
	p, docs, spec, err := o.documents(p)
	if err != nil {
		return Written{Program: p}, err
	}
	head := header(spec)
	if p.IR != nil && p.IR.Manifest != nil {
		head = ""
		if docs, err = manifest(p.IR.Manifest, docs); err != nil {
			return Written{Program: p}, err
		}
	}
	w, err := marshal(head, docs)
	w.Program, w.spec = p, spec
	return w, err
}

// marshal returns documents as YAML.
func marshal(head string, docs []json.RawMessage) (w Written, err error) {
	w.YAML = []byte(head)
	for i, d := range docs {
		tree, err := jsontree.Parse(d)
		if err != nil {
			return Written{}, err
		}
		if i > 0 {
			w.YAML = append(w.YAML, "---\n"...)
		}
		if w.YAML, err = yaml.Append(w.YAML, tree); err != nil {
			return Written{}, err
		}
		spec := &tree
		if in := tree.Member("spec").Member("pipelineSpec"); in != nil {
			spec = in // of a manifest
		}
		if w.Spec == nil && spec.Member("root") != nil {
			w.Spec = spec
		}
	}
	return w, nil
}

// build returns a program as IR; without platform settings the second is nil.
func build(p *program.Program, o Options) (*kfpspec.PipelineSpec, *kfpspec.PlatformSpec, error) {
	if p.IR == nil {
		if o.Exact {
			p = withWholes(withRoots(p))
		}
		p = withHandOns(p, o.Exact)
	}
	p = withOnces(p, o.Exact)
	w := &writer{
		p: p, o: o, lists: lists(p), rows: map[*graph.Error]string{}, answers: map[[3]string]bool{}, names: map[string]bool{}, shared: map[[32]byte]string{}, last: map[*program.Component]leaf{}, platform: map[string]*kfpspec.KubernetesExecutor{},
		spec: &kfpspec.PipelineSpec{
			PipelineInfo:  kfpspec.PipelineInfo{Name: p.Name, DisplayName: cmp.Or(o.DisplayName, p.Title), Description: p.Doc},
			SchemaVersion: kfpspec.SchemaVersion, SDKVersion: "kfpgo-" + cmp.Or(o.Version, "dev"),
			Components: map[string]*kfpspec.ComponentSpec{},
		},
	}
	w.spec.DeploymentSpec.Executors = map[string]*kfpspec.Executor{}
	root := p.Component(p.Main)
	if root == nil || root.DAG == nil {
		return nil, nil, fmt.Errorf("pipeline %s: its main component %q is not a pipeline", p.Name, p.Main)
	}
	if p.IR != nil && p.IR.SDKVersion != "" {
		w.spec.SDKVersion = p.IR.SDKVersion
	}
	for _, c := range p.Components {
		if c.DAG != nil || c.Key != "" {
			w.names[strings.TrimPrefix(key(c), "comp-")] = true
		}
	}
	w.spec.DefaultPipelineRoot = p.Root
	if w.exact() {
		w.fresh = lastOfBranches(p)
	}
	w.spec.Root = w.dag(root)
	if w.exact() {
		w.tellApart()
	}
	w.suits()
	w.lost()
	if o.Server != nil {
		w.forServer()
	}
	if len(w.errs) > 0 {
		return nil, nil, w.errors()
	}
	platform := &kfpspec.Platform{PipelineConfig: config(p.Config, w.exact())}
	if len(w.platform) > 0 {
		platform.DeploymentSpec = &kfpspec.PlatformDeployment{Executors: w.platform}
	}
	if *platform == (kfpspec.Platform{}) {
		return w.spec, nil, nil
	}
	return w.spec, &kfpspec.PlatformSpec{Platforms: map[string]*kfpspec.Platform{kfpspec.Kubernetes: platform}}, nil
}

type writer struct {
	p        *program.Program
	o        Options
	spec     *kfpspec.PipelineSpec
	platform map[string]*kfpspec.KubernetesExecutor
	in       *program.Component          // the DAG that is being written
	names    map[string]bool             // of components
	shared   map[[32]byte]string         // names of leaves, by content
	last     map[*program.Component]leaf // that were written last
	lists    map[output]bool             // outputs that KFP calls lists
	fresh    map[*program.Task]bool      // that no cache may stand for
	answers  map[[3]string]bool          // about inputs that aren't given
	errs     graph.Errors
	rows     map[*graph.Error]string // of the table of features, that say the same
}

// A place is where a mistake is: a task, and the line that made it.
type place struct {
	w    *writer
	task *program.Task
}

// errorf records what KFP can't express at a place.
func (at place) errorf(format string, args ...any) {
	at.record(feature.Words(at.w.p, at.pos(), fmt.Sprintf(format, args...)))
}

// refuse records what a row of the table of features says that KFP can't express.
func (at place) refuse(row string) {
	at.w.rows[at.record(feature.Says(at.w.p, feature.KFP, row, at.pos()))] = row
}

func (at place) pos() graph.Pos {
	if at.task == nil {
		return graph.Pos{}
	}
	return at.task.Pos
}

func (at place) record(msg string) *graph.Error {
	if at.task != nil {
		msg = fmt.Sprintf("task %s: %s", at.task.Name, msg)
	}
	e := &graph.Error{Pos: at.pos(), Msg: fmt.Sprintf("pipeline %s: %s", at.w.p.Name, msg)}
	at.w.errs = append(at.w.errs, e)
	return e
}

// errors returns the mistakes in the order of their lines, each once.
func (w *writer) errors() error {
	w.errs.Sort()
	var all []error
	seen := map[string]bool{}
	for _, e := range w.errs {
		err := graph.At(e.Pos, errors.New(e.Msg))
		if !seen[err.Error()] {
			seen[err.Error()] = true
			if row := w.rows[e]; row != "" {
				err = &feature.Refusal{Row: row, Pos: e.Pos, Err: err}
			}
			all = append(all, err)
		}
	}
	return errors.Join(all...)
}
