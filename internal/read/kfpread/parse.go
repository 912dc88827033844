package kfpread

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// The most that a file may hold. A pipeline of 10,000 tasks has some 400,000 nodes.
const (
	maxNodes = 1_000_000 // with those that aliases repeat
	maxDepth = 200
)

// parse returns the documents of a file. Mistakes go to the log.
func parse(l *log, data []byte) []*node {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if i := invalid(data); i >= 0 {
		l.errorf(place(data, i), "the byte 0x%02x is not UTF-8", data[i])
		return nil
	}
	if start := bytes.TrimLeft(data, " \t\r\n"); len(start) > 0 && start[0] == '{' {
		if docs, ok := parseJSON(l, data); ok {
			return docs
		}
	}
	data = withoutHeader(data)
	if err := Elements(data); err != nil {
		l.errorf(nil, "%v", err)
		return nil
	}
	p := &yamlParser{log: l, left: maxNodes}
	var docs []*node
	d := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var y yaml.Node
		err := d.Decode(&y)
		if errors.Is(err, io.EOF) {
			return docs
		}
		if err != nil {
			p.syntax(err)
			return nil
		}
		n := p.node(&y, 0)
		if p.stop {
			return nil
		}
		if n != nil && n.kind != null { // such as what is after a last ---
			docs = append(docs, n)
		}
	}
}

// header is how the comment that KFP's SDK writes above a pipeline begins. A default
// with a line break leaves it, so that the text after the break isn't a comment any more
// and the SDK's own file isn't YAML (kubeflow/pipelines writes the text as it is).
var (
	header    = []byte("# PIPELINE DEFINITION\n")
	firstKeys = []byte("\ncomponents:\n")
)

// withoutHeader makes comments of the lines of a header that aren't, and leaves a file
// that has none as it is.
func withoutHeader(data []byte) []byte {
	end := bytes.Index(data, firstKeys)
	if !bytes.HasPrefix(data, header) || end < 0 {
		return data
	}
	lines := bytes.Split(data[:end], []byte("\n"))
	for i, l := range lines {
		if len(l) > 0 && l[0] != '#' {
			lines[i] = []byte("#")
		}
	}
	return append(bytes.Join(lines, []byte("\n")), data[end:]...)
}

// invalid returns where a string stops being UTF-8, or -1.
func invalid(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return -1
}

// place returns a node that stands for an offset of a file.
func place(b []byte, offset int) *node {
	before := b[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return &node{line: 1 + bytes.Count(before, []byte("\n")), col: 1 + utf8.RuneCount(before[start:])}
}

type yamlParser struct {
	*log
	left int  // nodes until there are too many
	stop bool // there are, or they are too deep
}

var yamlLine = lazyregexp.New(`^yaml: (?:line (\d+): )?`)

// syntax records what the YAML reader says. It counts lines from one after the
// place, when it says one.
func (p *yamlParser) syntax(err error) {
	msg := err.Error()
	m := yamlLine.FindStringSubmatch(msg)
	at := (*node)(nil)
	if m != nil {
		msg = msg[len(m[0]):]
		if line, err := strconv.Atoi(m[1]); err == nil && line > 0 {
			at = &node{line: line, col: 1}
		}
	}
	p.errorf(at, "this is not YAML: %s", msg)
}

// node turns a node of YAML into one of ours. Aliases are put in.
func (p *yamlParser) node(y *yaml.Node, depth int) *node {
	n := &node{line: y.Line, col: y.Column}
	if p.stop {
		return n
	}
	if p.left--; p.left < 0 {
		p.errorf(n, "with its aliases put in, the file has more than %d values", maxNodes)
		p.stop = true
		return n
	}
	if depth > maxDepth {
		p.errorf(n, "nested more than %d deep", maxDepth)
		p.stop = true
		return n
	}
	switch y.Kind {
	case yaml.DocumentNode:
		if len(y.Content) == 1 {
			return p.node(y.Content[0], depth)
		}
	case yaml.AliasNode:
		return p.node(y.Alias, depth+1)
	case yaml.SequenceNode:
		n.kind = list
		for _, e := range y.Content {
			n.items = append(n.items, p.node(e, depth+1))
		}
	case yaml.MappingNode:
		n.kind = object
		p.members(n, y, depth)
	case yaml.ScalarNode:
		p.scalar(n, y)
	}
	return n
}

func (p *yamlParser) members(n *node, y *yaml.Node, depth int) {
	first := map[string]*node{}
	var merged []*yaml.Node
	for i := 0; i+1 < len(y.Content); i += 2 {
		k := y.Content[i]
		for k.Kind == yaml.AliasNode {
			k = k.Alias
		}
		if k.Kind == yaml.ScalarNode && k.ShortTag() == "!!merge" {
			merged = append(merged, y.Content[i+1])
			continue
		}
		key := &node{kind: text, text: k.Value, line: y.Content[i].Line, col: y.Content[i].Column}
		if k.Kind != yaml.ScalarNode {
			p.errorf(key, "a key must be a string")
			continue
		}
		if old := first[key.text]; old != nil {
			p.errorf(key, "the key %q is there twice, first in line %d", key.text, old.line)
			continue
		}
		first[key.text] = key
		n.keys = append(n.keys, key)
		n.items = append(n.items, p.node(y.Content[i+1], depth+1))
	}
	for _, m := range merged {
		p.merge(n, m, first, depth)
	}
}

// merge adds what a << brings in: the members that the object has not itself.
func (p *yamlParser) merge(n *node, y *yaml.Node, has map[string]*node, depth int) {
	from := p.node(y, depth+1)
	all := []*node{from}
	if from.kind == list {
		all = from.items
	}
	for _, m := range all {
		if m.kind != object {
			p.errorf(&node{line: y.Line, col: y.Column}, "<< takes an object, not %s", m.kind)
		}
		for i, k := range m.keys {
			if has[k.text] == nil {
				has[k.text] = k
				n.keys, n.items = append(n.keys, k), append(n.items, m.items[i])
			}
		}
	}
}

// scalar reads a string, number, boolean or nothing.
func (p *yamlParser) scalar(n *node, y *yaml.Node) {
	n.kind, n.text = text, y.Value
	switch y.ShortTag() {
	case "!!null":
		n.kind, n.text = null, ""
	case "!!bool":
		var b bool
		if err := y.Decode(&b); err != nil {
			p.errorf(n, "%q is not a boolean", y.Value)
		}
		n.kind, n.text = boolean, strconv.FormatBool(b)
	case "!!int", "!!float":
		n.kind = number
		if n.text = jsonNumber(y); n.text == "" {
			p.errorf(n, "%s is a number that JSON doesn't have", y.Value)
		}
	case "!!str", "!!timestamp":
	default:
		p.errorf(n, "KFP's files hold nothing of the type %s", y.ShortTag())
	}
}

var plainNumber = lazyregexp.New(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// jsonNumber returns a number as JSON, with the same digits where they can stay.
func jsonNumber(y *yaml.Node) string {
	if plainNumber.MatchString(y.Value) {
		return y.Value
	}
	var i int64
	if y.Decode(&i) == nil && y.ShortTag() == "!!int" {
		return strconv.FormatInt(i, 10)
	}
	var f float64
	if y.Decode(&f) != nil {
		return ""
	}
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if strings.ContainsAny(s, "IN") { // infinite, or not a number
		return ""
	}
	return s
}
