// Package yaml writes YAML that every reader takes for the same thing: sorted
// keys, the digits of numbers as they were given, and quotes around any string
// that a reader of YAML 1.1 or 1.2 could take for something else.
package yaml

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/text/jsontree"
)

// Marshal returns the YAML of a value: anything that encoding/json can write,
// under the names and with the omissions of its JSON form.
func Marshal(v any) ([]byte, error) {
	j, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("yaml: %w", err)
	}
	n, err := jsontree.Parse(j)
	if err != nil {
		return nil, fmt.Errorf("yaml: %w", err)
	}
	return Append(nil, n)
}

// Append writes a JSON value that was read behind what is there: text of megabytes is
// written once.
func Append(to []byte, n jsontree.Node) ([]byte, error) {
	w := &writer{*bytes.NewBuffer(to)}
	w.Grow(len(n.Raw) + len(n.Raw)/2)
	if err := w.document(&n); err != nil {
		return nil, fmt.Errorf("yaml: %w", err)
	}
	return w.Bytes(), nil
}

// members returns the members of an object in the order of their keys, each once.
func members(n *jsontree.Node) []jsontree.Node {
	byKey := func(a, b jsontree.Node) int { return strings.Compare(a.Key, b.Key) }
	sorted := n.Nodes
	if !slices.IsSortedFunc(sorted, byKey) {
		sorted = slices.Clone(sorted)
		slices.SortStableFunc(sorted, byKey)
	}
	for i := 1; i < len(sorted); i++ {
		if sorted[i-1].Key != sorted[i].Key {
			continue
		}
		var once []jsontree.Node
		for i, m := range sorted {
			if i+1 == len(sorted) || sorted[i+1].Key != m.Key {
				once = append(once, m) // the last of each
			}
		}
		return once
	}
	return sorted
}

// node turns a JSON value into a YAML node.
func node(v *jsontree.Node) *yaml.Node {
	switch v.Kind {
	case jsontree.Object:
		n := &yaml.Node{Kind: yaml.MappingNode}
		if len(v.Nodes) == 0 {
			n.Style = yaml.FlowStyle
		}
		for _, m := range members(v) {
			n.Content = append(n.Content, text(m.Key, true), node(&m))
		}
		return n
	case jsontree.List:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		if len(v.Nodes) == 0 {
			n.Style = yaml.FlowStyle
		}
		for i := range v.Nodes {
			n.Content = append(n.Content, node(&v.Nodes[i]))
		}
		return n
	case jsontree.String:
		return text(v.Text, false)
	case jsontree.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: number(v.Text)}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: v.Text} // true, false or null
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
