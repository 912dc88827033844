package raise

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// literal returns a JSON value as Go of a type. False: it isn't one of that type.
func (b *builder) literal(t *typ, j json.RawMessage) (string, bool) {
	t = t.root()
	if t.fixed != "" {
		return b.fixedLiteral(t.fixed, j)
	}
	if t.open || t.ir == "" {
		return anyLiteral(j)
	}
	switch t.ir {
	case kfptype.String:
		var s string
		if jsonType(j) != kfptype.String || json.Unmarshal(j, &s) != nil {
			return "", false
		}
		return gosrc.Quote(s), true
	case kfptype.Boolean:
		s := string(bytes.TrimSpace(j))
		return s, s == "true" || s == "false"
	case kfptype.Integer:
		return wholeNumber(string(bytes.TrimSpace(j)))
	case kfptype.Double:
		return floatLiteral(j)
	case kfptype.List:
		elem := t.list().root()
		parts, ok := items(j, func(item json.RawMessage) (string, bool) {
			s, ok := b.literal(elem, item)
			return strings.TrimPrefix(s, b.elided(elem)), ok
		})
		return braces(b.goType(t), parts), ok
	case kfptype.Struct:
		if t.fields == nil {
			if jsonType(j) != kfptype.Struct {
				return "", false
			}
			return anyLiteral(j)
		}
		name := b.goType(t)
		parts, ok := members(j, func(k string, v json.RawMessage) (string, bool) {
			f := t.fields[k]
			if f == nil {
				return "", false
			}
			s, ok := b.literal(f, v)
			return t.goFields[k] + ": dsl.Const(" + b.typed(f, s) + ")", ok
		})
		return braces(name, parts), ok
	}
	return "", false
}

// elided returns the type that gofmt -s leaves out of an element.
func (b *builder) elided(elem *typ) string {
	if elem.open || elem.fixed != "" {
		return ""
	}
	if elem.ir == kfptype.List || elem.ir == kfptype.Struct {
		return b.goType(elem)
	}
	return ""
}

// typed makes a literal say its type to dsl.Const.
func (b *builder) typed(t *typ, s string) string {
	t = t.root()
	if t.open || t.ir == "" {
		return "any(" + s + ")"
	}
	if t.fixed != "" && !strings.HasPrefix(s, t.fixed) {
		return t.fixed + "(" + s + ")"
	}
	return s
}

// anyLiteral returns a JSON value as Go of type any.
func anyLiteral(j json.RawMessage) (string, bool) {
	return anyWith(j, func(json.RawMessage) string { return "" })
}

// anyWith is anyLiteral of JSON in which some strings stand for Go.
func anyWith(j json.RawMessage, stands func(json.RawMessage) string) (string, bool) {
	if s := stands(j); s != "" {
		return s, true
	}
	switch jsonType(j) {
	case kfptype.String:
		var s string
		err := json.Unmarshal(j, &s)
		return gosrc.Quote(s), err == nil
	case kfptype.Boolean:
		s := string(bytes.TrimSpace(j))
		return s, s == "true" || s == "false"
	case kfptype.Integer:
		if n, err := strconv.Atoi(string(bytes.TrimSpace(j))); err == nil {
			return strconv.Itoa(n), true
		}
		return floatLiteral(j)
	case kfptype.Double:
		return floatLiteral(j)
	case kfptype.List:
		parts, ok := items(j, func(item json.RawMessage) (string, bool) { return anyWith(item, stands) })
		return braces("[]any", parts), ok
	case kfptype.Struct:
		parts, ok := members(j, func(k string, v json.RawMessage) (string, bool) {
			s, ok := anyWith(v, stands)
			return gosrc.Quote(k) + ": " + s, ok
		})
		return braces("map[string]any", parts), ok
	}
	return "nil", true
}

func floatLiteral(j json.RawMessage) (string, bool) {
	var f float64
	if t := jsonType(j); t != kfptype.Integer && t != kfptype.Double || json.Unmarshal(j, &f) != nil {
		return "", false
	}
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s, true
}

// number returns a default that is the text of a number or bool, as KFP 1's
// compiler wrote them, as what it is.
func number(ir string, j json.RawMessage) json.RawMessage {
	var text string
	if ir != kfptype.Integer && ir != kfptype.Double && ir != kfptype.Boolean || jsonType(j) != kfptype.String || json.Unmarshal(j, &text) != nil || !json.Valid([]byte(text)) {
		return j
	}
	if got := jsonType([]byte(text)); got == ir || got == kfptype.Integer && ir == kfptype.Double {
		return json.RawMessage(text)
	}
	return j
}

// wholeNumber returns a number that is whole, such as 3.0, without its fraction.
func wholeNumber(s string) (string, bool) {
	r, ok := new(big.Rat).SetString(s)
	if !ok || len(s) > 40 || !r.IsInt() || !r.Num().IsInt64() {
		return "", false
	}
	return r.Num().String(), true
}

// braces returns a composite literal: on one line if that is short.
func braces(typ string, parts []string) string {
	one := typ + "{" + strings.Join(parts, ", ") + "}"
	if len(one) <= 90 && !strings.Contains(one, "\n") || len(parts) == 0 {
		return one
	}
	return typ + "{\n" + strings.Join(parts, ",\n") + ",\n}"
}

// items returns what each item of a list of JSON is in Go. False: it isn't such a list.
func items(j json.RawMessage, item func(json.RawMessage) (string, bool)) (parts []string, ok bool) {
	var list []json.RawMessage
	if json.Unmarshal(j, &list) != nil || list == nil {
		return nil, false
	}
	for _, v := range list {
		s, ok := item(v)
		if !ok {
			return nil, false
		}
		parts = append(parts, s)
	}
	return parts, true
}

// members is items for the members of an object, in the order of their names.
func members(j json.RawMessage, member func(name string, v json.RawMessage) (string, bool)) (parts []string, ok bool) {
	var object map[string]json.RawMessage
	if json.Unmarshal(j, &object) != nil || object == nil {
		return nil, false
	}
	for name, v := range sorted(object) {
		s, ok := member(name, v)
		if !ok {
			return nil, false
		}
		parts = append(parts, s)
	}
	return parts, true
}

// fields returns a struct of the fields that have a value.
func fields(typ string, pairs ...string) string {
	var parts []string
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			parts = append(parts, pairs[i]+": "+pairs[i+1])
		}
	}
	return braces(typ, parts)
}

func some(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return stringList(list)
}

func nonzero(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// quoted returns a string as the value of a field; nothing for none.
func quoted(s string) string {
	if s == "" {
		return ""
	}
	return gosrc.Quote(s)
}

func flag(set bool) string {
	if set {
		return "true"
	}
	return ""
}
