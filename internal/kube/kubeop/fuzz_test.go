package kubeop

import (
	"encoding/json"
	"testing"
)

// FuzzManifest fills any value into any manifest. The value is never more than
// a value: it changes nothing of what is around it.
func FuzzManifest(f *testing.F) {
	f.Add("kind: X\nmetadata: {name: \""+input("v")+"\"}\nn: "+input("v"), "a: b\n- \"")
	f.Add("a: |\n  "+input("v")+"\nb: &x [1]\nc: *x", "\nkind: Y")
	f.Add("a: &a {b: 1}\nc: {<<: *a}\n? "+input("v")+"\n: 2", "{{x}}")
	f.Fuzz(func(t *testing.T, manifest, value string) {
		j, err := json.Marshal(value)
		if err != nil {
			t.Skip()
		}
		fill := func(v json.RawMessage) (map[string]any, error) {
			return (&filler{inputs: map[string]json.RawMessage{"v": v}, image: func() (string, error) { return "i", nil }}).object(manifest)
		}
		if manifest == input("v") {
			t.Skip() // the value is the manifest
		}
		one, err1 := fill(j)
		two, err2 := fill(json.RawMessage(`"plain"`))
		if err1 == nil && err2 == nil && shape(one) != shape(two) {
			t.Errorf("%q changes %s to %s", value, text(two), text(one))
		}
		if err1 == nil {
			if _, err := json.Marshal(one); err != nil {
				t.Error(err)
			}
		}
	})
}

// shape counts what is in a value.
func shape(v any) (n int) {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			n += 1000 + shape(e)
		}
	case []any:
		for _, e := range v {
			n += 1000000 + shape(e)
		}
	default:
		n = 1
	}
	return n
}

func FuzzConditions(f *testing.F) {
	f.Add("status.n > 1, status.phase in (A, B), !status.x")
	f.Fuzz(func(t *testing.T, s string) {
		list, err := (&filler{}).conditions("success", s)
		if err != nil {
			return
		}
		for _, c := range list {
			c.holds(map[string]any{"status": map[string]any{"n": json.Number("1")}})
		}
	})
}
