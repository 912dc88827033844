package params

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
	yamltext "github.com/kfpgo/kfpgo/internal/text/yaml"
)

// unprinted are characters that JSON may have in its strings, and that YAML refuses there or
// reads as the end of a line.
var unprinted = lazyregexp.New(`[\x{7f}-\x{9f}\x{2028}\x{2029}\x{feff}\x{fffe}\x{ffff}]`)

// file reads a YAML object of parameters.
func (r *reader) file(name string, content []byte) {
	if json.Valid(content) {
		content = unprinted.ReplaceAllFunc(content, func(char []byte) []byte {
			r, _ := utf8.DecodeRune(char)
			return fmt.Appendf(nil, `\u%04x`, r)
		})
	}
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
	root := yamltext.Resolve(doc.Content[0])
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
		key, value := root.Content[i], yamltext.Resolve(root.Content[i+1])
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

func fromYAML(n *yaml.Node, t graph.Type) (json.RawMessage, error) {
	if n.Tag == "!!null" {
		return nil, fmt.Errorf("null is not a value; leave the parameter out, or give %s", wanted(t))
	}
	if t.Artifact && n.Tag == "!!str" && !t.List {
		return jsontext.String(n.Value), text(jsontext.String(n.Value), fmt.Sprintf("%q", n.Value))
	}
	if t.Artifact {
		return nil, errors.New("an artifact is given by its URI or file name")
	}
	b, err := yamltext.JSON(n)
	if err != nil {
		return nil, err
	}
	if t.Name == kfptype.String && n.Kind == yaml.ScalarNode && b[0] != '"' {
		return nil, fmt.Errorf("%s is not a string; put it in quotes", n.Value)
	}
	b = atMidnight(b, t)
	return b, check(b, t, "", string(b))
}
