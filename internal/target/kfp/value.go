package kfp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/text/freename"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
	"github.com/kfpgo/kfpgo/internal/text/jsontree"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// param returns where a parameter of a component comes from. A string with references in it is a
// constant with placeholders, and each reference an input of the task beside it.
func (w *writer) param(at place, c *program.Component, what string, v program.Value, inputs *kfpspec.TaskInputs) *kfpspec.InputParameter {
	switch v.Kind {
	case program.Const:
		c, err := w.constant(w.image(at, v.Const), v.Type.Name)
		if err != nil {
			at.errorf("%s: %v", what, err)
			return nil
		}
		return &kfpspec.InputParameter{RuntimeValue: &kfpspec.ValueOrParameter{Constant: c}}
	case program.Format:
		bare := v.Bare()
		if bare != nil && (c == nil || !c.Composes()) {
			at.refuse("format.json.value.passed")
			return nil
		}
		form := func(placeholder string) string { return placeholder }
		if w.composes(c) {
			form = func(placeholder string) string { return hide(placeholder, v.JSON()) }
		}
		text := ""
		if bare != nil {
			text = w.listOrStruct(at, what, v, inputs, form)
		} else {
			text = w.format(at, what, v, inputs, form)
		}
		c, err := json.RawMessage(text), error(nil) // the JSON of a list or struct
		if !v.JSON() {
			c, err = json.Marshal(text)
		} else if w.p.IR == nil {
			_, err = constant(v.Sample(), v.Type.Name)
		}
		if err != nil {
			at.errorf("%s: %v", what, err)
		}
		return &kfpspec.InputParameter{RuntimeValue: &kfpspec.ValueOrParameter{Constant: c}}
	case program.Run:
		c, _ := json.Marshal(run(v))
		return &kfpspec.InputParameter{RuntimeValue: &kfpspec.ValueOrParameter{Constant: c}}
	case program.Status:
		if len(v.Field) > 0 {
			at.refuse("status.field")
			return nil
		}
		return &kfpspec.InputParameter{TaskFinalStatus: &kfpspec.TaskFinalStatus{ProducerTask: v.Task}}
	}
	return w.reference(at, what, v)
}

// reference returns where a parameter comes from that is not known yet.
func (w *writer) reference(at place, what string, v program.Value) *kfpspec.InputParameter {
	p := &kfpspec.InputParameter{}
	switch v.Kind {
	case program.Input:
		p.ComponentInputParameter = v.Name
	case program.Output:
		p.TaskOutputParameter = &kfpspec.TaskOutputParameter{ProducerTask: v.Task, OutputParameterKey: v.Name}
	default:
		at.errorf("%s: KFP has no value of the kind %s there", what, v.Kind)
		return nil
	}
	if len(v.Field) > 0 {
		var b strings.Builder
		b.WriteString("parseJson(string_value)")
		for _, f := range v.Field {
			j, _ := json.Marshal(f)
			fmt.Fprintf(&b, "[%s]", j)
		}
		p.ParameterExpressionSelector = b.String()
	}
	if v.Selector != "" {
		p.ParameterExpressionSelector = v.Selector
	}
	return p
}

// format returns the text of a value with placeholders for the references in it, in
// the form that they take there.
func (w *writer) format(at place, what string, v program.Value, inputs *kfpspec.TaskInputs, form func(placeholder string) string) string {
	var b strings.Builder
	text := func(s string) {
		if placeholder.Escapes(s) && w.p.IR == nil {
			at.errorf("%s: KFP replaces {{$ in the string %q", what, s)
		}
		if err := w.stays(s); err != nil {
			at.errorf("%s: %v", what, err)
		}
		b.WriteString(s)
	}
	for i, t := range v.Text {
		text(w.imageText(at, t))
		if i >= len(v.Of) {
			continue
		}
		switch of := v.Of[i]; of.Kind {
		case program.Const:
			t, _ := of.Constant()
			text(t)
		case program.Run:
			text := run(of)
			if w.exact() { // servers replace it in place of a whole value only
				j, _ := json.Marshal(text)
				name := contract.Channel + of.Name
				kfpspec.Put(&inputs.Parameters, name, &kfpspec.InputParameter{RuntimeValue: &kfpspec.ValueOrParameter{Constant: j}})
				text = form(placeholder.Part{Kind: placeholder.InputParam, Name: name}.String())
			}
			b.WriteString(text)
		case program.Format:
			b.WriteString(w.format(at, what, of, inputs, form))
		default:
			if p := w.placeholder(at, what, of, inputs); p != "" {
				b.WriteString(form(p))
			}
		}
	}
	return b.String()
}

// run returns the placeholder of what a run knows of itself.
func run(v program.Value) string {
	return placeholder.Part{Kind: placeholder.Run, Name: v.Name}.String()
}

// placeholder adds an input for a reference, and returns the text that stands for it.
func (w *writer) placeholder(at place, what string, v program.Value, inputs *kfpspec.TaskInputs) string {
	name := w.channel(at, what, v, inputs, hidden(v))
	if name == "" {
		return ""
	}
	return placeholder.Part{Kind: placeholder.InputParam, Name: name}.String()
}

// channel adds an input for a reference, and returns its name: base, if that is free.
func (w *writer) channel(at place, what string, v program.Value, inputs *kfpspec.TaskInputs, base string) string {
	p := w.reference(at, what, v)
	if p == nil {
		return ""
	}
	name := freename.Of(base, func(name string) bool {
		return inputs.Parameters[name] != nil && !reflect.DeepEqual(inputs.Parameters[name], p)
	})
	kfpspec.Put(&inputs.Parameters, name, p)
	return name
}

// hidden returns the name of the input that Python adds for a reference.
func hidden(v program.Value) string {
	name := v.Name
	if v.Kind == program.Output {
		name = v.Task + "-" + v.Name
	}
	if v.Kind == program.Output || !strings.HasPrefix(name, contract.Channel) {
		name = contract.Channel + name
	}
	for _, f := range v.Field {
		name += "-subvar-" + f
	}
	return name
}

// image puts the program's image where a constant names it.
func (w *writer) image(at place, c json.RawMessage) json.RawMessage {
	if !bytes.Contains(c, []byte(contract.ProgramImage)) {
		return c
	}
	w.needImage(at, "names dsl.ProgramImage")
	j, _ := json.Marshal(w.o.Image)
	return bytes.ReplaceAll(c, []byte(contract.ProgramImage), j[1:len(j)-1])
}

// imageText does so in a string.
func (w *writer) imageText(at place, s string) string {
	if strings.Contains(s, contract.ProgramImage) {
		w.needImage(at, "names dsl.ProgramImage")
	}
	return strings.ReplaceAll(s, contract.ProgramImage, w.o.Image)
}

// needImage refuses a task that needs the program's image where there is none.
func (w *writer) needImage(at place, why string) {
	if w.o.Image == "" {
		at.errorf("%s: give the program's image, with --image or KFPGO_IMAGE", why)
	}
}

// vertex are strings of Google's components that only Vertex AI replaces: KFP passes
// them on as they are, and who has one as a constant means it.
var vertex = map[string]bool{"{{$.pipeline_google_cloud_project_id}}": true, "{{$.pipeline_google_cloud_location}}": true}

// maxExact is the greatest integer up to which a double holds all of them.
var maxExact = big.NewInt(1 << 53)

// constant checks a constant of a program that no file of IR has said already.
func (w *writer) constant(c json.RawMessage, typ string) (json.RawMessage, error) {
	if w.p.IR != nil && json.Valid(c) {
		return c, nil
	}
	if err := w.stays(string(c)); err != nil {
		return nil, err
	}
	return constant(c, typ)
}

// stays refuses a string that is another one in the run where the IR goes to a server:
// Kubernetes makes one $ of two, in the arguments of KFP's driver and launcher, and Argo
// replaces its variables and expressions in the Workflow.
func (w *writer) stays(s string) error {
	if !w.exact() {
		return nil
	}
	if char := unkept.FindString(s); char != "" {
		return fmt.Errorf("KFP's server, which reads pipelines as YAML, can't keep the character %+q in the string %q; pass it as an artifact", char, s)
	}
	return stays(s)
}

// unkept are the characters that the YAML of KFP's server, sigs.k8s.io/yaml, has an error
// for or, of U+0085, reads as a space.
var unkept = lazyregexp.New(`[\x{7f}-\x{9f}\x{fffe}\x{ffff}]`)

func stays(s string) error {
	if strings.Contains(s, "$$") {
		return fmt.Errorf("KFP leaves one $ of two in the string %q; pass it as an artifact", s)
	}
	if tag := placeholder.ArgoReplaces(s); tag != "" {
		return fmt.Errorf("Argo, which runs KFP's steps, replaces %s in the string %q; pass it as an artifact", tag, s)
	}
	return nil
}

// constant checks that KFP carries a constant of a type unchanged: its numbers
// are doubles, and its launcher replaces {{$ in strings.
func constant(c json.RawMessage, typ string) (json.RawMessage, error) {
	tree, err := jsontree.Parse(c)
	if err != nil {
		return nil, fmt.Errorf("constant %q is not JSON: %w", c, err)
	}
	return c, carried(&tree, typ)
}

func carried(n *jsontree.Node, typ string) error {
	for _, t := range []string{n.Key, n.Text} {
		if placeholder.Escapes(t) && !vertex[t] {
			return fmt.Errorf("KFP replaces {{$ in the string %q; pass it as an artifact, or in parts", t)
		}
	}
	if n.Kind == jsontree.Number {
		i, whole := new(big.Int).SetString(n.Text, 10)
		if whole && typ != kfptype.Double && i.CmpAbs(maxExact) > 0 {
			return fmt.Errorf("the number %s: KFP holds numbers as doubles, which are exact up to 2^53 only; pass it as a string", n.Text)
		}
		if f, err := strconv.ParseFloat(n.Text, 64); err != nil {
			return fmt.Errorf("the number %s: KFP holds numbers as doubles: %v is all that is left", n.Text, f)
		}
	}
	for i := range n.Nodes {
		if err := carried(&n.Nodes[i], typ); err != nil {
			return err
		}
	}
	return nil
}

// pythonJSON returns JSON as Python's json.dumps(v, sort_keys=True) does, save
// for the digits of numbers, which stay.
func pythonJSON(j json.RawMessage) string {
	var v any
	if jsontext.Decode(j, &v) != nil {
		return string(j)
	}
	var b bytes.Buffer
	writeJSON(&b, v)
	return b.String()
}

func writeJSON(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			writeJSON(b, e)
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		for i, k := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b.WriteString(", ")
			}
			writeJSON(b, k)
			b.WriteString(": ")
			writeJSON(b, v[k])
		}
		b.WriteByte('}')
	default:
		j, _ := jsontext.Marshal(v) // a string, number, bool or nil can't fail
		b.Write(j)
	}
}
