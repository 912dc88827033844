package yaml

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"gopkg.in/yaml.v3"
	old "sigs.k8s.io/yaml/goyaml.v2"
)

func TestMarshal(t *testing.T) {
	v := map[string]any{
		"yes": []string{"y", "No", "on", "1", "1e3", "0x1F", "2001-01-01", "12:30:45", "1_000", "~", "null", ".5", "+1", "=", "<<",
			"", " a", "a ", "a: b", "a:", "a #b", "a#b", "it's", `"q"`, "- a", "*a", "&a", "!a", "%a", "@a", "`a", "{a}", "[a]", "? a", "| a",
			"plain text", "/app", "gcr.io/a:b", "Zürich", "日本", "\u0085", "\u2028", "\ufeff", "😀", "tab\tin", "bell\a", "\r\n", "{{$.inputs.parameters['a']}}",
			"a\nb\n", "a\nb", "a\n\n  b\n", "\na", " a\nb", "a\n\n", "a\n \nb", "a\n\tb", "# a\nb", "a\n# b", "a\r\nb", "---\na", "...\nb"},
		"n":  json.Number("9007199254740993"),
		"f":  []json.Number{"0.1", "1e20", "1E-7", "-0", "1.50", "2.5e+3", "123456789012345678901234567890"},
		"no": map[string]any{}, "empty": []int{}, "t": true, "nil": nil,
		"raw":    json.RawMessage(`{"b":1.0,"a":"<&>"}`),
		"nested": []any{[]any{1, []any{}}, map[string]any{"a": map[string]any{"b": 1}, "12": "x", "a b: c": 1, "": 2}},
	}
	if !bytes.Equal(roundTrip(t, v), roundTrip(t, v)) {
		t.Error("two runs differ")
	}
}

// roundTrip writes a value and checks that a reader of YAML 1.2 and one of 1.1
// read it back.
func roundTrip(t *testing.T, v any) []byte {
	t.Helper()
	b, err := Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	j, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	want := normal(t, j)
	for name, read := range map[string]func([]byte, any) error{"1.2": yaml.Unmarshal, "1.1": old.Unmarshal} {
		var x any
		if err := read(b, &x); err != nil {
			t.Fatalf("YAML %s: %v\n%s", name, err, b)
		}
		g, err := json.Marshal(strKeys(x))
		if err != nil {
			t.Fatal(err)
		}
		if got := normal(t, g); !reflect.DeepEqual(got, want) {
			t.Fatalf("YAML %s reads back\n%#v\nwant\n%#v\nfrom\n%s", name, got, want, b)
		}
	}
	return b
}

func normal(t *testing.T, j []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(j, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// strKeys makes JSON's maps of YAML's.
func strKeys(v any) any {
	switch v := v.(type) {
	case map[any]any:
		m := map[string]any{}
		for k, e := range v {
			s, ok := k.(string)
			if !ok {
				s = "not a string"
			}
			m[s] = strKeys(e)
		}
		return m
	case map[string]any:
		for k := range v {
			v[k] = strKeys(v[k])
		}
	case []any:
		for i := range v {
			v[i] = strKeys(v[i])
		}
	}
	return v
}

func TestLook(t *testing.T) {
	v := map[string]any{"b": "text", "a": []any{"x", "y", json.Number("1e2")}, "s": "echo 1\necho 2\n", "e": map[string]any{}}
	const want = "a:\n  - x\n  - 'y'\n  - 1.0e+2\nb: text\ne: {}\ns: |\n  echo 1\n  echo 2\n"
	if got, err := Marshal(v); err != nil || string(got) != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
}

func TestErrors(t *testing.T) {
	if _, err := Marshal(func() {}); err == nil {
		t.Error("a function has no YAML")
	}
}

func FuzzMarshal(f *testing.F) {
	for _, s := range []string{"a", "y", "1:2", "a\nb\n", " x\ny", "\x00", "a: b\n", "-", "...", "--- a"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, k, s string) {
		v := map[string]any{k: s, "l": []any{s, map[string]any{"in": s}}}
		roundTrip(t, v)
	})
}
