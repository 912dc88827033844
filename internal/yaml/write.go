package yaml

import (
	"bytes"

	"gopkg.in/yaml.v3"
)

// chunk is the number of nodes that the library's emitter gets at once. It keeps
// all events of what it emits, at some 500 bytes each: in one piece, a pipeline
// of 10,000 tasks takes a gigabyte and most of the time of compiling.
const chunk = 64

// A writer writes nodes in the block style, in pieces. The result is that of the
// emitter in one piece.
type writer struct {
	bytes.Buffer
	most int
}

// write writes a node. First comes before its first line, rest before the others.
func (w *writer) write(n *yaml.Node, first, rest string) error {
	if size(n, w.most) <= w.most || n.Kind == yaml.ScalarNode {
		return w.piece(n, first, rest)
	}
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	for i := 0; i < len(n.Content); {
		some, total := &yaml.Node{Kind: n.Kind}, 0
		start := i
		for i < len(n.Content) {
			total += size(n.Content[i+step-1], w.most) + 1
			if total > w.most {
				break
			}
			i += step
		}
		var err error
		switch {
		case i > start:
			some.Content = n.Content[start:i]
			err = w.piece(some, first, rest)
		case n.Kind == yaml.SequenceNode:
			err = w.write(n.Content[i], first+"- ", rest+"  ")
			i++
		default:
			err = w.pair(n.Content[i], n.Content[i+1], first, rest)
			i += 2
		}
		if err != nil {
			return err
		}
		first = rest
	}
	return nil
}

// pair writes a member of a mapping whose value is big.
func (w *writer) pair(key, value *yaml.Node, first, rest string) error {
	head, err := encode(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, {Kind: yaml.ScalarNode, Value: "x"}}})
	if err != nil {
		return err
	}
	if head, simple := bytes.CutSuffix(head, []byte(": x\n")); simple && bytes.Count(head, []byte("\n")) == 0 && value.Kind != yaml.ScalarNode {
		w.WriteString(first)
		w.Write(head)
		w.WriteString(":\n")
		return w.write(value, rest+"  ", rest+"  ")
	}
	return w.piece(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, value}}, first, rest)
}

// piece writes a node as the emitter does, indented.
func (w *writer) piece(n *yaml.Node, first, rest string) error {
	b, err := encode(n)
	for line := range bytes.Lines(b) {
		if len(line) > 1 {
			w.WriteString(first)
		}
		w.Write(line)
		first = rest
	}
	return err
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

// size counts the nodes of a tree, until there are more than most.
func size(n *yaml.Node, most int) int {
	total := 1
	for _, c := range n.Content {
		if total > most {
			break
		}
		total += size(c, most-total)
	}
	return total
}
