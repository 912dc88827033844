package argo

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// container is a command in an image of somebody's own.
func (l *leaf) container() {
	spec := l.comp.Exec.Container
	l.artifacts()
	c := &corev1.Container{Image: l.image(spec.Image)}
	l.t.Container = c
	l.commandLine(spec) // without a command, Argo asks the image's registry for it
	l.outputs(ownPath, ownPath, nil)
	if l.writes || slices.ContainsFunc(l.comp.Outputs, func(p program.Port) bool { return p.Path == "" }) {
		l.t.Volumes = []corev1.Volume{{Name: volumeName, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}}
		c.VolumeMounts = []corev1.VolumeMount{{Name: volumeName, MountPath: strings.TrimSuffix(volumeDir, "/")}}
	}
}

// ownPath returns where a container writes an output.
func ownPath(p *program.Port) string {
	if p.Path != "" {
		return p.Path
	}
	return volumeDir + p.Name
}

// A piece is a part of a string: constant text, text with plain tags of names,
// which are clean, or a carrier.
type piece struct {
	text, tags, carrier string
	typ                 string // of the carrier
	nullable            bool
	absent              bool // the task doesn't give it
}

// expand returns the strings that an element of a command line becomes.
func (l *leaf) expand(e placeholder.Element) [][]piece {
	switch {
	case e.Concat != nil:
		var all []piece
		for _, c := range e.Concat {
			for _, ps := range l.expand(c) {
				all = append(all, ps...)
			}
		}
		return [][]piece{all}
	case e.If != nil:
		list := e.If.Else
		if l.given(e.If.Input) {
			list = e.If.Then
		}
		var all [][]piece
		for _, c := range list {
			all = append(all, l.expand(c)...)
		}
		return all
	}
	return [][]piece{l.pieces(e.Parts)}
}

// given decides an IfPresent of which all is known.
func (l *leaf) given(input string) bool {
	p := l.comp.Input(input)
	if p == nil {
		l.errorf("IfPresent of %q, which is not an input of %s", input, l.comp.Name)
		return false
	}
	_, ok := l.task.Args[input]
	return ok || p.Default != nil
}

func (l *leaf) pieces(parts []placeholder.Part) []piece {
	var out []piece
	for _, p := range parts {
		pc, err := l.piece(p)
		switch {
		case err != "" && p.Kind == placeholder.InputArtifact && p.Field == "":
			l.refuse("placeholder.list")
		case err != "" && p.Kind == placeholder.Run && p.Name == "pipeline_task_uuid":
			l.refuse("run.pipeline_task_uuid")
		case err != "":
			l.errorf("%s: %s", p, err)
		}
		if n := len(out); n > 0 && out[n-1].carrier == "" && out[n-1].tags == "" && pc.carrier == "" && pc.tags == "" {
			out[n-1].text += pc.text
			continue
		}
		out = append(out, pc)
	}
	return out
}

// piece returns what a placeholder stands for, or why it can't be written.
func (l *leaf) piece(p placeholder.Part) (pc piece, err string) {
	switch p.Kind {
	case placeholder.Text:
		if strings.Contains(p.Text, contract.ProgramImage) && l.o.Image == "" {
			l.componentErrorf(l.comp, "it uses the image of the program: give that with --image")
		}
		return piece{text: strings.ReplaceAll(p.Text, contract.ProgramImage, l.o.Image)}, ""
	case placeholder.InputParam:
		in := l.comp.Input(p.Name)
		if in == nil || in.Type.Artifact {
			return piece{}, "there is no such input"
		}
		return piece{carrier: "inputs.parameters[" + literal(p.Name) + "]", typ: in.Type.Name, nullable: optional(in), absent: optional(in) && !l.gives(p.Name)}, ""
	case placeholder.OutputParam:
		out := l.comp.Output(p.Name)
		switch {
		case out == nil || out.Type.Artifact:
			return piece{}, "there is no such output"
		case p.Field != "output_file":
			return piece{}, "the value of an output isn't known before the container has run"
		case out.Path != "":
			return piece{text: out.Path}, ""
		}
		return piece{text: volumeDir + p.Name}, ""
	case placeholder.InputArtifact, placeholder.OutputArtifact:
		return l.artifactPiece(p)
	case placeholder.Run:
		return l.runPiece(p.Name)
	case placeholder.Executor:
		if l.comp.Exec.Container != nil {
			return piece{tags: strings.TrimSpace(l.containerInput())}, ""
		}
	case placeholder.OutputFile:
		if l.comp.Exec.Container != nil {
			l.writes = true
			return piece{text: executorOutput}, ""
		}
	}
	return piece{}, "Argo has nothing for it"
}

// gives reports whether the task has an argument for an input.
func (l *leaf) gives(input string) bool { _, ok := l.task.Args[input]; return ok }

func (l *leaf) artifactPiece(p placeholder.Part) (pc piece, err string) {
	port, folder := l.comp.Input(p.Name), inputDir
	if p.Kind == placeholder.OutputArtifact {
		port, folder = l.comp.Output(p.Name), volumeDir
	}
	if port == nil || !port.Type.Artifact {
		return piece{}, "there is no such artifact"
	}
	switch p.Field {
	case "path":
		if l.comp.Exec.Resource != nil {
			return piece{}, "an object of the cluster has no files; use the URI"
		}
		if p.Kind == placeholder.OutputArtifact && port.Path != "" {
			return piece{text: port.Path}, ""
		}
		return piece{text: folder + p.Name}, ""
	case "name":
		return piece{text: p.Name}, ""
	case "uri":
		if port.Type.List {
			return piece{}, "a list of artifacts has no URI"
		}
		if l.imports && p.Kind == placeholder.InputArtifact {
			if uri := l.inputURI(port); uri != "" {
				return piece{carrier: uri, typ: kfptype.String}, ""
			}
		}
		key := "{{inputs.parameters." + p.Name + keySuffix + "}}"
		if p.Kind == placeholder.OutputArtifact {
			key = l.key(port)
		}
		uri, known := l.uri(key)
		if !known {
			return piece{}, "where the cluster keeps artifacts isn't known here; say so with --artifact-root, such as s3://my-bucket"
		}
		return piece{tags: uri}, ""
	case "metadata":
		if p.Kind == placeholder.InputArtifact && !port.Type.List {
			meta := "inputs.parameters[" + literal(p.Name+metaSuffix) + "]"
			if p.Key != "" {
				return piece{carrier: armour("toJson(fromJSON(" + meta + ")?.[" + literal(p.Key) + "])"), typ: kfptype.Struct}, ""
			}
			return piece{carrier: meta, typ: kfptype.Struct}, ""
		}
	}
	return piece{}, "Argo has nothing for it"
}

// inText returns the expression for the text of a piece.
func (p piece) inText() string {
	switch {
	case p.carrier == "":
		return literal(p.text)
	case p.typ == kfptype.String && p.nullable:
		return "(" + p.carrier + " == 'null' ? '' : fromJSON(" + p.carrier + "))"
	case p.typ == kfptype.String:
		return "fromJSON(" + p.carrier + ")"
	case p.nullable:
		return "(" + p.carrier + " == 'null' ? '' : " + p.carrier + ")"
	}
	return p.carrier
}

// shellPieces returns a string of a command line.
func (l *leaf) shellPieces(ps []piece) string {
	return render(ps, l.shellText, func(run []piece) string {
		if len(run) == 1 {
			return l.fill(run[0].carrier, run[0].typ, run[0].nullable)
		}
		l.lb = true
		return tag(shell(concat(run)))
	})
}

// image returns the text of an image, which the kubelet doesn't expand.
func (l *leaf) image(s string) string {
	return render(l.pieces(placeholder.Parse(s)), func(s string) string { return s }, func(run []piece) string { return tag(concat(run)) })
}

// render joins pieces. What lies between plain tags becomes one expression as a
// whole if there is a value in it, so that no { of two pieces can meet.
func render(ps []piece, text func(string) string, value func([]piece) string) string {
	var b strings.Builder
	for len(ps) > 0 {
		if ps[0].tags != "" {
			b.WriteString(ps[0].tags)
			ps = ps[1:]
			continue
		}
		n, plain := 0, true
		for n < len(ps) && ps[n].tags == "" {
			plain = plain && ps[n].carrier == ""
			n++
		}
		if plain {
			b.WriteString(text(ps[0].text))
		} else {
			b.WriteString(value(ps[:n]))
		}
		ps = ps[n:]
	}
	return b.String()
}

func concat(ps []piece) string {
	parts := make([]string, len(ps))
	for i, p := range ps {
		parts[i] = p.inText()
	}
	return strings.Join(parts, " + ")
}
