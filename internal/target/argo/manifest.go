package argo

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
)

// manifest returns a manifest as JSON into which values drop as JSON, so that no
// value can change its form.
func (l *leaf) manifest(text string) string {
	parts := placeholder.Parse(text)
	if len(parts) == 1 && parts[0].Kind == placeholder.InputParam {
		known, ok := l.constant(parts[0].Name)
		if !ok {
			l.errorf("the manifest is input %s, which only a run knows; Argo could change it: use dsl.Resource, with a manifest that has inputs in it", parts[0].Name)
			return ""
		}
		parts = []placeholder.Part{{Text: known}}
	}
	m := &manifest{leaf: l, mark: "kfpgo0hole"}
	for strings.Contains(text, m.mark) {
		m.mark += "0"
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Kind == placeholder.Text {
			pc, _ := l.piece(p)
			b.WriteString(pc.text)
			continue
		}
		pc, why := l.piece(p)
		if why != "" {
			l.errorf("%s: %s", p, why)
		}
		fmt.Fprintf(&b, "%s%dx", m.mark, len(m.holes))
		m.holes = append(m.holes, pc)
	}
	d := yaml.NewDecoder(strings.NewReader(b.String()))
	var doc, more yaml.Node
	if err := d.Decode(&doc); err != nil {
		l.errorf("the manifest of %s isn't YAML: %v", l.comp.Name, strings.TrimPrefix(err.Error(), "yaml: "))
		return ""
	}
	if err := d.Decode(&more); err != io.EOF {
		l.errorf("the manifest of %s has more than one document, and Argo takes one object: use a resource for each", l.comp.Name)
		return ""
	}
	root := doc.Content[0]
	for _, key := range []string{"apiVersion", "kind"} {
		if root.Kind != yaml.MappingNode || !hasKey(root, key) {
			l.errorf("the manifest of %s has no %s", l.comp.Name, key)
			return ""
		}
	}
	m.node(root, "\n")
	return m.out.String() + "\n"
}

func hasKey(n *yaml.Node, key string) bool {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}

// A manifest is JSON in the making. Its holes were replaced by marks in the YAML.
type manifest struct {
	*leaf
	mark  string
	holes []piece
	nodes int
	out   strings.Builder
}

// maxNodes is what a manifest may have, with its aliases written out. One that
// refers to itself has no end.
const maxNodes = 50_000

func (m *manifest) node(n *yaml.Node, line string) {
	if m.nodes++; m.nodes > maxNodes || len(line) > 400 {
		if m.nodes < 2*maxNodes {
			m.errorf("the manifest of %s is too large, or refers to itself", m.comp.Name)
			m.nodes = 2 * maxNodes
		}
		return
	}
	switch n.Kind {
	case yaml.AliasNode:
		m.node(n.Alias, line)
	case yaml.SequenceNode:
		m.list("[", "]", len(n.Content), line, func(i int, line string) { m.node(n.Content[i], line) })
	case yaml.MappingNode:
		var members []*yaml.Node
		for i := 0; i < len(n.Content); i += 2 {
			if !m.absent(n.Content[i+1]) {
				members = append(members, n.Content[i], n.Content[i+1])
			}
		}
		m.list("{", "}", len(members)/2, line, func(i int, line string) {
			key := members[2*i]
			if key.Tag == "!!merge" || key.Kind != yaml.ScalarNode {
				m.errorf("the manifest of %s, line %d: a key must be a word, and merge keys can't be used", m.comp.Name, key.Line)
			}
			m.out.WriteString(m.text(m.split(key.Value)) + ": ")
			m.node(members[2*i+1], line)
		})
	case yaml.ScalarNode:
		m.out.WriteString(m.scalar(n))
	}
}

// absent reports whether a member is nothing but an input that isn't given.
func (m *manifest) absent(n *yaml.Node) bool {
	ps := m.split(n.Value)
	return n.Kind == yaml.ScalarNode && len(ps) == 1 && ps[0].absent
}

// list writes the elements of a list or object, each on a line of its own: so a
// tag never stands before a }.
func (m *manifest) list(open, end string, n int, line string, elem func(int, string)) {
	m.out.WriteString(open)
	for i := range n {
		if i > 0 {
			m.out.WriteString(",")
		}
		m.out.WriteString(line + "  ")
		elem(i, line+"  ")
	}
	if n > 0 {
		m.out.WriteString(line)
	}
	m.out.WriteString(end)
}

// split finds the holes in a string.
func (m *manifest) split(s string) []piece {
	var ps []piece
	for {
		before, after, ok := strings.Cut(s, m.mark)
		if before != "" {
			ps = append(ps, piece{text: before})
		}
		if !ok {
			return ps
		}
		var i int
		n, rest, _ := strings.Cut(after, "x")
		fmt.Sscan(n, &i)
		ps = append(ps, m.holes[i])
		s = rest
	}
}

// scalar returns the JSON of a scalar. A value that stands alone and bare keeps
// its type; in quotes, or in a string, it is a string.
func (m *manifest) scalar(n *yaml.Node) string {
	ps := m.split(n.Value)
	if len(ps) == 1 && ps[0].carrier != "" && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 {
		return tag(ps[0].carrier)
	}
	if strings.Contains(n.Value, m.mark) || n.Tag == "!!str" || n.Tag == "!!timestamp" {
		return m.text(ps)
	}
	var v any
	err := n.Decode(&v)
	j, jerr := json.Marshal(v)
	if err != nil || jerr != nil {
		m.errorf("the manifest of %s, line %d: %s can't be JSON", m.comp.Name, n.Line, n.Value)
	}
	return string(j)
}

// text returns the JSON of a string with holes in it.
func (m *manifest) text(ps []piece) string {
	if len(ps) == 1 && ps[0].carrier != "" && ps[0].typ == kfptype.String && !ps[0].nullable {
		return tag(ps[0].carrier)
	}
	inner := func(s string) string { return strings.TrimSuffix(strings.TrimPrefix(jsonText(s), `"`), `"`) }
	return `"` + render(ps, inner, func(run []piece) string {
		return tag("trimSuffix(trimPrefix(" + encoded(concat(run)) + `, '"'), '"')`)
	}) + `"`
}
