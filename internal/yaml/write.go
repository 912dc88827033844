package yaml

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// A writer writes decoded JSON in the block style. What fits on a line, it writes
// itself; strings that don't are the library's. The result is that of the
// library's emitter, which takes ten times as long and, as it keeps its events,
// gigabytes for a pipeline of 10,000 tasks.
type writer struct {
	bytes.Buffer
	o Options
}

// longestKey is the length above which the emitter writes a key as "? key".
const longestKey = 128

// document writes a whole value.
func (w *writer) document(v any) error {
	if block(v) {
		return w.block(v, 0, true)
	}
	b, err := encode(w.o.node(v))
	w.Write(b)
	return err
}

// block reports whether a value takes lines of its own.
func block(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return false
}

// block writes a mapping or a list. Inline: its first line has begun.
func (w *writer) block(v any, indent int, inline bool) error {
	start := func() {
		if !inline {
			w.indent(indent)
		}
		inline = false
	}
	if list, ok := v.([]any); ok {
		for _, e := range list {
			start()
			w.WriteByte('-')
			if block(e) {
				w.WriteByte(' ')
				if err := w.block(e, indent+2, true); err != nil {
					return err
				}
			} else if err := w.scalar(e, indent, &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{nil}}); err != nil {
				return err
			}
		}
		return nil
	}
	m := v.(map[string]any)
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		start()
		text, simple := Options{Flow: true}.line(k)
		if !simple || len(k) > longestKey {
			pair := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{Options{Flow: true}.text(k), w.o.node(m[k])}}
			if err := w.piece(pair, "", indent); err != nil {
				return err
			}
			continue
		}
		w.WriteString(text)
		w.WriteByte(':')
		if block(m[k]) {
			w.WriteByte('\n')
			if err := w.block(m[k], indent+2, false); err != nil {
				return err
			}
		} else if err := w.scalar(m[k], indent, &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: "k"}, nil}}); err != nil {
			return err
		}
	}
	return nil
}

// scalar writes what comes behind "key:" or "-". A string that the library has
// to write is the last part of a node that stands for the mapping or the list.
func (w *writer) scalar(v any, indent int, around *yaml.Node) error {
	var text string
	switch v := v.(type) {
	case string:
		line, simple := w.o.line(v)
		if !simple {
			around.Content[len(around.Content)-1] = w.o.text(v)
			return w.piece(around, map[yaml.Kind]string{yaml.MappingNode: "k:", yaml.SequenceNode: "-"}[around.Kind], indent)
		}
		text = line
	case json.Number:
		text = number(string(v))
	case bool:
		text = map[bool]string{true: "true", false: "false"}[v]
	case map[string]any:
		text = "{}"
	case []any:
		text = "[]"
	default:
		text = "null"
	}
	w.WriteByte(' ')
	w.WriteString(text)
	w.WriteByte('\n')
	return nil
}

// line returns a string as it is written on one line, unless it takes more, or
// escapes.
func (o Options) line(s string) (string, bool) {
	switch {
	case !o.Flow && literal(s) || !printable(s):
		return "", false
	case !o.QuoteStrings && plain(s):
		return s, true
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'", true
}

// piece writes a node as the library does, without what is written of it
// already.
func (w *writer) piece(n *yaml.Node, written string, indent int) error {
	b, err := encode(n)
	b = bytes.TrimPrefix(b, []byte(written))
	first := true
	for line := range bytes.Lines(b) {
		if !first && len(line) > 1 {
			w.indent(indent)
		}
		w.Write(line)
		first = false
	}
	return err
}

var spaces = strings.Repeat(" ", 64)

func (w *writer) indent(n int) {
	for ; n > len(spaces); n -= len(spaces) {
		w.WriteString(spaces)
	}
	w.WriteString(spaces[:n])
}

func encode(n *yaml.Node) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		return nil, err
	}
	err := e.Close()
	return b.Bytes(), err
}
