package yaml

import (
	"encoding/json"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// TestHidden: what nobody can see is escaped, and read again as it was.
func TestHidden(t *testing.T) {
	const hidden = "a\u202etxt\u2066\u200b\u061c\u009b2J\x1b[2J\r\u2028\U000e0041\ufeff\x7fz"
	for name, v := range map[string]any{
		"value": map[string]any{"k": hidden}, "key": map[string]any{hidden: "v"}, "item": []any{hidden, "b"}, "lines": map[string]any{"k": "a\n" + hidden + "\n"}, "alone": hidden,
	} {
		b, err := Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if printable.Text(string(b)) != string(b) {
			t.Errorf("%s: %q", name, b)
		}
		var back any
		if err := yaml.Unmarshal(b, &back); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, b)
		}
		was, _ := json.Marshal(v)
		is, _ := json.Marshal(back)
		if string(was) != string(is) {
			t.Errorf("%s: %s became %s", name, was, is)
		}
	}
}
