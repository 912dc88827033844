// Package placeholder parses and prints KFP's placeholders: the {{$...}} strings
// in commands, arguments and values that a run replaces, and the IfPresent and
// Concat elements of a command line.
package placeholder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// A Kind says what a placeholder stands for.
type Kind int

// The kinds of placeholder.
const (
	Text           Kind = iota // no placeholder: the text as it is
	Executor                   // {{$}}: the whole executor input
	OutputFile                 // {{$.outputs.output_file}}: where the executor output goes
	Run                        // {{$.pipeline_job_uuid}} and others: of the run or task, by Name
	InputParam                 // {{$.inputs.parameters['x']}}
	InputArtifact              // {{$.inputs.artifacts['x'].path}}
	OutputParam                // {{$.outputs.parameters['x'].output_file}}
	OutputArtifact             // {{$.outputs.artifacts['x'].path}}
)

// A Part is a piece of a string: literal text or a placeholder.
type Part struct {
	Kind Kind
	Text string // of Text
	Name string // of a port, or of what the run knows, such as pipeline_job_uuid

	// Field of a port: path, uri or metadata of an artifact, none for a whole
	// list of artifacts; output_file of an output parameter, none for its value.
	Field string
	Key   string // of metadata: one entry of it
}

var form = lazyregexp.New(`\{\{\$(?:` +
	`|\.(outputs\.output_file|outputs\.outputFile)` +
	`|\.(pipeline_[a-z_]+|workspace_path)` +
	`|\.(inputs|outputs)\.parameters\[(?:'([^']*)'|"([^"]*)")\](\.output_file)?` +
	`|\.(inputs|outputs)\.artifacts\[(?:'([^']*)'|"([^"]*)")\](?:\.(path|uri|name|metadata)(?:\[(?:'([^']*)'|"([^"]*)")\])?)?` +
	`)\}\}`)

// Parse splits a string into literal text and placeholders. What merely looks like
// a placeholder stays text.
func Parse(s string) []Part {
	var parts []Part
	text := func(t string) {
		if t == "" {
			return
		}
		if n := len(parts); n > 0 && parts[n-1].Kind == Text {
			parts[n-1].Text += t
			return
		}
		parts = append(parts, Part{Text: t})
	}
	for Escapes(s) { // else nothing in it can match
		m := form.FindStringSubmatchIndex(s)
		if m == nil {
			break
		}
		text(s[:m[0]])
		sub := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return s[m[2*i]:m[2*i+1]]
		}
		if p, ok := part(sub); ok {
			parts = append(parts, p)
		} else {
			text(sub(0))
		}
		s = s[m[1]:]
	}
	text(s)
	return parts
}

// part makes a placeholder of the groups of form.
func part(sub func(int) string) (Part, bool) {
	switch {
	case sub(0) == contract.ExecutorInput:
		return Part{Kind: Executor}, true
	case sub(1) != "":
		return Part{Kind: OutputFile}, true
	case sub(2) != "":
		return Part{Kind: Run, Name: sub(2)}, true
	case sub(3) != "":
		p := Part{Kind: InputParam, Name: sub(4) + sub(5), Field: strings.TrimPrefix(sub(6), ".")}
		if sub(3) == "outputs" {
			p.Kind = OutputParam
		}
		return p, p.Name != "" && (p.Kind == OutputParam || p.Field == "")
	}
	p := Part{Kind: InputArtifact, Name: sub(8) + sub(9), Field: sub(10), Key: sub(11) + sub(12)}
	if sub(7) == "outputs" {
		p.Kind = OutputArtifact
	}
	return p, p.Name != "" && (p.Key == "" || p.Field == "metadata")
}

// String returns the text of the part.
func (p Part) String() string {
	field := ""
	if p.Field != "" {
		field = "." + p.Field
	}
	if p.Key != "" {
		field += "[" + quote(p.Key) + "]"
	}
	switch p.Kind {
	case Executor:
		return contract.ExecutorInput
	case OutputFile:
		return "{{$.outputs.output_file}}"
	case Run:
		return "{{$." + p.Name + "}}"
	case InputParam:
		return fmt.Sprintf("{{$.inputs.parameters[%s]}}", quote(p.Name))
	case OutputParam:
		return fmt.Sprintf("{{$.outputs.parameters[%s]%s}}", quote(p.Name), field)
	case InputArtifact:
		return fmt.Sprintf("{{$.inputs.artifacts[%s]%s}}", quote(p.Name), field)
	case OutputArtifact:
		return fmt.Sprintf("{{$.outputs.artifacts[%s]%s}}", quote(p.Name), field)
	}
	return p.Text
}

func quote(name string) string {
	if strings.Contains(name, "'") {
		return `"` + name + `"`
	}
	return "'" + name + "'"
}

// Bare returns the text that stands in the JSON of a list or struct for the JSON of an
// input: for a step of ours, which puts that in its place. To KFP, and to Parse, it is
// not a placeholder. It can't have a name with a double quote in it.
func Bare(name string) string { return `{{$.inputs.parameters["` + name + `"].json}}` }

// Join returns the text of parts.
func Join(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.String())
	}
	return b.String()
}

// Expand replaces each placeholder of a string by what value returns for it.
func Expand(s string, value func(Part) (string, error)) (string, error) {
	var b strings.Builder
	for _, p := range Parse(s) {
		t := p.Text
		if p.Kind != Text {
			var err error
			if t, err = value(p); err != nil {
				return "", fmt.Errorf("%s: %w", p, err)
			}
		}
		b.WriteString(t)
	}
	return b.String(), nil
}

// known are the names of what a run knows of itself, as KFP has them.
var known = map[string]bool{
	"pipeline_job_name": true, "pipeline_job_uuid": true, "pipeline_job_resource_name": true, "pipeline_job_create_time_utc": true, "pipeline_job_schedule_time_utc": true,
	"pipeline_task_name": true, "pipeline_task_uuid": true, "pipeline_root": true, "workspace_path": true,
}

// Known reports whether KFP has a placeholder of a run by a name.
func Known(name string) bool { return known[name] }

// In returns the first placeholder in the strings and keys of JSON, or "".
func In(value json.RawMessage) string {
	if !bytes.Contains(value, []byte("$")) && !bytes.Contains(value, []byte(`\u`)) {
		return ""
	}
	d := json.NewDecoder(bytes.NewReader(value))
	for {
		t, err := d.Token()
		if err != nil {
			return ""
		}
		if s, ok := t.(string); ok {
			for _, p := range Parse(s) {
				if p.Kind != Text {
					return p.String()
				}
			}
		}
	}
}

// Escapes reports whether KFP would replace something in a string that is meant to
// stay as it is: its launcher looks for {{$ in every value.
func Escapes(s string) bool { return strings.Contains(s, "{{$") }

// ArgoTag is a regular expression, of Go and CEL, of the beginning of what Argo replaces in
// the pods of a run, as which KFP's servers run pipelines too: an expression, or a variable
// that it has there. What it doesn't know, such as {{x}}, stays. It has no {{ itself.
const ArgoTag = `[{][{][{\s]*(=|(workflow|cronworkflow|inputs|node|pod|lastRetry)[.]|retries\b)`

// argoTag has what Argo looks for in a Workflow beside that, and refuses where it isn't there.
var argoTag = lazyregexp.New(ArgoTag + `|[{][{][{\s]*(outputs|tasks|steps)[.]`)

// ArgoReplaces returns the beginning of what Argo would replace in a string of a
// Workflow, or refuse the Workflow for, or "".
func ArgoReplaces(s string) string { return argoTag.FindString(s) }
