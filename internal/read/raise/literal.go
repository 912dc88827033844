package raise

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/big"
	"slices"
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
		var items []json.RawMessage
		if json.Unmarshal(j, &items) != nil || items == nil {
			return "", false
		}
		elem := t.list().root()
		var parts []string
		for _, item := range items {
			s, ok := b.literal(elem, item)
			if !ok {
				return "", false
			}
			parts = append(parts, strings.TrimPrefix(s, b.elided(elem)))
		}
		return braces(b.goType(t), parts), true
	case kfptype.Struct:
		var members map[string]json.RawMessage
		if json.Unmarshal(j, &members) != nil || members == nil {
			return "", false
		}
		if t.fields == nil {
			return anyLiteral(j)
		}
		name := b.goType(t)
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(members)) {
			f := t.fields[k]
			if f == nil {
				return "", false
			}
			s, ok := b.literal(f, members[k])
			if !ok {
				return "", false
			}
			parts = append(parts, t.goFields[k]+": dsl.Const("+b.typed(f, s)+")")
		}
		return braces(name, parts), true
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
		var items []json.RawMessage
		if json.Unmarshal(j, &items) != nil {
			return "", false
		}
		var parts []string
		for _, item := range items {
			s, ok := anyLiteral(item)
			if !ok {
				return "", false
			}
			parts = append(parts, s)
		}
		return braces("[]any", parts), true
	case kfptype.Struct:
		var members map[string]json.RawMessage
		if json.Unmarshal(j, &members) != nil {
			return "", false
		}
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(members)) {
			s, ok := anyLiteral(members[k])
			if !ok {
				return "", false
			}
			parts = append(parts, gosrc.Quote(k)+": "+s)
		}
		return braces("map[string]any", parts), true
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
