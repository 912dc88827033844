package placeholder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// An Element is an element of a command line: exactly one of a string, the
// concatenation of elements, and what depends on whether an input was given.
type Element struct {
	Parts  []Part
	Concat []Element
	If     *IfPresent
}

// IfPresent is Then if the input was given and Else if not. In a command line
// each of them may be any number of elements.
type IfPresent struct {
	Input      string
	Then, Else []Element
}

// ParseElement parses an element of Command or Args. A string that is not the JSON
// of an IfPresent or a Concat is a string.
func ParseElement(s string) Element {
	if t := strings.TrimSpace(s); strings.HasPrefix(t, "{") && !strings.HasPrefix(t, "{{") {
		if e, ok := element(json.RawMessage(t)); ok {
			return e
		}
	}
	return Element{Parts: Parse(s)}
}

// element reads a JSON string, {"Concat": [...]} or {"IfPresent": {...}}.
func element(j json.RawMessage) (Element, bool) {
	var text string
	if json.Unmarshal(j, &text) == nil {
		return ParseElement(text), true
	}
	var x struct {
		Concat    []json.RawMessage
		IfPresent *struct {
			InputName  string
			Then, Else json.RawMessage
		}
	}
	d := json.NewDecoder(bytes.NewReader(j))
	d.DisallowUnknownFields()
	if d.Decode(&x) != nil || d.More() || (x.Concat == nil) == (x.IfPresent == nil) {
		return Element{}, false
	}
	if x.Concat != nil {
		e := Element{Concat: []Element{}}
		for _, c := range x.Concat {
			in, ok := element(c)
			if !ok {
				return Element{}, false
			}
			e.Concat = append(e.Concat, in)
		}
		return e, true
	}
	if x.IfPresent.InputName == "" {
		return Element{}, false
	}
	then, ok1 := elements(x.IfPresent.Then)
	other, ok2 := elements(x.IfPresent.Else)
	return Element{If: &IfPresent{x.IfPresent.InputName, then, other}}, ok1 && ok2
}

// elements reads one element or a list of them.
func elements(j json.RawMessage) ([]Element, bool) {
	if len(j) == 0 || string(j) == "null" {
		return nil, true
	}
	var list []json.RawMessage
	if json.Unmarshal(j, &list) != nil {
		list = []json.RawMessage{j}
	}
	var es []Element
	for _, e := range list {
		in, ok := element(e)
		if !ok {
			return nil, false
		}
		es = append(es, in)
	}
	return es, true
}

// Expand returns the arguments that an element becomes: value gives the text of a
// placeholder, and given says whether an input has a value.
func (e Element) Expand(value func(Part) (string, error), given func(input string) bool) ([]string, error) {
	switch {
	case e.Concat != nil:
		var b strings.Builder
		for _, c := range e.Concat {
			args, err := c.Expand(value, given)
			if err != nil {
				return nil, err
			}
			b.WriteString(strings.Join(args, ""))
		}
		return []string{b.String()}, nil
	case e.If != nil:
		list := e.If.Else
		if given(e.If.Input) {
			list = e.If.Then
		}
		var out []string
		for _, c := range list {
			args, err := c.Expand(value, given)
			if err != nil {
				return nil, err
			}
			out = append(out, args...)
		}
		return out, nil
	}
	var b strings.Builder
	for _, p := range e.Parts {
		t := p.Text
		if p.Kind != Text {
			var err error
			if t, err = value(p); err != nil {
				return nil, fmt.Errorf("%s: %w", p, err)
			}
		}
		b.WriteString(t)
	}
	return []string{b.String()}, nil
}

// All calls f for each placeholder of the element, those behind conditions too.
func (e Element) All(f func(Part)) {
	for _, p := range e.Parts {
		if p.Kind != Text {
			f(p)
		}
	}
	for _, c := range e.Concat {
		c.All(f)
	}
	if e.If != nil {
		for _, c := range e.If.Then {
			c.All(f)
		}
		for _, c := range e.If.Else {
			c.All(f)
		}
	}
}
