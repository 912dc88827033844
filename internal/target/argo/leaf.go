package argo

import (
	"encoding/json"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A leaf is a template in the making that runs something, for one task. Tasks
// whose templates turn out equal share one.
type leaf struct {
	*scope
	task *program.Task
	comp *program.Component
	args []wfv1.Parameter // for inputs that the template has beyond those of the component
	t    wfv1.Template
	lb   bool // a string needs the variable that holds {

	writes bool // KFP's executor output, which nobody reads

	argv  map[string]any // of the main container in the patch: its command and arguments
	patch map[string]any // of the pod's spec: what the template has no field for
}

func (l *leaf) template() string {
	l.t.Inputs = l.inputs(l.comp)
	for i := range l.comp.Inputs {
		if l.comp.Inputs[i].Type.Name == kfptype.TaskConfig {
			l.refuse("task-config")
		}
	}
	x := l.comp.Exec
	if x.WorksOnObjects() {
		l.t.ServiceAccountName = accountsOf(l.p, l.o).objects
	}
	switch {
	case x.Go != nil:
		l.goStep()
	case x.Python != nil:
		l.pythonStep()
	case x.Container != nil:
		l.container()
	case x.Resource != nil:
		l.t.Inputs.Artifacts = nil // a manifest takes their keys
		l.resource()
		return l.builder.leaf(l.t, l.comp.Name)
	case x.Importer != nil:
		return l.importer()
	case x.Suspend != nil:
		return l.suspend()
	default:
		l.errorf("component %s has no executor", l.comp.Name)
	}
	if l.t.Container == nil {
		return l.comp.Name
	}
	l.settings()
	l.mountWorkspace()
	if l.lb {
		l.t.Container.Env = append([]corev1.EnvVar{{Name: bracket, Value: "{"}}, l.t.Container.Env...)
	}
	l.memoize()
	return l.builder.leaf(l.t, l.comp.Name)
}

// The places of files in a pod.
const (
	inputFile  = "/tmp/kfpgo/input.json" // the executor input
	inputDir   = "/tmp/kfpgo/inputs/"    // of artifacts
	stepDir    = "/tmp/kfpgo-outputs/"   // what a Go or Python step writes
	volumeDir  = "/kfpgo/"               // what a container writes, a volume so that the folder is there
	volumeName = "kfpgo-outputs"

	// executorOutput is where a container that asks for KFP's executor output may
	// write it. As on this machine, what counts are the files of the outputs.
	executorOutput = volumeDir + "kfpgo-executor-output.json"
)

// outputs declares the outputs. Param returns where the file of a parameter is.
// A container has no metadata to write.
func (l *leaf) outputs(param, artifact, meta func(*program.Port) string) {
	for i := range l.comp.Outputs {
		p := &l.comp.Outputs[i]
		l.portName(l.comp, p.Name)
		if !p.Type.Artifact {
			from := &wfv1.ValueFrom{Path: param(p)}
			if p.Optional {
				from.Default = anyString("null")
			}
			l.t.Outputs.Parameters = append(l.t.Outputs.Parameters, wfv1.Parameter{Name: p.Name, ValueFrom: from})
			continue
		}
		if p.Type.List {
			l.errorf("output %s is a list of artifacts, which a step can't write", p.Name)
			continue
		}
		if meta != nil {
			l.t.Outputs.Parameters = append(l.t.Outputs.Parameters, wfv1.Parameter{Name: p.Name + metaSuffix, ValueFrom: &wfv1.ValueFrom{Path: meta(p), Default: anyString("{}")}})
		} else {
			l.t.Outputs.Parameters = append(l.t.Outputs.Parameters, wfv1.Parameter{Name: p.Name + metaSuffix, Value: anyString("{}")})
		}
		if l.imports {
			l.t.Outputs.Parameters = append(l.t.Outputs.Parameters, wfv1.Parameter{Name: p.Name + uriSuffix, Value: anyString("null")})
		}
		if l.keys {
			l.t.Outputs.Parameters = append(l.t.Outputs.Parameters, wfv1.Parameter{Name: p.Name + keySuffix, Value: anyString(l.key(p))})
		}
		l.t.Outputs.Artifacts = append(l.t.Outputs.Artifacts, wfv1.Artifact{
			Name: p.Name, Path: artifact(p), Optional: l.mayLack(l.comp, p.Name),
			Archive:          &wfv1.ArchiveStrategy{None: &wfv1.NoneStrategy{}},
			ArtifactLocation: wfv1.ArtifactLocation{S3: &wfv1.S3Artifact{Key: runFolder + l.key(p)}},
		})
	}
}

// runFolder is the key of the folder with the artifacts of a run.
const runFolder = "{{workflow.name}}/"

// key returns the key of an output below the run's folder. The iterations of a
// loop have a key each.
func (l *leaf) key(p *program.Port) string {
	k := "{{inputs.parameters." + pathInput + "}}/" + p.Name
	if l.loop {
		k += "/{{pod.name}}"
	}
	return k
}

// uri returns the URI of what has a key, or a complaint that it isn't known.
func (l *leaf) uri(key string) (string, bool) {
	if l.o.ArtifactRoot == "" {
		return "", false
	}
	return strings.TrimSuffix(l.o.ArtifactRoot, "/") + "/" + runFolder + key, true
}

// artifacts says where the files of input artifacts go.
func (l *leaf) artifacts() {
	for i := range l.t.Inputs.Artifacts {
		a := &l.t.Inputs.Artifacts[i]
		a.Path = inputDir + a.Name
		readable(a)
	}
	for i := range l.comp.Inputs {
		p := &l.comp.Inputs[i]
		if !p.Type.Artifact || !p.Type.List {
			continue
		}
		// The folder that holds all of them; none when the list is empty.
		l.t.Inputs.Artifacts = append(l.t.Inputs.Artifacts, wfv1.Artifact{
			Name: p.Name, Path: inputDir + p.Name, Optional: true, Archive: &wfv1.ArchiveStrategy{None: &wfv1.NoneStrategy{}},
			ArtifactLocation: wfv1.ArtifactLocation{S3: &wfv1.S3Artifact{Key: runFolder + "{{inputs.parameters." + p.Name + dirSuffix + "}}"}},
		})
		readable(&l.t.Inputs.Artifacts[len(l.t.Inputs.Artifacts)-1])
	}
}

// readable lets any user read an artifact: Argo's own container, which is root,
// fetches it for its eyes only, and images of kfpgo build run as nobody.
func readable(a *wfv1.Artifact) {
	mode := int32(0o755) // of folders as well
	a.Mode, a.RecurseMode = &mode, true
}

// extra gives the template an input of its own for a setting, as plain text, and
// returns the tag for it. A constant stands for itself.
func (l *leaf) extra(name string, v program.Value) string {
	if text, ok := v.Constant(); ok && len(v.Field) == 0 {
		return text
	}
	if l.nullable(v) {
		l.errorf("%s is a value that may not be given", strings.TrimPrefix(name, "kfpgo-"))
	}
	l.input(name, tag(l.plain(v)))
	return "{{inputs.parameters." + name + "}}"
}

func (l *leaf) input(name, value string) {
	l.t.Inputs.Parameters = append(l.t.Inputs.Parameters, wfv1.Parameter{Name: name})
	l.args = append(l.args, param(name, value))
}

func mustJSON(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}
