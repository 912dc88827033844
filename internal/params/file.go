package params

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/graph"
)

// file reads a YAML object of parameters.
func (r *reader) file(name string, content []byte) {
	d := yaml.NewDecoder(bytes.NewReader(content))
	var doc yaml.Node
	if err := d.Decode(&doc); err == io.EOF {
		return // an empty file gives nothing
	} else if err != nil {
		r.errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
		return
	}
	if err := d.Decode(new(yaml.Node)); err != io.EOF {
		r.errorf("%s: give one YAML document; there are more", name)
		return
	}
	root := resolve(doc.Content[0])
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return
	}
	if root.Kind != yaml.MappingNode {
		r.errorf("%s:%d: wanted names and values, such as epochs: 5", name, root.Line)
		return
	}
	given := map[string]bool{} // on the command line
	for k := range r.values {
		given[k] = true
	}
	seen := map[string]bool{}
	for i := 0; i < len(root.Content); i += 2 {
		key, value := root.Content[i], resolve(root.Content[i+1])
		at := fmt.Sprintf("%s:%d: ", name, key.Line)
		if seen[key.Value] {
			r.errorf("%sparameter %s is given twice", at, key.Value)
			continue
		}
		seen[key.Value] = true
		in := r.input(at, key.Value)
		if in == nil {
			continue
		}
		r.tried[in.Name] = true
		b, err := fromYAML(value, in.Type)
		if err != nil {
			r.errorf("%sparameter %s: %w", at, in.Name, err)
		} else if !given[in.Name] {
			r.values[in.Name] = b
		}
	}
}

func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

func fromYAML(n *yaml.Node, t graph.Type) (json.RawMessage, error) {
	if n.Tag == "!!null" {
		return nil, fmt.Errorf("null is no value; leave the parameter out, or give %s", wanted(t))
	}
	if t.Artifact && n.Tag == "!!str" && !t.List {
		return encode(n.Value), nil
	}
	if t.Artifact {
		return nil, errors.New("an artifact is given by its URI or file name")
	}
	b, err := (&converter{most: 1 << 20}).toJSON(n)
	if err != nil {
		return nil, err
	}
	if t.Name == "STRING" && n.Kind == yaml.ScalarNode && b[0] != '"' {
		return nil, fmt.Errorf("%s is not a string; put it in quotes", n.Value)
	}
	return b, check(b, t, "", string(b))
}

// A converter turns YAML into JSON. It gives up on values that are huge because
// they use aliases of themselves or of each other.
type converter struct{ most int }

// toJSON returns the JSON of a YAML value, with numbers as exact as they were written.
func (c *converter) toJSON(n *yaml.Node) (json.RawMessage, error) {
	if c.most--; c.most < 0 {
		return nil, errors.New("it holds more than a million values")
	}
	n = resolve(n)
	switch n.Kind {
	case yaml.SequenceNode:
		return c.sequence(n)
	case yaml.MappingNode:
		return c.mapping(n)
	}
	switch n.Tag {
	case "!!null":
		return json.RawMessage("null"), nil
	case "!!bool":
		var v bool
		err := n.Decode(&v)
		return json.RawMessage(strconv.FormatBool(v)), err
	case "!!int", "!!float":
		if plain := json.RawMessage(n.Value); json.Valid(plain) {
			return plain, nil
		}
		var v any // 0x10, +5, .5 and 1_000
		if err := n.Decode(&v); err != nil {
			return nil, err
		}
		b, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("%s is no number that JSON knows", n.Value)
		}
		return b, nil
	}
	return encode(n.Value), nil // also times: they are strings here
}

func (c *converter) sequence(n *yaml.Node) (json.RawMessage, error) {
	b := []byte{'['}
	for i, item := range n.Content {
		v, err := c.toJSON(item)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, v...)
	}
	return append(b, ']'), nil
}

func (c *converter) mapping(n *yaml.Node) (json.RawMessage, error) {
	b := []byte{'{'}
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key := resolve(n.Content[i])
		if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			return nil, fmt.Errorf("line %d: the names of an object are plain strings", key.Line)
		}
		if seen[key.Value] {
			return nil, fmt.Errorf("line %d: %s is given twice", key.Line, key.Value)
		}
		seen[key.Value] = true
		v, err := c.toJSON(n.Content[i+1])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, encode(key.Value)...), ':'), v...)
	}
	return append(b, '}'), nil
}
