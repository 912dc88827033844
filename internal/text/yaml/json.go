package yaml

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// Resolve returns the node that an alias stands for, and any other one as it is.
func Resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// A converter writes YAML as JSON. It gives up on values that are huge because they hold
// aliases of each other.
type converter struct {
	bytes.Buffer
	aliases int // that hold what is being written
	values  int // in aliases
}

// JSON returns a node as JSON: in its order, and with numbers as exact as they were
// written.
func JSON(n *yaml.Node) (json.RawMessage, error) {
	var c converter
	err := c.write(n, 0)
	return c.Bytes(), err
}

func (c *converter) write(n *yaml.Node, depth int) error {
	if n.Kind == yaml.AliasNode {
		c.aliases++
		defer func() { c.aliases-- }()
		n = Resolve(n)
	}
	if c.aliases > 0 {
		c.values++
	}
	if c.values > 1<<20 || depth > 100 {
		return errors.New("it is nested more than 100 deep, or holds more than a million values")
	}
	switch n.Kind {
	case yaml.DocumentNode:
		return c.write(n.Content[0], depth)
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
		key := Resolve(n.Content[i])
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
			return nil, fmt.Errorf("%s is not a number in JSON", n.Value)
		}
		return b, nil
	}
	return jsontext.String(n.Value), nil // also times: they are strings here
}
