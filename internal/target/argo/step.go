package argo

import (
	"cmp"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/pyrun"
)

// stepGroup may write to the volumes of a Go step, whose image runs as nobody.
const stepGroup = 65532

// goStep is a Go function of the program. Its executor input is a file, which
// has no limit of size and which nobody expands.
func (l *leaf) goStep() {
	image := cmp.Or(l.comp.Exec.Go.Image, l.o.Image)
	if image == "" && l.task.Settings.Image == nil {
		l.componentErrorf(l.comp, "it is a Go function: give the image of the program with --image")
	}
	l.t.Container = &corev1.Container{
		Image:   image,
		Command: contract.Command(l.comp.Exec.Go.Name),
		Args:    []string{"@" + inputFile},
	}
	if s := &l.task.Settings; s.SecurityContext == nil && len(s.PVCMounts)+len(s.EphemeralVolumes) > 0 {
		group := int64(stepGroup)
		l.t.SecurityContext = &corev1.PodSecurityContext{FSGroup: &group}
	}
	l.step("")
}

// step sets inputs and outputs as a Go or Python step has them. More are members
// of the kfpgo part of its executor input.
func (l *leaf) step(more string) {
	l.artifacts()
	l.t.Inputs.Artifacts = append(l.t.Inputs.Artifacts, wfv1.Artifact{
		Name: "kfpgo-input", Path: inputFile,
		ArtifactLocation: wfv1.ArtifactLocation{Raw: &wfv1.RawArtifact{Data: l.executorInput(more)}},
	})
	l.outputs(l.outputPath, l.artifactPath, l.metaPath)
}

func (l *leaf) outputPath(p *program.Port) string   { return stepDir + "parameters/" + p.Name }
func (l *leaf) artifactPath(p *program.Port) string { return stepDir + "artifacts/" + p.Name }
func (l *leaf) metaPath(p *program.Port) string     { return stepDir + "metadata/" + p.Name }

// executorInput returns KFP's executor input, with tags where values drop in.
// Carriers are JSON, so they take no quotes.
func (l *leaf) executorInput(more string) string {
	return l.inputJSON(l.outputPath, l.artifactPath, stepDir+"output.json", `,"kfpgo":{"v":1,"outputs":"argo"`+more+`} `)
}

// containerInput is executorInput for a container of somebody's own.
func (l *leaf) containerInput() string {
	l.writes = true
	return l.inputJSON(ownPath, ownPath, executorOutput, "")
}

func (l *leaf) inputJSON(param, artifact func(*program.Port) string, outputFile, more string) string {
	var params, artifacts, outParams, outArtifacts []string
	member := func(name, value string) string { return jsonText(name) + ":" + value }
	for i := range l.comp.Inputs {
		p := &l.comp.Inputs[i]
		switch {
		case !p.Type.Artifact:
			params = append(params, member(p.Name, tag("inputs.parameters["+literal(p.Name)+"]")))
		case p.Type.List:
			artifacts = append(artifacts, member(p.Name, `{"artifacts":[`+tag(l.listInput(p))+`]}`))
		default:
			artifacts = append(artifacts, member(p.Name, l.artifactInput(p)))
		}
	}
	for i := range l.comp.Outputs {
		p := &l.comp.Outputs[i]
		if !p.Type.Artifact {
			outParams = append(outParams, member(p.Name, `{"outputFile":`+jsonText(param(p))+`}`))
			continue
		}
		uri, known := l.uri(l.key(p))
		if !known {
			uri = "file://" + artifact(p)
		}
		meta := ""
		if l.comp.Exec.Container == nil {
			meta = `,"metadataFile":` + jsonText(l.metaPath(p))
		}
		outArtifacts = append(outArtifacts, member(p.Name, `{"artifacts":[{`+describe(p, uri, artifact(p))+meta+`,"metadata":{} }]}`))
	}
	object := func(members []string) string {
		if len(members) == 0 {
			return "{}"
		}
		return "{" + strings.Join(members, ",") + " }" // a tag must end at its own }}
	}
	return `{"inputs":{"parameterValues":` + object(params) + `,"artifacts":` + object(artifacts) + `},` +
		`"outputs":{"parameters":` + object(outParams) + `,"artifacts":` + object(outArtifacts) + `,"outputFile":` + jsonText(outputFile) + ` }` + more + "}\n"
}

// describe returns the members of an artifact. Its URI may hold plain tags of
// names, which are clean.
func describe(p *program.Port, uri, path string) string {
	typ := `{"schemaTitle":` + jsonText(p.Type.Name) + `,"schemaVersion":` + jsonText(p.Type.Version) + `}`
	return `"name":` + jsonText(p.Name) + `,"type":` + typ + `,"uri":"` + uri + `","customPath":` + jsonText(path)
}

// artifactInput returns the JSON of an input artifact.
func (l *leaf) artifactInput(p *program.Port) string {
	meta := "inputs.parameters[" + literal(p.Name+metaSuffix) + "]"
	if l.imports {
		return l.importedInput(p, meta)
	}
	uri, known := l.uri("{{inputs.parameters." + p.Name + keySuffix + "}}")
	if !known {
		uri = "file://" + inputDir + p.Name
	}
	head := `{"artifacts":[{` + describe(p, uri, inputDir+p.Name) + `,"metadata":`
	if !p.Optional {
		return head + tag(meta) + ` }]}`
	}
	key := ""
	if known { // in an expression there are no tags
		head, key, _ = strings.Cut(head, runFolder+"{{inputs.parameters."+p.Name+keySuffix+"}}")
		return tag(meta + " == 'null' ? 'null' : " + literal(head) + " + workflow.name + '/' + inputs.parameters[" + literal(p.Name+keySuffix) + "] + " +
			literal(key) + " + " + meta + " + " + literal("}]}"))
	}
	return tag(meta + " == 'null' ? 'null' : " + literal(head) + " + " + meta + " + " + literal("}]}"))
}

// importedInput is artifactInput where the artifact may have been imported: its URI
// is then a string of the user's.
func (l *leaf) importedInput(p *program.Port, meta string) string {
	head, tail, _ := strings.Cut(`{"artifacts":[{`+describe(p, "URI", inputDir+p.Name)+`,"metadata":`, `"URI"`)
	uri := l.inputURI(p)
	if uri == "" {
		uri = literal(jsonText("file://" + inputDir + p.Name))
		uri = "(" + imported(p) + " != 'null' ? " + imported(p) + " : " + uri + ")"
	}
	if !p.Optional {
		return head + tag(uri) + tail + tag(meta) + ` }]}`
	}
	return tag(meta + " == 'null' ? 'null' : " + literal(head) + " + " + uri + " + " + literal(tail) + " + " + meta + " + " + literal("}]}"))
}

func imported(p *program.Port) string { return "inputs.parameters[" + literal(p.Name+uriSuffix) + "]" }

// inputURI returns the expression for the carrier of the URI of an input, or
// nothing if it isn't known.
func (l *leaf) inputURI(p *program.Port) string {
	root := l.rootURI()
	if root == "" {
		return ""
	}
	uri := encoded(literal(root) + " + workflow.name + '/' + inputs.parameters[" + literal(p.Name+keySuffix) + "]")
	if l.imports {
		uri = "(" + imported(p) + " != 'null' ? " + imported(p) + " : " + uri + ")"
	}
	return uri
}

// listInput returns the expression for the JSON of the artifacts of a list. Their
// files lie in one folder, each under what its key has beyond the folder's.
func (l *leaf) listInput(p *program.Port) string {
	in := func(suffix string) string { return "inputs.parameters[" + literal(p.Name+suffix) + "]" }
	path := literal(inputDir+p.Name+"/") + " + trimPrefix(#, " + in(dirSuffix) + ")"
	uri := literal("file://") + " + " + path
	if root, known := l.uri(""); known {
		root = strings.TrimSuffix(root, runFolder)
		uri = literal(root) + " + workflow.name + '/' + #"
	}
	typ := `{"name":` + jsonText(p.Name) + `,"type":{"schemaTitle":` + jsonText(p.Type.Name) + `,"schemaVersion":` + jsonText(p.Type.Version) + `},"uri":`
	return "let meta = fromJSON(" + in(metaSuffix) + "); join(map(fromJSON(" + in(keySuffix) + "), {" +
		literal(typ) + " + toJson(" + uri + ") + ',\"customPath\":' + toJson(" + path + ") + ',\"metadata\":' + meta[#index] + " + literal("}") + "}), ',')"
}

// maxArgument is what Linux takes for one argument of a command, less a little.
const maxArgument = 120_000

// Many Python steps have the runtime from a parameter of the Workflow, where it
// takes room once.
const (
	manyPython   = 8
	runtimeParam = "kfpgo-python-runtime"
)

// pythonStep is a Python function whose source goes along, with a runtime of ours.
func (l *leaf) pythonStep() {
	image := l.comp.Exec.Python.Image
	if image == "" && l.task.Settings.Image == nil {
		l.errorf("the Python component %s has no image", l.comp.Name)
	}
	c := &corev1.Container{Image: image}
	for _, arg := range pyrun.Command() {
		if arg == pyrun.Runtime && l.python > manyPython {
			c.Command = append(c.Command, tag("workflow.parameters["+literal(runtimeParam)+"]"))
			continue
		}
		c.Command = append(c.Command, l.shellText(arg))
	}
	for _, arg := range pyrun.Args(l.comp, "@"+inputFile, true) {
		text := l.shellText(arg)
		if len(text) > maxArgument {
			l.errorf("the source of component %s has %d bytes, and an argument takes %d; move some of it into a package of the image", l.comp.Name, len(text), maxArgument)
		}
		c.Args = append(c.Args, text)
	}
	l.t.Container = c
	l.step("")
}
