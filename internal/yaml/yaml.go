// Package yaml writes YAML that every reader takes for the same thing: sorted
// keys, the digits of numbers as they were given, and quotes around any string
// that a reader of YAML 1.1 or 1.2 could take for something else.
package yaml

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Options change how YAML looks, not what it says. The zero value is the default.
type Options struct {
	// QuoteStrings quotes every string value, not only those that need it.
	QuoteStrings bool
	// Flow writes strings of several lines in quotes, not as | literals.
	Flow bool
}

// Marshal returns the YAML of a value: anything that encoding/json can write,
// under the names and with the omissions of its JSON form.
func Marshal(v any, o Options) ([]byte, error) {
	j, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("yaml: %w", err)
	}
	return FromJSON(j, o)
}

// FromJSON returns the YAML of one JSON value.
func FromJSON(j []byte, o Options) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(j))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("yaml: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("yaml: there is more after the JSON value")
	}
	w := &writer{o: o}
	w.Grow(2 * len(j))
	if err := w.document(v); err != nil {
		return nil, fmt.Errorf("yaml: %w", err)
	}
	return w.Bytes(), nil
}

// node turns a decoded JSON value into a YAML node.
func (o Options) node(v any) *yaml.Node {
	switch v := v.(type) {
	case map[string]any:
		n := &yaml.Node{Kind: yaml.MappingNode}
		if len(v) == 0 {
			n.Style = yaml.FlowStyle
		}
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			n.Content = append(n.Content, Options{Flow: true}.text(k), o.node(v[k]))
		}
		return n
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		if len(v) == 0 {
			n.Style = yaml.FlowStyle
		}
		for _, e := range v {
			n.Content = append(n.Content, o.node(e))
		}
		return n
	case string:
		return o.text(v)
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: number(string(v))}
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint(v)}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: "null"}
}

// number returns a JSON number in a form that YAML 1.1 takes for one too: with an
// exponent there must be a point before it and a sign in it.
func number(s string) string {
	i := strings.IndexAny(s, "eE")
	if i < 0 {
		return s
	}
	digits, exp := s[:i], s[i+1:]
	if !strings.Contains(digits, ".") {
		digits += ".0"
	}
	if exp[0] != '+' && exp[0] != '-' {
		exp = "+" + exp
	}
	return digits + "e" + exp
}
