package yaml

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzPieces compares YAML that is written in small pieces to YAML in one piece.
func FuzzPieces(f *testing.F) {
	for _, s := range []string{
		`{"a":{"b":{"c":[1,2,[3,[4,{"d":{"e":5,"f":[]}}]]],"g":{}}},"h":"x\ny\n\n z","i":null}`,
		`[[[1,2],[3,4]],{"a":[[1]],"b":{"c":"line\n\n  more\nend"}},"text\nmore"]`,
		`{"` + string(bytes.Repeat([]byte("k"), 200)) + `":{"a":{"b":[1,2,3]}},"":{"a":[1,{"b":2}]},"a: b":{"x":{"y":{"z":1}}}}`,
		`"x\ny"`, `5`, `{}`, `[]`, `[{"a":1,"b":2,"c":{"d":[{"e":1},{"f":2}]}}]`,
	} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, text string, most int) {
		d := json.NewDecoder(bytes.NewReader([]byte(text)))
		d.UseNumber()
		var v any
		if d.Decode(&v) != nil || most < 1 {
			return
		}
		for _, o := range []Options{{}, {QuoteStrings: true, Flow: true}} {
			whole, err := encode(o.node(v))
			if err != nil {
				return
			}
			w := &writer{most: most}
			if err := w.write(o.node(v), "", ""); err != nil || w.String() != string(whole) {
				t.Errorf("got\n%s\nwant\n%s\n%v", w.String(), whole, err)
			}
		}
	})
}
