package program

import (
	"encoding/json"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// A Piece is a part of the JSON of a list or struct with references in it: JSON
// as it is, or a value whose JSON stands there. A string with references in it is
// a Format.
type Piece struct {
	JSON  string
	Value *Value
	Text  bool // the value stands in quotes: it is a string, whatever its type
}

// Pieces takes a Format apart that is the JSON of a list or struct.
func (v *Value) Pieces() []Piece {
	var out []Piece
	plain := ""           // JSON, up to here
	var text *Value       // the text that we are in, if it has references in it
	start, in := 0, false // where in plain the text starts that we are in
	for i, t := range v.Text {
		for j := 0; j < len(t); j++ {
			c := t[j]
			switch {
			case in && c == '\\' && j+1 < len(t):
				add(&plain, text, t[j:j+2])
				j++
				continue
			case c != '"':
				add(&plain, text, t[j:j+1])
				continue
			case !in:
				in, start = true, len(plain)
				plain += `"`
			case text == nil:
				in = false
				plain += `"`
			default:
				out = append(out, Piece{Value: text, Text: true})
				in, text = false, nil
			}
		}
		if i >= len(v.Of) {
			continue
		}
		of := v.Of[i]
		switch {
		case !in:
			out = append(out, Piece{JSON: plain}, Piece{Value: &of})
			plain = ""
		case text == nil:
			text = &Value{Kind: Format, Type: graph.Type{Name: kfptype.String}, Text: []string{plain[start+1:], ""}, Of: []Value{of}}
			out = append(out, Piece{JSON: plain[:start]})
			plain = ""
		default:
			text.Text, text.Of = append(text.Text, ""), append(text.Of, of)
		}
	}
	if plain != "" {
		out = append(out, Piece{JSON: plain})
	}
	for i := range out {
		if out[i].Text {
			for j, t := range out[i].Value.Text {
				out[i].Value.Text[j] = unquote(t)
			}
		}
	}
	return out
}

// Bare returns a value in the JSON of a list or struct that stands there as what it
// is, not in a string; nil if there is none.
func (v *Value) Bare() *Value {
	if v.JSON() {
		for _, p := range v.Pieces() {
			if p.Value != nil && !p.Text {
				return p.Value
			}
		}
	}
	return nil
}

func add(plain *string, text *Value, s string) {
	if text != nil {
		text.Text[len(text.Text)-1] += s
		return
	}
	*plain += s
}

// unquote returns what a part of a JSON text says.
func unquote(s string) string {
	var out string
	if json.Unmarshal([]byte(`"`+s+`"`), &out) != nil {
		return s
	}
	return out
}

// Sample returns JSON of the form that the Format will have.
func (v *Value) Sample() json.RawMessage {
	var b strings.Builder
	for _, p := range v.Pieces() {
		switch {
		case p.Value == nil:
			b.WriteString(p.JSON)
		case p.Text:
			t, _ := json.Marshal(strings.Join(p.Value.Text, ""))
			b.Write(t)
		default:
			s, ok := samples[p.Value.Type.Name]
			if !ok {
				s = "null"
			}
			b.WriteString(s)
		}
	}
	return json.RawMessage(b.String())
}

var samples = map[string]string{
	kfptype.String: `""`, kfptype.Integer: "0", kfptype.Double: "0.0", kfptype.Boolean: "false", kfptype.List: "[]", kfptype.Struct: "{}",
}
