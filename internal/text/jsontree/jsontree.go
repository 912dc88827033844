// Package jsontree reads JSON into a tree, several times as fast as encoding/json
// does into maps. It takes what that takes, and nothing else.
package jsontree

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Kind is one of JSON's kinds of value.
type Kind byte

// The kinds of value.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Object
)

// A Node is a value.
type Node struct {
	Kind  Kind
	Key   string // of a member of an object
	Text  string // of a String; the digits of a Number; true or false
	Nodes []Node // of a List or an Object, in the order of the text; a key may be there twice, and the last one counts
	Raw   string // the value as it is in the text
}

// Member returns the member of an object, or nil.
func (n *Node) Member(key string) *Node {
	if n == nil || n.Kind != Object {
		return nil
	}
	for i := len(n.Nodes) - 1; i >= 0; i-- {
		if n.Nodes[i].Key == key {
			return &n.Nodes[i]
		}
	}
	return nil
}

// maxDepth is that of encoding/json.
const maxDepth = 10000

// Parse reads one value.
func Parse(b []byte) (Node, error) {
	p := parser{s: string(b)}
	p.space()
	n, err := p.value(0)
	if err != nil {
		return n, err
	}
	if p.space(); p.i < len(p.s) {
		return n, errors.New("there is more after the JSON value")
	}
	return n, nil
}

type parser struct {
	s     string
	i     int
	stack []Node // members of the containers that are open
	free  []Node // for members of those that are closed
}

func (p *parser) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\t', '\n', '\r':
			p.i++
		default:
			return
		}
	}
}

func (p *parser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *parser) bad(want string) error {
	if p.i >= len(p.s) {
		return fmt.Errorf("unexpected end of JSON, want %s", want)
	}
	r, _ := utf8.DecodeRuneInString(p.s[p.i:])
	return fmt.Errorf("invalid character %q at byte %d of JSON, want %s", r, p.i, want)
}

func (p *parser) value(depth int) (n Node, err error) {
	start := p.i
	switch c := p.peek(); c {
	case '{', '[':
		n, err = p.container(c == '{', depth+1)
	case '"':
		n.Kind = String
		n.Text, err = p.text()
	case 't', 'f', 'n':
		for _, word := range []string{"true", "false", "null"} {
			if word[0] != c {
				continue
			}
			if !strings.HasPrefix(p.s[p.i:], word) {
				return n, p.bad(word)
			}
			p.i += len(word)
			if n.Kind = Bool; c == 'n' {
				n.Kind = Null
			}
			n.Text = word
		}
	default:
		n.Kind = Number
		err = p.number()
		n.Text = p.s[start:p.i]
	}
	n.Raw = p.s[start:p.i]
	return n, err
}

func (p *parser) container(object bool, depth int) (n Node, err error) {
	if depth > maxDepth {
		return n, errors.New("JSON is nested too deeply")
	}
	n.Kind = List
	end := byte(']')
	if object {
		n.Kind, end = Object, '}'
	}
	first := len(p.stack)
	p.i++
	if p.space(); p.peek() == end {
		p.i++
		return n, nil
	}
	for {
		key := ""
		if object {
			if key, err = p.key(); err != nil {
				return n, err
			}
		}
		m, err := p.value(depth)
		if err != nil {
			return n, err
		}
		m.Key = key
		p.stack = append(p.stack, m)
		p.space()
		switch p.peek() {
		case ',':
			p.i++
			p.space()
		case end:
			p.i++
			n.Nodes = p.keep(p.stack[first:])
			p.stack = p.stack[:first]
			return n, nil
		default:
			return n, p.bad(fmt.Sprintf("a comma or %c", end))
		}
	}
}

// key reads a key and its colon.
func (p *parser) key() (string, error) {
	if p.peek() != '"' {
		return "", p.bad("a key")
	}
	key, err := p.text()
	if err != nil {
		return "", err
	}
	if p.space(); p.peek() != ':' {
		return "", p.bad("a colon")
	}
	p.i++
	p.space()
	return key, nil
}

// keep copies nodes to where they stay. Many small containers share a piece of
// memory.
func (p *parser) keep(nodes []Node) []Node {
	if len(nodes) > len(p.free) {
		p.free = make([]Node, max(len(nodes), min(1024, 16+len(p.s)/64)))
	}
	kept := p.free[:len(nodes):len(nodes)]
	p.free = p.free[len(nodes):]
	copy(kept, nodes)
	return kept
}

func (p *parser) number() error {
	digits := func() bool {
		start := p.i
		for c := p.peek(); '0' <= c && c <= '9'; c = p.peek() {
			p.i++
		}
		return p.i > start
	}
	if p.peek() == '-' {
		p.i++
	}
	if p.peek() == '0' {
		p.i++
	} else if !digits() {
		return p.bad("a value")
	}
	if p.peek() == '.' {
		if p.i++; !digits() {
			return p.bad("a digit")
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.i++
		if c := p.peek(); c == '+' || c == '-' {
			p.i++
		}
		if !digits() {
			return p.bad("a digit")
		}
	}
	return nil
}
