package kfpread

import (
	"encoding/json"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
	"github.com/kfpgo/kfpgo/internal/text/jsontree"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// values reads the values of one task, in terms of the component that holds it.
type values struct {
	*converter
	in    *program.Component
	d     *kfpspec.DAGSpec
	name  string
	task  *kfpspec.TaskSpec
	where *node // the settings of its executor
}

// param reads where a parameter comes from.
func (v *values) param(p *kfpspec.InputParameter, typ graph.Type) program.Value {
	if p.RuntimeValue != nil {
		return v.constant(p.RuntimeValue.Constant, typ)
	}
	return v.reference(p, typ)
}

// reference reads a value that is known at run time. Its type is that of what
// makes it or, of a part of that, of what takes it.
func (v *values) reference(p *kfpspec.InputParameter, typ graph.Type) program.Value {
	out := program.Value{Type: typ}
	switch {
	case p.TaskOutputParameter != nil:
		o := p.TaskOutputParameter
		out.Kind, out.Task, out.Name = program.Output, o.ProducerTask, o.OutputParameterKey
		out.Type = graph.Type{Name: v.spec.Components[v.d.Tasks[o.ProducerTask].ComponentRef.Name].OutputDefinitions.Parameters[o.OutputParameterKey].ParameterType}
	case p.TaskFinalStatus != nil:
		return program.Value{Kind: program.Status, Task: p.TaskFinalStatus.ProducerTask, Type: typ}
	default:
		out.Kind, out.Name, out.Type = program.Input, p.ComponentInputParameter, v.in.Input(p.ComponentInputParameter).Type
	}
	if s := p.ParameterExpressionSelector; s != "" && !strings.HasPrefix(s, contract.Intact) {
		out.Type = typ
		if out.Field = fields(s); out.Field == nil {
			out.Selector = s
		}
	}
	return out
}

func (v *values) artifact(a *kfpspec.InputArtifact, typ graph.Type) program.Value {
	if o := a.TaskOutputArtifact; o != nil {
		spec := v.spec.Components[v.d.Tasks[o.ProducerTask].ComponentRef.Name].OutputDefinitions.Artifacts[o.OutputArtifactKey]
		return program.Value{Kind: program.Output, Task: o.ProducerTask, Name: o.OutputArtifactKey, Type: artifactType(spec)}
	}
	return program.Value{Kind: program.Input, Name: a.ComponentInputArtifact, Type: v.in.Input(a.ComponentInputArtifact).Type}
}

// constant reads a constant, or the text or JSON with references in it that KFP
// writes as one.
func (v *values) constant(raw json.RawMessage, typ graph.Type) program.Value {
	if strings.Contains(string(raw), "{{$.") {
		if f, ok := v.format(raw, typ); ok {
			return f
		}
	}
	return program.Value{Kind: program.Const, Const: exact(untyped(raw, typ.Name), typ.Name), Type: typ}
}

// untyped returns a constant without the type that alphas of KFP 2 said with it, such
// as {"stringValue": "1"}.
func untyped(raw json.RawMessage, typ string) json.RawMessage {
	if len(raw) == 0 || raw[0] != '{' || typ != kfptype.String && typ != kfptype.Integer && typ != kfptype.Double {
		return raw
	}
	n, err := jsontree.Parse(raw)
	if err != nil || len(n.Nodes) != 1 {
		return raw
	}
	switch v := n.Nodes[0]; {
	case v.Key == "stringValue" && v.Kind == jsontree.String && typ == kfptype.String, v.Kind == jsontree.Number && (v.Key == "intValue" || v.Key == "doubleValue"):
		return json.RawMessage(v.Raw)
	case v.Key == "intValue" && v.Kind == jsontree.String && numeral.MatchString(v.Text):
		return json.RawMessage(v.Text)
	}
	return raw
}

// inJSON is a placeholder with its name in double quotes, in the JSON of a string.
var inJSON = lazyregexp.New(`\{\{\$\.inputs\.parameters\[\\"([^'"\\]*)\\"\]\}\}`)

// bare is what stands in the JSON of a list or struct for the JSON of an input, in files
// of kfpgo's: placeholder.Bare.
var bare = lazyregexp.New(`"\{\{\$\.inputs\.parameters\[\\"([^"\\]*)\\"\]\.json\}\}"`)

// format reads a constant with placeholders of the task's own inputs, or of what
// the run knows. What only looks like one stays text.
func (v *values) format(raw json.RawMessage, typ graph.Type) (program.Value, bool) {
	out := program.Value{Kind: program.Format, Type: graph.Type{Name: kfptype.String}}
	text, found := "", false
	add := func(of program.Value) {
		out.Text, out.Of = append(out.Text, text), append(out.Of, of)
		text, found = "", true
	}
	parse := func(s string) {
		for _, part := range placeholder.Parse(s) {
			of := program.Value{Type: graph.Type{Name: kfptype.String}}
			switch {
			case part.Kind == placeholder.Run:
				of.Kind, of.Name = program.Run, part.Name
			case part.Kind == placeholder.InputParam && v.given(part.Name):
				of = v.reference(v.task.Inputs.Parameters[part.Name], of.Type)
			default:
				text += part.String()
				continue
			}
			add(of)
		}
	}
	s := ""
	if json.Unmarshal(raw, &s) == nil {
		parse(s)
	} else {
		out.Type, s = typ, string(exact(raw, typ.Name)) // the strings in a list or struct have them
		rest := 0
		texts := func(s string) { parse(inJSON.ReplaceAllString(s, "{{$$.inputs.parameters['$1']}}")) }
		for _, m := range bare.FindAllStringSubmatchIndex(s, -1) {
			if name := s[m[2]:m[3]]; v.given(name) {
				texts(s[rest:m[0]])
				add(v.reference(v.task.Inputs.Parameters[name], graph.Type{Name: kfptype.String}))
				rest = m[1]
			}
		}
		texts(s[rest:])
	}
	out.Text = append(out.Text, text)
	if len(out.Of) == 1 && out.Of[0].Kind == program.Run && out.Text[0]+out.Text[1] == "" {
		return out.Of[0], true
	}
	return out, found
}

// given reports whether the task has an input that comes from elsewhere.
func (v *values) given(name string) bool {
	p := v.task.Inputs.Parameters[name]
	return p != nil && p.RuntimeValue == nil && p.TaskFinalStatus == nil
}

// setting reads a string of an executor: a constant, or one placeholder of an input
// of the task.
func (v *values) setting(s string) *program.Value {
	if s == "" {
		return nil
	}
	parts := placeholder.Parse(s)
	if len(parts) == 1 && parts[0].Kind == placeholder.InputParam && v.given(parts[0].Name) {
		of := v.reference(v.task.Inputs.Parameters[parts[0].Name], graph.Type{Name: kfptype.String})
		return &of
	}
	return str(s)
}

// str returns a constant text.
func str(s string) *program.Value {
	return &program.Value{Kind: program.Const, Const: jsontext.String(s), Type: graph.Type{Name: kfptype.String}}
}
