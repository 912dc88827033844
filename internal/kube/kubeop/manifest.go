package kubeop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
)

// A filler fills values into strings with placeholders.
type filler struct {
	inputs map[string]json.RawMessage
	types  map[string]graph.Type
	image  func() (string, error)
}

// fill returns a filler of inputs by name, for a program that has an image.
func fill(ports []graph.Field, inputs map[string]json.RawMessage, image func() (string, error)) *filler {
	f := &filler{inputs: inputs, types: map[string]graph.Type{}, image: image}
	for _, in := range ports {
		f.types[in.Name] = in.Type
	}
	return f
}

// Planned returns the object of a resource operation, as Operate makes it.
func Planned(manifest string, ports []graph.Field, inputs map[string]json.RawMessage, image string) (map[string]any, error) {
	return fill(ports, inputs, func() (string, error) { return image, nil }).object(manifest)
}

// object returns the object of a manifest. Values are data: they are filled in
// after the YAML has been read, so nothing in them can change its structure. A
// scalar that is one placeholder without quotes gets the value with its type,
// and is left out with its key where the value was not given.
func (f *filler) object(manifest string) (map[string]any, error) {
	parts := placeholder.Parse(strings.TrimSpace(manifest))
	if len(parts) == 1 && parts[0].Kind == placeholder.InputParam { // the manifest is an input
		j, ok := f.inputs[parts[0].Name]
		if !ok {
			return nil, fmt.Errorf("input %s was not given", parts[0].Name)
		}
		var text string
		if json.Unmarshal(j, &text) != nil {
			text = string(j) // a struct, whose JSON is YAML
		}
		return (&holes{}).read(text)
	}
	h := &holes{f: f, mark: "kfpgo-hole-"}
	for strings.Contains(manifest, h.mark) {
		h.mark += "x-"
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Kind != placeholder.Text {
			b.WriteString(h.hole(p))
			continue
		}
		for i, text := range strings.Split(p.Text, contract.ProgramImage) {
			if i > 0 {
				b.WriteString(h.hole(placeholder.Part{Text: contract.ProgramImage}))
			}
			b.WriteString(text)
		}
	}
	return h.read(b.String())
}

// Holes stand for placeholders while YAML is read, in which {{ is a mapping.
type holes struct {
	f     *filler
	mark  string
	parts []placeholder.Part
	nodes int // that were read, those that aliases repeat included
}

func (h *holes) hole(p placeholder.Part) string {
	h.parts = append(h.parts, p)
	return fmt.Sprintf("%s%d.", h.mark, len(h.parts)-1)
}

// read reads a manifest, which has one object.
func (h *holes) read(text string) (map[string]any, error) {
	d := yaml.NewDecoder(strings.NewReader(text))
	var doc, more yaml.Node
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, errors.New("it is empty")
	case err != nil:
		return nil, err
	}
	if err := d.Decode(&more); err == nil {
		return nil, errors.New("it has several documents; make a component for each")
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	v, _, err := h.value(&doc, 0)
	if err != nil {
		return nil, err
	}
	obj, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("it is not an object: YAML with apiVersion, kind and so on")
	}
	return obj, nil
}

// More than any object nests, which ends aliases that hold themselves, and more than it holds.
const (
	maxDepth = 200
	maxNodes = 100_000
)

// value returns the value of a node, and whether it is there at all.
func (h *holes) value(n *yaml.Node, depth int) (v any, given bool, err error) {
	if depth > maxDepth {
		return nil, false, fmt.Errorf("line %d: nested too deeply", n.Line)
	}
	if h.nodes++; h.nodes > maxNodes {
		return nil, false, fmt.Errorf("with its aliases put in it has more than %d values", maxNodes)
	}
	switch n.Kind {
	case yaml.DocumentNode:
		return h.value(n.Content[0], depth+1)
	case yaml.AliasNode:
		return h.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			item, ok, err := h.value(c, depth+1)
			if err != nil {
				return nil, false, err
			}
			if ok {
				list = append(list, item)
			}
		}
		return list, true, nil
	case yaml.MappingNode:
		m, err := h.mapping(n, depth)
		return m, true, err
	}
	return h.scalar(n)
}

func (h *holes) mapping(n *yaml.Node, depth int) (map[string]any, error) {
	m, merged := map[string]any{}, map[string]any{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, c := n.Content[i], n.Content[i+1]
		v, ok, err := h.value(c, depth+1)
		if err != nil {
			return nil, err
		}
		if k.Tag == "!!merge" {
			list, isList := v.([]any)
			if !isList {
				list = []any{v}
			}
			for _, item := range list {
				item, _ := item.(map[string]any)
				for key, v := range item {
					if _, dup := merged[key]; !dup {
						merged[key] = v
					}
				}
			}
			continue
		}
		if k.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("line %d: a key is not a string", k.Line)
		}
		key, err := h.text(k.Value)
		if err != nil {
			return nil, err
		}
		if _, dup := m[key]; dup {
			return nil, fmt.Errorf("line %d: %s is there twice", k.Line, key)
		}
		if ok {
			m[key] = v
		}
	}
	for key, v := range merged {
		if _, own := m[key]; !own {
			m[key] = v
		}
	}
	return m, nil
}

func (h *holes) scalar(n *yaml.Node) (v any, given bool, err error) {
	if p, ok := h.whole(n.Value); ok {
		text, raw, given, err := h.f.value(p)
		switch {
		case err != nil:
			return nil, false, err
		case !given:
			return "", n.Style != 0, nil // in quotes it is a string
		case n.Style == 0 && raw != nil:
			v, err := decode(raw)
			return v, true, err
		}
		return text, true, nil
	}
	if h.mark != "" && strings.Contains(n.Value, h.mark) {
		text, err := h.text(n.Value)
		return text, true, err
	}
	if n.Tag == "!!timestamp" || n.Tag == "!!binary" {
		return n.Value, true, nil // JSON has neither
	}
	if n.Tag == "!!int" {
		if _, err := decode([]byte(n.Value)); err == nil {
			return json.Number(n.Value), true, nil // exact, however big
		}
	}
	err = n.Decode(&v)
	return v, true, err
}

// whole returns the placeholder that a string is all of.
func (h *holes) whole(text string) (placeholder.Part, bool) {
	for i, p := range h.parts {
		if text == fmt.Sprintf("%s%d.", h.mark, i) {
			return p, true
		}
	}
	return placeholder.Part{}, false
}

// text fills the holes in a string.
func (h *holes) text(s string) (string, error) {
	if h.mark == "" || !strings.Contains(s, h.mark) {
		return s, nil
	}
	var pairs []string
	for i := len(h.parts) - 1; i >= 0; i-- {
		hole := fmt.Sprintf("%s%d.", h.mark, i)
		if !strings.Contains(s, hole) {
			continue
		}
		text, _, _, err := h.f.value(h.parts[i])
		if err != nil {
			return "", err
		}
		pairs = append(pairs, hole, text)
	}
	return strings.NewReplacer(pairs...).Replace(s), nil
}

// value returns the value of a placeholder, as text and as JSON. A string has no
// JSON: it stays one, whatever it looks like.
func (f *filler) value(p placeholder.Part) (text string, raw json.RawMessage, given bool, err error) {
	switch p.Kind {
	case placeholder.Text: // the program's image
		text, err = f.image()
		return text, nil, true, err
	case placeholder.InputParam:
		j, ok := f.inputs[p.Name]
		if !ok {
			return "", nil, false, nil
		}
		if json.Unmarshal(j, &text) == nil {
			return text, nil, true, nil
		}
		return string(j), j, true, nil
	case placeholder.InputArtifact:
		j, ok := f.inputs[p.Name]
		if !ok {
			return "", nil, false, nil
		}
		var a struct {
			URI      string                     `json:"uri"`
			Metadata map[string]json.RawMessage `json:"metadata"`
		}
		if err := json.Unmarshal(j, &a); err != nil {
			return "", nil, false, fmt.Errorf("input %s: %w", p.Name, err)
		}
		switch {
		case p.Field == "uri":
			return a.URI, nil, true, nil
		case p.Field == "metadata" && p.Key != "":
			raw, ok := a.Metadata[p.Key]
			if json.Unmarshal(raw, &text) == nil {
				return text, nil, ok, nil
			}
			return string(raw), raw, ok, nil
		}
	}
	return "", nil, false, fmt.Errorf("%s has no meaning in a manifest; use the URI of an artifact", p)
}

// fill fills a string that is not YAML.
func (f *filler) fill(s string) (string, error) {
	var b strings.Builder
	for _, p := range placeholder.Parse(s) {
		if p.Kind == placeholder.Text {
			b.WriteString(p.Text)
			continue
		}
		text, _, _, err := f.value(p)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// decode reads JSON with exact numbers.
func decode(j []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(j))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}
