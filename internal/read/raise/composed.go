package raise

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// holeMark starts the strings that stand for references in the JSON of a refValues.
const holeMark = "\x00"

// values returns a list or struct with references in it.
func (b *builder) values(s *scope, v program.Value, t *program.Task) *ref {
	r := &ref{kind: refValues, typ: &typ{ir: v.Type.Name, usable: true}, sample: v.Sample()}
	var j strings.Builder
	for _, p := range v.Pieces() {
		if j.WriteString(p.JSON); p.Value == nil {
			continue
		}
		of := b.hole(s, p, t)
		if of == nil {
			return nil
		}
		mark, _ := json.Marshal(holeMark + strconv.Itoa(len(r.of)))
		j.Write(mark)
		r.of = append(r.of, of)
	}
	r.lit = json.RawMessage(j.String())
	return r
}

// hole returns a reference in a list or struct: a string that is one as it is.
func (b *builder) hole(s *scope, p program.Piece, t *program.Task) *ref {
	v := *p.Value
	if p.Text && len(v.Of) == 1 && v.Text[0]+v.Text[1] == "" {
		r := b.ref(s, v.Of[0], t)
		if r == nil {
			return nil
		}
		if r.typ != nil && r.typ.root().ir == kfptype.String && r.typ.root().fixed == "" {
			return r
		}
	}
	return b.ref(s, v, t)
}

// composed returns a list or struct with references in it as a Param of a type.
func (b *builder) composed(t *typ, j json.RawMessage, r *ref) (string, bool) {
	t = t.root()
	want := b.goType(t)
	if of := r.holeAt(j); of != nil {
		return b.as("dsl.Param["+want+"]", of), true
	}
	if !hasHoles(j) {
		lit, ok := b.literal(t, j)
		return "dsl.Const(" + b.typed(t, lit) + ")", ok
	}
	known := !t.open && t.fixed == ""
	switch {
	case known && t.ir == kfptype.List && jsonType(j) == kfptype.List && b.goType(t.list()) != "any":
		parts, ok := items(j, func(item json.RawMessage) (string, bool) { return b.composed(t.list(), item, r) })
		return call("dsl.Items", parts), ok
	case known && t.ir == kfptype.Struct && jsonType(j) == kfptype.Struct && t.fields != nil:
		parts, ok := members(j, func(k string, v json.RawMessage) (string, bool) {
			if t.fields[k] == nil {
				return "", false
			}
			s, ok := b.composed(t.fields[k], v, r)
			return t.goFields[k] + ": " + s, ok
		})
		return "dsl.Values(" + braces(want, parts) + ")", ok
	}
	s, ok := anyWith(j, func(j json.RawMessage) string {
		if of := r.holeAt(j); of != nil {
			return b.expr(of)
		}
		return ""
	})
	if got, _, _ := strings.Cut(s, "{"); got != want && want != "any" {
		return "dsl.As[" + want + "](dsl.Values(" + s + "))", ok
	}
	return "dsl.Values(" + s + ")", ok
}

// holeAt returns the reference that JSON stands for, if it does.
func (r *ref) holeAt(j json.RawMessage) *ref {
	var s string
	if json.Unmarshal(j, &s) != nil || !strings.HasPrefix(s, holeMark) {
		return nil
	}
	n, err := strconv.Atoi(s[len(holeMark):])
	if err != nil || n < 0 || n >= len(r.of) {
		return nil
	}
	return r.of[n]
}

func hasHoles(j json.RawMessage) bool { return strings.Contains(string(j), `"\u0000`) }

func call(fn string, args []string) string {
	s := braces(fn, args)
	return fn + "(" + strings.TrimSuffix(strings.TrimPrefix(s, fn+"{"), "}") + ")"
}
