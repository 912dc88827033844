package kfpread

import (
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// An oldComponent is a component of KFP 1.
type oldComponent struct {
	Name           string          `json:"name"`
	Description    string          `json:"description"`
	Metadata       json.RawMessage `json:"metadata"`
	Inputs         []oldPort       `json:"inputs"`
	Outputs        []oldPort       `json:"outputs"`
	Implementation struct {
		Container *oldContainer   `json:"container"`
		Graph     json.RawMessage `json:"graph"`
	} `json:"implementation"`
}

type oldPort struct {
	Name        string          `json:"name"`
	Type        json.RawMessage `json:"type"`
	Description string          `json:"description"`
	Default     json.RawMessage `json:"default"`
	Optional    bool            `json:"optional"`
	Annotations json.RawMessage `json:"annotations"`
}

type oldContainer struct {
	Image   string            `json:"image"`
	Command []json.RawMessage `json:"command"`
	Args    []json.RawMessage `json:"args"`
	Env     json.RawMessage   `json:"env"`

	// What KFP 1 took and its SDK 2 leaves out.
	FileOutputs json.RawMessage `json:"fileOutputs"`
	Resources   json.RawMessage `json:"resources"`
}

// component reads a component of KFP 1, and makes a pipeline of one task of it as
// KFP's SDK 2 does.
func (f *file) component(docs []*node) {
	n := docs[0]
	if len(docs) > 1 {
		f.errorf(docs[1], "a second document after a component")
	}
	for _, way := range []string{"inputs", "outputs"} {
		if got := n.get(way).size(); got > MaxPorts {
			f.errorf(n.get(way), "a component with %d %s, and at most %d are read", got, way, MaxPorts)
			return
		}
	}
	c := &oldComponent{}
	f.decode(n, reflect.ValueOf(c))
	k := c.Implementation.Container
	if g := c.Implementation.Graph; k == nil && len(g) > 0 {
		var graph struct {
			Tasks map[string]json.RawMessage `json:"tasks"`
		}
		tasks := "tasks"
		if json.Unmarshal(g, &graph) == nil && len(graph.Tasks) > 0 {
			tasks = "the tasks " + strings.Join(slices.Sorted(maps.Keys(graph.Tasks)), ", ")
		}
		f.errorf(n.at("implementation"), "component %s is a graph of %s (implementation.graph), whose components are in files of their own; read those, and call them in a pipeline in place of it", c.Name, tasks)
		return
	}
	if k == nil {
		f.errorf(n.at("implementation"), "a component without a container; of KFP 1's kinds of components, those that are containers are read")
		return
	}
	o := &oldReader{file: f, in: map[string]oldType{}, out: map[string]oldType{}, uses: map[string]*oldUse{}}
	if f.byUse {
		o.use(n.sub("implementation", "container"))
	}
	spec := &kfpspec.ComponentSpec{InputDefinitions: &kfpspec.InputDefinitions{}, OutputDefinitions: &kfpspec.OutputDefinitions{}}
	for i, p := range c.Inputs {
		o.input(spec, n.sub("inputs").items[i], p)
	}
	for i, p := range c.Outputs {
		o.output(spec, n.sub("outputs").items[i], p)
	}
	at := n.sub("implementation", "container")
	k.Image = cmp.Or(f.image, k.Image)
	if k.Image == "" {
		f.errorf(at, "a container without an image")
	}
	for _, field := range []string{"fileOutputs", "resources"} {
		if at.get(field) != nil && (field == "resources" || !f.byUse) {
			f.errorf(at.key(field), "KFP 2 has no %s of a component; write outputs with outputPath and set resources on tasks", field)
		}
	}
	o.fileOutputs(at.get("fileOutputs"))
	x := &kfpspec.Container{Image: k.Image, Command: o.line(at.get("command")), Args: o.line(at.get("args"))}
	if env := at.get("env"); env != nil && f.want(env, object) {
		for _, name := range slices.Sorted(slices.Values(keys(env))) {
			x.Env = append(x.Env, kfpspec.EnvVar{Name: name, Value: o.text(env.get(name))})
		}
	}
	if len(f.errs) > 0 {
		return
	}
	name := c.Name
	if name == "" {
		name = "name" // KFP's
	}
	f.old, f.doc = true, strings.TrimSpace(c.Description)
	f.node = place2(onePipeline(f.log, clean(name), spec, x), n)
}

// onePipeline returns the IR of a pipeline of one task.
func onePipeline(l *log, name string, c *kfpspec.ComponentSpec, x *kfpspec.Container) *node {
	c.ExecutorLabel = "exec-" + name
	root := &kfpspec.ComponentSpec{InputDefinitions: c.InputDefinitions, OutputDefinitions: c.OutputDefinitions}
	t := &kfpspec.TaskSpec{
		TaskInfo: kfpspec.TaskInfo{Name: name}, ComponentRef: kfpspec.ComponentRef{Name: "comp-" + name},
		CachingOptions: &kfpspec.CachingOptions{EnableCache: true},
		Inputs:         &kfpspec.TaskInputs{Parameters: map[string]*kfpspec.InputParameter{}, Artifacts: map[string]*kfpspec.InputArtifact{}},
	}
	for in := range maps.Keys(c.InputDefinitions.Parameters) {
		t.Inputs.Parameters[in] = &kfpspec.InputParameter{ComponentInputParameter: in}
	}
	for in := range maps.Keys(c.InputDefinitions.Artifacts) {
		t.Inputs.Artifacts[in] = &kfpspec.InputArtifact{ComponentInputArtifact: in}
	}
	outs := &kfpspec.DAGOutputs{Parameters: map[string]*kfpspec.DAGOutputParameter{}, Artifacts: map[string]*kfpspec.DAGOutputArtifact{}}
	for out := range maps.Keys(c.OutputDefinitions.Parameters) {
		outs.Parameters[out] = &kfpspec.DAGOutputParameter{ValueFromParameter: &kfpspec.ParameterSelector{ProducerSubtask: name, OutputParameterKey: out}}
	}
	for out := range maps.Keys(c.OutputDefinitions.Artifacts) {
		outs.Artifacts[out] = &kfpspec.DAGOutputArtifact{ArtifactSelectors: []kfpspec.ArtifactSelector{{ProducerSubtask: name, OutputArtifactKey: out}}}
	}
	root.DAG = &kfpspec.DAGSpec{Tasks: map[string]*kfpspec.TaskSpec{name: t}, Outputs: outs}
	j, err := json.Marshal(&kfpspec.PipelineSpec{
		PipelineInfo: kfpspec.PipelineInfo{Name: name}, SchemaVersion: kfpspec.SchemaVersion,
		Components:     map[string]*kfpspec.ComponentSpec{"comp-" + name: c},
		DeploymentSpec: kfpspec.DeploymentSpec{Executors: map[string]*kfpspec.Executor{c.ExecutorLabel: {Container: x}}},
		Root:           root,
	})
	if err != nil {
		l.errorf(nil, "%v", err)
		return nil
	}
	docs, _ := parseJSON(l, j)
	return docs[0]
}

// place2 gives a tree the place of a node.
func place2(n, at *node) *node {
	if n != nil {
		n.line, n.col = at.line, at.col
		for i, e := range n.items {
			place2(e, at)
			if n.kind == object {
				place2(n.keys[i], at)
			}
		}
	}
	return n
}

// An oldReader reads the inputs, outputs and command lines of a component.
type oldReader struct {
	*file
	in, out map[string]oldType // by their names in the file
	uses    map[string]*oldUse // of inputs, if that counts
}

// An oldType is the type of a parameter, or the schema of an artifact.
type oldType struct{ param, artifact, word string }

// OldTypes are the types of parameters by the words of KFP 1, in lower case.
var OldTypes = map[string]string{
	"integer": kfptype.Integer, "int": kfptype.Integer, "double": kfptype.Double, "float": kfptype.Double,
	"string": kfptype.String, "str": kfptype.String, "text": kfptype.String, "bool": kfptype.Boolean, "boolean": kfptype.Boolean,
	"dict": kfptype.Struct, "jsonobject": kfptype.Struct, "list": kfptype.List, "jsonarray": kfptype.List,
}

var oldArtifacts = map[string]string{
	"model": "system.Model", "dataset": "system.Dataset", "metrics": "system.Metrics", "html": "system.HTML", "markdown": "system.Markdown",
	"classificationmetrics": "system.ClassificationMetrics", "slicedclassificationmetrics": "system.SlicedClassificationMetrics",
}

var googleType = lazyregexp.New(`^google.[A-Za-z]+$`)

// typeOf returns what KFP's SDK 2 makes of a type. What it doesn't know is an artifact.
func typeOf(raw json.RawMessage) oldType {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return oldType{artifact: "system.Artifact"}
	}
	outer := strings.TrimPrefix(s, "typing.")
	outer, _, _ = strings.Cut(outer, "[")
	word := strings.ToLower(outer)
	switch {
	case s == "PipelineTaskFinalStatus":
		return oldType{param: kfptype.FinalStatus}
	case OldTypes[word] != "":
		return oldType{param: OldTypes[word], word: word}
	case googleType.MatchString(s):
		return oldType{artifact: s}
	case oldArtifacts[word] != "":
		return oldType{artifact: oldArtifacts[word]}
	}
	return oldType{artifact: "system.Artifact"}
}

var notInName = lazyregexp.New(`[^_0-9a-z]+`)

// OldName returns KFP 2's name of an input or output of KFP 1.
func OldName(s string) string {
	return strings.Trim(notInName.ReplaceAllString(strings.ToLower(s), "_"), "_")
}

func (o *oldReader) name(n *node, p oldPort, have map[string]oldType) bool {
	if OldName(p.Name) == "" {
		o.errorf(n, "an input or output without a name")
		return false
	}
	for other := range have {
		if OldName(other) == OldName(p.Name) {
			o.errorf(n, "%q and %q have the name %s in KFP 2", other, p.Name, OldName(p.Name))
		}
	}
	have[p.Name] = typeOf(p.Type)
	return true
}

func (o *oldReader) input(c *kfpspec.ComponentSpec, n *node, p oldPort) {
	if !o.name(n, p, o.in) {
		return
	}
	if f := o.file; f.byUse {
		o.in[p.Name] = o.typeByUse(n, p)
	}
	typ, name := o.in[p.Name], OldName(p.Name)
	in := c.InputDefinitions
	if typ.param == "" {
		kfpspec.Put(&in.Artifacts, name, artifactSpec(typ, p.Description))
		in.Artifacts[name].IsOptional = p.Optional || n.get("default") != nil
		if d := n.get("default"); d != nil && !(o.byUse && (d.kind == null || d.text == "" && d.kind == text)) {
			o.errorf(n.get("default"), "input %q is an artifact, which has no default in KFP 2", p.Name)
		}
		return
	}
	s := &kfpspec.ParameterSpec{ParameterType: typ.param, Description: p.Description, IsOptional: p.Optional || n.get("default") != nil || typ.param == kfptype.FinalStatus}
	if d := n.get("default"); d != nil && d.kind != null {
		s.DefaultValue = o.value(d, typ)
	}
	kfpspec.Put(&in.Parameters, name, s)
}

func (o *oldReader) output(c *kfpspec.ComponentSpec, n *node, p oldPort) {
	if !o.name(n, p, o.out) {
		return
	}
	typ, name := o.out[p.Name], OldName(p.Name)
	if typ.param == "" {
		kfpspec.Put(&c.OutputDefinitions.Artifacts, name, artifactSpec(typ, p.Description))
		return
	}
	kfpspec.Put(&c.OutputDefinitions.Parameters, name, &kfpspec.ParameterSpec{ParameterType: typ.param, Description: p.Description})
}

func artifactSpec(t oldType, doc string) *kfpspec.ArtifactSpec {
	return &kfpspec.ArtifactSpec{ArtifactType: kfpspec.ArtifactType{SchemaTitle: t.artifact, SchemaVersion: "0.0.1"}, Description: doc}
}
