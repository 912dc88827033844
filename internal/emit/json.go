package emit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// JSON returns what Emit has written as JSON. A file of JSON holds one document.
func JSON(written []byte) ([]byte, error) {
	d := yaml.NewDecoder(bytes.NewReader(written))
	var doc yaml.Node
	if err := d.Decode(&doc); err != nil {
		return nil, err
	}
	if err := d.Decode(new(yaml.Node)); err != io.EOF {
		return nil, errors.New("the pipeline takes more than one document, such as for settings that only Kubernetes knows, and a file of JSON holds one; write YAML")
	}
	var b bytes.Buffer
	if err := writeJSON(&b, doc.Content[0]); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, b.Bytes(), "", "  "); err != nil {
		return nil, err
	}
	return append(out.Bytes(), '\n'), nil
}

// writeJSON writes a node, in its order and with the digits that it has.
func writeJSON(b *bytes.Buffer, n *yaml.Node) error {
	switch n.Kind {
	case yaml.MappingNode:
		b.WriteByte('{')
		for i := 0; i < len(n.Content); i += 2 {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(jsontext.String(n.Content[i].Value))
			b.WriteByte(':')
			if err := writeJSON(b, n.Content[i+1]); err != nil {
				return err
			}
		}
		b.WriteByte('}')
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, c := range n.Content {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := writeJSON(b, c); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case yaml.ScalarNode:
		switch n.Tag {
		case "!!null", "!!bool", "!!int", "!!float":
			if json.Valid([]byte(n.Value)) {
				b.WriteString(n.Value)
				return nil
			}
			return fmt.Errorf("line %d: %s is no value of JSON", n.Line, n.Value)
		}
		b.Write(jsontext.String(n.Value))
	default:
		return fmt.Errorf("line %d: an alias, which is never written", n.Line)
	}
	return nil
}
