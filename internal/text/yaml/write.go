package yaml

import (
	"bytes"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/text/jsontree"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// A writer writes JSON in the block style. What fits on a line, it writes
// itself; strings that don't are the library's. The result is that of the
// library's emitter, which takes ten times as long and, as it keeps its events,
// gigabytes for a pipeline of 10,000 tasks.
type writer struct{ bytes.Buffer }

// longestKey is the length above which the emitter writes a key as "? key".
const longestKey = 128

// document writes a whole value.
func (w *writer) document(v *jsontree.Node) error {
	if block(v) {
		return w.block(v, 0, true)
	}
	b, err := encode(node(v))
	w.Write(b)
	return err
}

// block reports whether a value takes lines of its own.
func block(v *jsontree.Node) bool { return len(v.Nodes) > 0 }

// block writes a mapping or a list. Inline: its first line has begun.
func (w *writer) block(v *jsontree.Node, indent int, inline bool) error {
	start := func() {
		if !inline {
			w.indent(indent)
		}
		inline = false
	}
	if v.Kind == jsontree.List {
		for i := range v.Nodes {
			start()
			w.WriteByte('-')
			if e := &v.Nodes[i]; block(e) {
				w.WriteByte(' ')
				if err := w.block(e, indent+2, true); err != nil {
					return err
				}
			} else if err := w.scalar(e, indent, yaml.SequenceNode); err != nil {
				return err
			}
		}
		return nil
	}
	all := members(v)
	for i := range all {
		m := &all[i]
		start()
		name, simple := line(m.Key, true)
		if !simple || len(m.Key) > longestKey {
			pair := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{text(m.Key, true), node(m)}}
			if err := w.piece(pair, "", indent); err != nil {
				return err
			}
			continue
		}
		w.WriteString(name)
		w.WriteByte(':')
		if block(m) {
			w.WriteByte('\n')
			if err := w.block(m, indent+2, false); err != nil {
				return err
			}
		} else if err := w.scalar(m, indent, yaml.MappingNode); err != nil {
			return err
		}
	}
	return nil
}

// scalar writes what comes behind "key:" or "-". A string that the library has
// to write is the last part of a node that stands for the mapping or the list.
func (w *writer) scalar(v *jsontree.Node, indent int, in yaml.Kind) error {
	written := v.Text
	switch v.Kind {
	case jsontree.String:
		one, simple := line(v.Text, false)
		if !simple && in == yaml.MappingNode {
			return w.piece(&yaml.Node{Kind: in, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: "k"}, text(v.Text, false)}}, "k:", indent)
		} else if !simple {
			return w.piece(&yaml.Node{Kind: in, Content: []*yaml.Node{text(v.Text, false)}}, "-", indent)
		}
		written = one
	case jsontree.Number:
		written = number(v.Text)
	case jsontree.Object:
		written = "{}"
	case jsontree.List:
		written = "[]"
	}
	w.WriteByte(' ')
	w.WriteString(written)
	w.WriteByte('\n')
	return nil
}

// line returns a string as it is written on one line, unless it takes more, or
// escapes.
func line(s string, key bool) (string, bool) {
	switch {
	case !key && literal(s) || !quotable(s):
		return "", false
	case plain(s):
		return s, true
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'", true
}

// piece writes a node as the library does, without the parts that are written
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

// encode writes a node as the library does, but for what it leaves in double quotes
// although nobody can see it, such as marks that turn the direction of writing: that is
// escaped as it escapes control characters. Other styles hold none of it.
func encode(n *yaml.Node) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		return nil, err
	}
	err := e.Close()
	return []byte(printable.Text(b.String())), err
}
