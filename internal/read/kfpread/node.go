package kfpread

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// A kind is what a node is, in JSON's terms.
type kind int

const (
	null kind = iota
	boolean
	number
	text
	list
	object
)

// String names a kind as a message does.
func (k kind) String() string {
	return [...]string{"nothing", "a boolean", "a number", "a string", "a list", "an object"}[k]
}

// A node is a value of a file, with its place.
type node struct {
	kind      kind
	text      string // of a scalar: JSON's for a boolean and a number
	items     []*node
	keys      []*node // of an object, in order; the values are items
	index     map[string]int
	line, col int
}

// get returns the member of an object with a key, or nil.
func (n *node) get(key string) *node {
	if i := n.find(key); i >= 0 {
		return n.items[i]
	}
	return nil
}

// key returns the node of the key itself, or nil.
func (n *node) key(key string) *node {
	if i := n.find(key); i >= 0 {
		return n.keys[i]
	}
	return nil
}

func (n *node) find(key string) int {
	if n == nil || n.kind != object {
		return -1
	}
	if len(n.keys) <= 8 { // most objects, for which a table would take more than the object
		for i := len(n.keys) - 1; i >= 0; i-- {
			if n.keys[i].text == key {
				return i
			}
		}
		return -1
	}
	if n.index == nil {
		n.index = make(map[string]int, len(n.keys))
		for i, k := range n.keys {
			n.index[k.text] = i
		}
	}
	if i, ok := n.index[key]; ok {
		return i
	}
	return -1
}

// sub returns what is at a path of keys, or nil.
func (n *node) sub(path ...string) *node {
	for _, k := range path {
		n = n.get(k)
	}
	return n
}

// at returns what is at a path of keys; where that ends, the nearest there is.
func (n *node) at(path ...string) *node {
	for _, k := range path {
		next := n.get(k)
		if next == nil {
			if n != nil && n.kind == list {
				if i, err := strconv.Atoi(k); err == nil && i >= 0 && i < len(n.items) {
					n = n.items[i]
					continue
				}
			}
			return n
		}
		n = next
	}
	return n
}

// json returns the node as JSON, with the digits of its numbers.
func (n *node) json() json.RawMessage {
	var b bytes.Buffer
	n.write(&b)
	return b.Bytes()
}

func (n *node) write(b *bytes.Buffer) {
	switch n.kind {
	case null:
		b.WriteString("null")
	case boolean, number:
		b.WriteString(n.text)
	case text:
		b.Write(jsontext.String(n.text))
	case list:
		b.WriteByte('[')
		for i, e := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			e.write(b)
		}
		b.WriteByte(']')
	case object:
		b.WriteByte('{')
		for i, k := range n.keys {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(jsontext.String(k.text))
			b.WriteByte(':')
			n.items[i].write(b)
		}
		b.WriteByte('}')
	}
}
