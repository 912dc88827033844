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

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
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
		return jsontext.String(n.Value), text(jsontext.String(n.Value), fmt.Sprintf("%q", n.Value))
	}
	if t.Artifact {
		return nil, errors.New("an artifact is given by its URI or file name")
	}
	b, err := toJSON(n)
	if err != nil {
		return nil, err
	}
	if t.Name == kfptype.String && n.Kind == yaml.ScalarNode && b[0] != '"' {
		return nil, fmt.Errorf("%s is not a string; put it in quotes", n.Value)
	}
	return b, check(b, t, "", string(b))
}

// A converter writes YAML as JSON, with numbers as exact as they were written. It
// gives up on values that are huge because they hold aliases of each other.
type converter struct {
	bytes.Buffer
	values int
}

func toJSON(n *yaml.Node) (json.RawMessage, error) {
	var c converter
	err := c.write(n, 0)
	return c.Bytes(), err
}

func (c *converter) write(n *yaml.Node, depth int) error {
	if c.values++; c.values > 1<<20 || depth > 100 {
		return errors.New("it is nested more than 100 deep, or holds more than a million values")
	}
	n = resolve(n)
	switch n.Kind {
	case yaml.SequenceNode:
		c.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				c.WriteByte(',')
			}
			if err := c.write(item, depth+1); err != nil {
				return err
			}
		}
		c.WriteByte(']')
		return nil
	case yaml.MappingNode:
		return c.object(n, depth)
	}
	b, err := scalar(n)
	c.Write(b)
	return err
}

func (c *converter) object(n *yaml.Node, depth int) error {
	c.WriteByte('{')
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key := resolve(n.Content[i])
		if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			return fmt.Errorf("line %d: the names of an object are plain strings", key.Line)
		}
		if seen[key.Value] {
			return fmt.Errorf("line %d: %s is given twice", key.Line, key.Value)
		}
		seen[key.Value] = true
		if i > 0 {
			c.WriteByte(',')
		}
		c.Write(jsontext.String(key.Value))
		c.WriteByte(':')
		if err := c.write(n.Content[i+1], depth+1); err != nil {
			return err
		}
	}
	c.WriteByte('}')
	return nil
}

func scalar(n *yaml.Node) (json.RawMessage, error) {
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
	return jsontext.String(n.Value), nil // also times: they are strings here
}
