package argo

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// uriInput is the input of an importer with the URI.
const uriInput = "uri"

// imports reports whether artifacts come from elsewhere than a task.
func imports(p *program.Program, main *program.Component) bool {
	return slices.ContainsFunc(p.Components, func(c *program.Component) bool { return c.Exec != nil && c.Exec.Importer != nil }) ||
		slices.ContainsFunc(main.Inputs, func(in program.Port) bool { return in.Type.Artifact })
}

// An importer is a template that passes on an artifact from its place. It has no
// pod: the steps that read the artifact fetch it, and so nothing is copied.
type importer struct {
	name string
	out  *program.Port
	in   wfv1.Inputs
	uri  program.Value // of the task
	meta string        // expression
	may  bool          // the URI is optional

	store json.RawMessage // of argo.From, if it is there
}

func (s *scope) importer(i importer) string {
	t := wfv1.Template{Inputs: i.in}
	uri := "inputs.parameters[" + literal(uriInput) + "]"
	out := wfv1.Artifact{Name: i.out.Name}
	add := func(name string, at wfv1.ArtifactLocation, optional bool) {
		t.Inputs.Artifacts = append(t.Inputs.Artifacts, wfv1.Artifact{Name: name, Optional: optional, Archive: &wfv1.ArchiveStrategy{None: &wfv1.NoneStrategy{}}, ArtifactLocation: at})
	}
	if i.store != nil {
		at, err := s.storeLocation(i)
		if err != nil {
			s.errorf("it imports %w", err)
		}
		add("kfpgo-place", at, s.lax(i.out))
		out.From = "{{inputs.artifacts.kfpgo-place}}"
	} else if text, ok := i.uri.Constant(); ok && len(i.uri.Field) == 0 {
		at, err := s.location(text)
		switch {
		case feature.ImportScheme(text) != "":
			s.refuse("import.scheme")
		case err != nil:
			s.errorf("it imports %w", err)
		}
		add("kfpgo-place", at, s.lax(i.out))
		out.From = "{{inputs.artifacts.kfpgo-place}}"
	} else {
		plain := "fromJSON(" + uri + ")"
		if i.may {
			plain = "(" + plain + " ?? '')"
			out.FromExpression = uri + " == 'null' ? inputs.artifacts['kfpgo-none'] : "
			add("kfpgo-none", keyOf(runFolder+"kfpgo-none"), true)
		}
		places := s.places(plain)
		for n, p := range places {
			add(p.name, p.at, s.lax(i.out))
			if n < len(places)-1 {
				out.FromExpression += p.is + " ? "
			}
			out.FromExpression += "inputs.artifacts[" + literal(p.name) + "]"
			if n < len(places)-1 {
				out.FromExpression += " : "
			}
		}
	}
	t.Outputs.Artifacts = wfv1.Artifacts{out}
	param := func(suffix, e, none string) {
		t.Outputs.Parameters = append(t.Outputs.Parameters, wfv1.Parameter{Name: i.out.Name + suffix, ValueFrom: &wfv1.ValueFrom{Expression: e, Default: anyString(none)}})
	}
	meta := i.meta
	if i.may {
		meta = uri + " == 'null' ? 'null' : " + meta
	}
	param(metaSuffix, meta, "{}")
	if s.keys {
		param(keySuffix, "''", "")
	}
	param(uriSuffix, uri, "null")
	// A DAG needs a task: one that never runs.
	t.DAG = &wfv1.DAGTemplate{Tasks: []wfv1.DAGTask{{Name: "kfpgo-nothing", Template: s.gateTemplate(), When: "false"}}}
	key := mustJSON(t)
	if got, ok := s.leaves[key]; ok {
		return got
	}
	s.leaves[key] = s.add(t, i.name)
	return s.leaves[key]
}

// importer is a task that imports an artifact.
func (l *leaf) importer() string {
	c := l.comp
	if c.Input(uriInput) == nil || len(c.Outputs) != 1 || !c.Outputs[0].Type.Artifact {
		l.componentErrorf(c, "an importer has an input uri and an artifact as its output")
		return c.Name
	}
	l.onlyLimits()
	uri := l.task.Args[uriInput]
	i := importer{name: c.Name, out: &c.Outputs[0], in: l.t.Inputs, uri: uri, meta: l.importMetadata(c.Exec.Importer.Metadata), may: l.nullable(uri), store: l.task.Settings.Store}
	return l.scope.importer(i)
}

// importMetadata returns the expression for the carrier of metadata, whose strings
// may have placeholders in them.
func (l *leaf) importMetadata(meta map[string]json.RawMessage) string {
	var parts []string
	plain := ""
	flush := func() {
		if plain != "" {
			parts = append(parts, literal(strings.NewReplacer("{{", `{\u007b`, "$", `\u0024`).Replace(plain)))
		}
		plain = ""
	}
	var write func(v any)
	write = func(v any) {
		switch v := v.(type) {
		case string:
			ps := l.pieces(placeholder.Parse(v))
			if len(ps) == 0 || len(ps) == 1 && ps[0].carrier == "" && ps[0].tags == "" {
				plain += mustJSON(v)
				return
			}
			flush()
			parts = append(parts, encoded(concat(ps)))
		case []any:
			plain += "["
			for i, e := range v {
				if i > 0 {
					plain += ","
				}
				write(e)
			}
			plain += "]"
		case map[string]any:
			plain += "{"
			for i, k := range slices.Sorted(maps.Keys(v)) {
				if i > 0 {
					plain += ","
				}
				plain += mustJSON(k) + ":"
				write(v[k])
			}
			plain += "}"
		default:
			plain += mustJSON(v)
		}
	}
	all := map[string]any{}
	for k, j := range meta {
		var v any
		if err := jsontext.Decode(j, &v); err != nil {
			l.errorf("metadata %s: %w", k, err)
		}
		all[k] = v
	}
	write(all)
	flush()
	return strings.Join(parts, " + ")
}

// importTask is the task that fetches an input of the pipeline which is an
// artifact: its argument is a URI.
func importTask(input string) string {
	return safeName("kfpgo-import-"+strings.ReplaceAll(input, "_", "-"), input)
}

// artifactInputs returns the inputs of the pipeline that are artifacts and that a
// task reads.
func (s *scope) artifactInputs(t *program.Task) []string {
	if !s.root {
		return nil
	}
	var names []string
	for _, v := range t.Values() {
		if in := s.comp.Input(v.Name); v.Kind == program.Input && in != nil && in.Type.Artifact && !slices.Contains(names, in.Name) {
			names = append(names, in.Name)
		}
	}
	return names
}

// importInputs adds tasks that import the pipeline's inputs which tasks read.
func (s *scope) importInputs(d *wfv1.DAGTemplate, tasks []*program.Task) {
	for i := range s.comp.Inputs {
		in := &s.comp.Inputs[i]
		if !slices.ContainsFunc(tasks, func(t *program.Task) bool { return slices.Contains(s.artifactInputs(t), in.Name) }) {
			continue
		}
		s.task = &program.Task{Name: in.Name, Pos: s.comp.Pos}
		text := graph.Type{Name: kfptype.String}
		out := *in
		out.Name = "artifact"
		imp := importer{
			name: importTask(in.Name), out: &out, may: in.Optional, meta: "'{}'",
			in: wfv1.Inputs{Parameters: []wfv1.Parameter{{Name: uriInput}}}, uri: program.Value{Kind: program.Input, Name: in.Name, Type: text},
		}
		d.Tasks = append(d.Tasks, wfv1.DAGTask{
			Name: importTask(in.Name), Template: s.importer(imp),
			Arguments: wfv1.Arguments{Parameters: []wfv1.Parameter{param(uriInput, tag(fromArgument(in)))}},
		})
	}
}
