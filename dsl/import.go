package dsl

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// An ImportConfig is an option of [Import].
type ImportConfig struct {
	Reimport bool // even if the URI was imported before (reimport)

	// Metadata of the artifact: constants of any form, and references and
	// [Sprintf] in place of any of its strings (metadata).
	Metadata map[string]any

	Workspace bool // copies it to the [Workspace] of the run first (download_to_workspace)
}

// An ImportOption is an argument of [Import]: an [ImportConfig], or an [Option]
// such as [After].
type ImportOption interface{ imported(*importing) }

type importing struct {
	config  ImportConfig
	options []Option
}

func (o Option) imported(i *importing)       { i.options = append(i.options, o) }
func (c ImportConfig) imported(i *importing) { i.config = c }

// Import returns an artifact that already exists at a URI. KFP calls it
// dsl.importer.
//
//	base := dsl.Import[dsl.Model](s, "s3://models/base", dsl.ImportConfig{
//		Metadata: map[string]any{"language": in.Language},
//	})
func Import[A interface{ artifact() }, P interface {
	*A
	field
}, U Text](s *Scope, uri U, opts ...ImportOption) A {
	type in struct{ URI Param[string] }
	type out struct{ Artifact A }
	var with importing
	for _, o := range opts {
		if o != nil {
			o.imported(&with)
		}
	}
	c := newComponent[in, out](graph.Importer, "importer", nil)
	spec := &graph.ImporterSpec{Reimport: with.config.Reimport, Workspace: with.config.Workspace}
	c.c.Importer = spec
	c.c.Complete = func(t *record.Task) {
		m := &metadata{s: s, t: t, names: map[*record.Value]string{}}
		if len(with.config.Metadata) == 0 {
			return
		}
		tree, _ := m.tree(reflect.ValueOf(with.config.Metadata)).(map[string]any)
		spec.Metadata = map[string]json.RawMessage{}
		for k, v := range tree {
			spec.Metadata[k] = json.RawMessage(jsonOf(v))
		}
	}
	return c.Call(s, in{URI: textParam(uri)}, with.options...).Out.Artifact
}

// metadata makes inputs of an importer of the references in its metadata.
type metadata struct {
	s     *Scope
	t     *record.Task
	names map[*record.Value]string
}

// tree returns a value with a placeholder for each reference in it.
func (m *metadata) tree(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	if in, ok := v.Interface().(Input); ok {
		return m.reference(orInvalid(in.ref(), "a value of the metadata"))
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return m.tree(v.Elem())
	case reflect.Map:
		out := map[string]any{}
		for _, k := range slices.SortedFunc(slices.Values(v.MapKeys()), func(a, b reflect.Value) int {
			return strings.Compare(fmt.Sprint(a.Interface()), fmt.Sprint(b.Interface()))
		}) {
			out[m.text(fmt.Sprint(k.Interface()))] = m.tree(v.MapIndex(k))
		}
		return out
	case reflect.Slice, reflect.Array:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = m.tree(v.Index(i))
		}
		return out
	case reflect.String:
		return m.text(v.String())
	}
	b, err := json.Marshal(v.Interface())
	if err != nil {
		m.t.Errorf("metadata: %v", err)
		return nil
	}
	return json.RawMessage(b)
}

func (m *metadata) text(s string) string {
	if msg, bad := record.Misused(s); bad {
		m.t.Errorf("metadata: %s", msg)
	} else if strings.Contains(s, "{{$") {
		m.t.Errorf("metadata: KFP would replace {{$ in the string %q", s)
	}
	return s
}

func (m *metadata) reference(v *record.Value) any {
	switch {
	case v.Kind == graph.Const:
		var text any
		if jsontext.Decode(v.Const, &text) == nil {
			return m.tree(reflect.ValueOf(text))
		}
		return nil
	case v.Kind == graph.Format && v.Type != kfptype.String:
		m.t.Errorf("metadata: a list or struct with references in it; put the references in a []any or map[string]any there")
		return nil
	case v.Kind == graph.Format:
		text := m.text(v.Text[0])
		for i, of := range v.Of {
			text += fmt.Sprint(m.reference(of)) + m.text(v.Text[i+1])
		}
		return text
	}
	if !m.s.readable(v, m.t.Pos) {
		return nil
	}
	name, ok := m.names[v]
	if !ok {
		if name = "metadata"; len(m.names) > 0 {
			name = fmt.Sprintf("metadata-%d", len(m.names)+1)
		}
		m.names[v] = name
		c := m.t.Component
		c.Inputs = append(c.Inputs, graph.Field{Name: name, Type: graph.Type{Name: v.Type}})
		m.t.Args[name], m.t.Given[name] = v, true
	}
	return "{{$.inputs.parameters['" + name + "']}}"
}
