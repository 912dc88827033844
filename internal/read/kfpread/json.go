package kfpread

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// parseJSON reads a file that starts like JSON; YAML's reader knows neither all of
// its escapes nor its tabs. False: it isn't JSON, and may still be YAML in braces.
func parseJSON(l *log, data []byte) ([]*node, bool) {
	if !json.Valid(data) {
		return nil, false
	}
	p := &jsonParser{yamlParser: yamlParser{log: l, left: maxNodes}, data: data, d: json.NewDecoder(bytes.NewReader(data))}
	p.d.UseNumber()
	p.place = node{line: 1, col: 1}
	t, at, err := p.token()
	if err != nil {
		return nil, false
	}
	n := p.value(t, at, 0)
	if p.stop {
		return nil, true
	}
	return []*node{n}, true
}

type jsonParser struct {
	yamlParser
	data  []byte
	d     *json.Decoder
	place node // of the last token
	last  int  // its offset
}

// token returns the next token and its place.
func (p *jsonParser) token() (json.Token, *node, error) {
	start := int(p.d.InputOffset())
	for start < len(p.data) && bytes.IndexByte([]byte(" \t\r\n,:"), p.data[start]) >= 0 {
		start++
	}
	for _, r := range string(p.data[p.last:start]) {
		if p.place.col++; r == '\n' {
			p.place = node{line: p.place.line + 1, col: 1}
		}
	}
	p.last = start
	t, err := p.d.Token()
	return t, &node{line: p.place.line, col: p.place.col}, err
}

func (p *jsonParser) value(t json.Token, n *node, depth int) *node {
	if p.left--; p.left < 0 && !p.stop {
		p.errorf(n, "the file has more than %d values; split the pipeline, or leave out dependencies that follow from others", maxNodes)
		p.stop = true
	}
	if depth > maxDepth && !p.stop {
		p.errorf(n, "nested more than %d deep", maxDepth)
		p.stop = true
	}
	if p.stop {
		return n
	}
	switch t := t.(type) {
	case string:
		n.kind, n.text = text, t
	case json.Number:
		n.kind, n.text = number, string(t)
	case bool:
		n.kind, n.text = boolean, "false"
		if t {
			n.text = "true"
		}
	case json.Delim:
		n.kind = list
		if t == '{' {
			n.kind = object
		}
		p.members(n, depth)
	}
	return n
}

// members reads the rest of a list or an object.
func (p *jsonParser) members(n *node, depth int) {
	first := map[string]*node{}
	for !p.stop {
		t, at, err := p.token()
		if errors.Is(err, io.EOF) || t == json.Delim(']') || t == json.Delim('}') {
			return
		}
		if n.kind == list {
			n.items = append(n.items, p.value(t, at, depth+1))
			continue
		}
		at.kind = text
		at.text, _ = t.(string)
		v, vat, err := p.token()
		if err != nil {
			return
		}
		value := p.value(v, vat, depth+1)
		if old := first[at.text]; old != nil {
			p.errorf(at, "the key %q is there twice, first in line %d", at.text, old.line)
			continue
		}
		first[at.text] = at
		n.keys, n.items = append(n.keys, at), append(n.items, value)
	}
}
