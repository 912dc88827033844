package dsl

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// On KFP a string with references in it is a constant with placeholders, and each
// reference an input of the task beside it. KFP's launcher replaces placeholders in
// the command line, where the step finds all of its inputs as one JSON: before 2.14
// some of them are left, because it goes through them in no order.
//
// A value in a list or struct that isn't a string is a string there that is one placeholder which
// ends in .json: the compiler's own form, for the JSON of the value.
const (
	placeholder = "{{$.inputs.parameters["
	bareEnd     = `"].json}}`
)

// compose puts the values of inputs into the strings of others where a placeholder of
// them is left. What a value holds itself is not looked at again.
func (x *executorInput) compose() {
	values := x.Inputs.ParameterValues
	for name, v := range values {
		if strings.HasPrefix(name, contract.Channel) || !bytes.Contains(v, []byte(placeholder)) {
			continue
		}
		changed := false
		b, ok := walked(v, func(leaf any) any {
			s, ok := leaf.(string)
			if !ok {
				return leaf
			}
			if b, ok := x.bare(s); ok {
				changed = true
				return b
			}
			text := x.composedText(s)
			changed = changed || text != s
			return text
		})
		if ok && changed {
			values[name] = b
		}
	}
}

// walked returns JSON with other leaves: strings, numbers, booleans and null. It is false
// if it isn't JSON.
func walked(b json.RawMessage, leaf func(any) any) (json.RawMessage, bool) {
	var tree any
	if jsontext.Decode(b, &tree) != nil {
		return nil, false
	}
	var in func(v any) any
	in = func(v any) any {
		switch v := v.(type) {
		case []any:
			for i := range v {
				v[i] = in(v[i])
			}
			return v
		case map[string]any:
			for k := range v {
				v[k] = in(v[k])
			}
			return v
		}
		return leaf(v)
	}
	out, err := encode(in(tree))
	return out, err == nil
}

// bare returns the JSON of the value that a whole text stands for: null if it isn't
// given.
func (x *executorInput) bare(s string) (json.RawMessage, bool) {
	name, ok := strings.CutPrefix(s, placeholder+`"`)
	if ok {
		name, ok = strings.CutSuffix(name, bareEnd)
	}
	if !ok || !strings.HasPrefix(name, contract.Channel) || strings.Contains(name, `"`) {
		return nil, false
	}
	return integers(x.Inputs.ParameterValues[name]), true
}

// integers returns JSON with the whole numbers in it in the form of integers, as other
// targets have them: KFP holds all numbers as doubles.
func integers(b json.RawMessage) json.RawMessage {
	out, ok := walked(b, func(leaf any) any {
		if n, ok := leaf.(json.Number); ok {
			return integer(json.RawMessage(n))
		}
		return leaf
	})
	if !ok {
		return json.RawMessage("null")
	}
	return out
}

// composedText goes through a string once. A placeholder that has its name in double
// quotes is one that the compiler keeps from the launcher, whatever its version; its
// value reads as it does on other targets.
func (x *executorInput) composedText(s string) string {
	var b strings.Builder
	for {
		head, rest, ok := strings.Cut(s, placeholder)
		b.WriteString(head)
		if !ok {
			return b.String()
		}
		s = rest
		if text, after, ok := x.inText(rest); ok {
			b.WriteString(text)
			s = after
			continue
		}
		b.WriteString(placeholder)
	}
}

// inText returns what stands for a placeholder that begins with its quoted name, and
// what follows it; or false for what isn't one of the compiler's.
func (x *executorInput) inText(s string) (text, after string, ok bool) {
	if s == "" {
		return "", "", false
	}
	quote := s[:1]
	if quote != "'" && quote != `"` {
		return "", "", false
	}
	name, after, ok := strings.Cut(s[1:], quote+"]}}")
	if !ok || !strings.HasPrefix(name, contract.Channel) {
		return "", "", false
	}
	v, given := x.Inputs.ParameterValues[name]
	v = bytes.TrimSpace(v)
	if given = given && len(v) > 0 && string(v) != "null"; quote == `"` {
		if !given {
			return "", after, true
		}
		return plain(v), after, true
	}
	if !given {
		return "", "", false
	}
	return asLauncher(v), after, true
}

// asLauncher returns a value as KFP's launcher puts it into a string.
func asLauncher(v json.RawMessage) string {
	if f, err := strconv.ParseFloat(string(v), 64); err == nil {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return plain(v)
}

// plain returns a string as it is, and other values as compact JSON.
func plain(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	if f, err := strconv.ParseFloat(string(v), 64); err == nil {
		if n := integer(v); !bytes.ContainsAny(n, ".eE") {
			return string(n)
		}
		if b, err := encode(f); err == nil {
			return string(b)
		}
	}
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return string(v)
	}
	return b.String()
}
