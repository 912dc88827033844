package params_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

func optional(name, typ, goType string) program.Port {
	return program.Port{Name: name, Type: graph.Type{Name: typ, Go: goType}, Optional: true}
}

var config = graph.Type{Name: "STRUCT", Go: "mnist.Config", Fields: []graph.TypeField{
	{Name: "Epochs", Type: graph.Type{Name: "NUMBER_INTEGER", Go: "int"}},
	{Name: "Rate", Type: graph.Type{Name: "NUMBER_DOUBLE", Go: "float64"}},
}}

var inputs = []program.Port{
	optional("name", "STRING", "string"),
	optional("day", "STRING", "time.Time"),
	optional("epochs", "NUMBER_INTEGER", "int"),
	optional("small", "NUMBER_INTEGER", "uint8"),
	optional("tiny", "NUMBER_INTEGER", "int8"),
	optional("rate", "NUMBER_DOUBLE", "float64"),
	optional("single", "NUMBER_DOUBLE", "float32"),
	optional("shuffle", "BOOLEAN", "bool"),
	{Name: "sweep", Optional: true, Type: graph.Type{Name: "LIST", Go: "[]mnist.Config", Elem: &config}},
	{Name: "weights", Optional: true, Type: graph.Type{Name: "STRUCT", Go: "map[string]float64", Elem: &graph.Type{Name: "NUMBER_DOUBLE", Go: "float64"}}},
	{Name: "config", Optional: true, Type: config},
	{Name: "data", Optional: true, Type: graph.Type{Name: "system.Dataset", Artifact: true}},
}

func TestFlags(t *testing.T) {
	for flag, want := range map[string]string{
		"name=five":                       `"five"`,
		"name=":                           `""`,
		"name=5":                          `"5"`,
		"name=null":                       `"null"`,
		"name=a=b <c> \"d\" é\n#":         `"a=b <c> \"d\" é\n#"`,
		"day=2026-01-31T03:00:00Z":        `"2026-01-31T03:00:00Z"`,
		"day=2026-01-31":                  `"2026-01-31T00:00:00Z"`,
		"epochs=5":                        `5`,
		"epochs=-9223372036854775808":     `-9223372036854775808`,
		"small=255":                       `255`,
		"rate=0.00002":                    `0.00002`,
		"rate=1e21":                       `1e21`,
		"rate=-0.0":                       `-0.0`,
		"rate=7":                          `7`,
		"shuffle=false":                   `false`,
		`sweep=[{"Epochs":1,"Rate":0.5}]`: `[{"Epochs":1,"Rate":0.5}]`,
		"sweep=[]":                        `[]`,
		`weights={"a":1}`:                 `{"a":1}`,
		"data=file:///tmp/x":              `"file:///tmp/x"`,
	} {
		got, err := params.Read(inputs, params.Options{Flags: []string{flag}})
		name, _, _ := strings.Cut(flag, "=")
		if err != nil || string(got[name]) != want || len(got) != 1 {
			t.Errorf("%s: got %s, %v; want %s", flag, got[name], err, want)
		}
	}
}

func TestBadFlags(t *testing.T) {
	for flag, want := range map[string]string{
		"epochs=five":                         `parameter epochs: "five" is not an integer (int)`,
		"epochs=5.0":                          `parameter epochs: "5.0" is not an integer (int)`,
		"epochs=1e3":                          `parameter epochs: "1e3" is not an integer (int)`,
		"epochs=":                             `parameter epochs: "" is not an integer (int)`,
		"epochs=null":                         `parameter epochs: null is not a value; leave the parameter out, or give an integer (int)`,
		"epochs=\"5\"":                        `parameter epochs: "\"5\"" is not an integer (int)`,
		"epochs=9223372036854775808":          `parameter epochs: 9223372036854775808 is out of range: int goes from -9223372036854775808 to 9223372036854775807`,
		"small=256":                           `parameter small: 256 is out of range: uint8 goes from 0 to 255`,
		"small=-1":                            `parameter small: -1 is out of range: uint8 goes from 0 to 255`,
		"tiny=128":                            `parameter tiny: 128 is out of range: int8 goes from -128 to 127`,
		"rate=1e400":                          `parameter rate: 1e400 is out of range of float64`,
		"rate=NaN":                            `parameter rate: "NaN" is not a number (float64)`,
		"single=1e39":                         `parameter single: 1e39 is out of range of float32`,
		"shuffle=yes":                         `parameter shuffle: "yes" is not true or false`,
		"day=today":                           `parameter day: "today" is not a time such as 2026-01-31T03:00:00Z, or a date such as 2026-01-31`,
		"day=2026-02-30":                      `parameter day: "2026-02-30" is not a time such as 2026-01-31T03:00:00Z, or a date such as 2026-01-31`,
		"sweep=1,2":                           `parameter sweep: "1,2" is not JSON; wanted a JSON list ([]mnist.Config)`,
		"sweep={}":                            `parameter sweep: "{}" is not a JSON list ([]mnist.Config)`,
		`sweep=[{"Epochs":1.5},{"Rate":"x"}]`: `parameter sweep: [0].Epochs is 1.5; wanted an integer (int), [1].Rate is "x"; wanted a number (float64)`,
		`config={"epochs":1}`:                 `parameter config: mnist.Config has no field epochs; did you mean Epochs?`,
		`config={"Depth":1}`:                  `parameter config: mnist.Config has no field Depth; it has Epochs, Rate`,
		`weights={"a":"b"}`:                   `parameter weights: .a is "b"; wanted a number (float64)`,
		"epoch=5":                             `there is no parameter epoch; did you mean epochs?`,
		"eopchs=5":                            `there is no parameter eopchs; did you mean epochs?`,
		"quality=5":                           `there is no parameter quality; the pipeline has config, data, day, epochs, name, rate, shuffle, single, small, sweep, tiny, weights`,
		"epochs":                              `-p epochs: give it as name=value`,
		"data=":                               `parameter data: an artifact is given by its URI or file name; this one is empty`,
	} {
		if _, err := params.Read(inputs, params.Options{Flags: []string{flag}}); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", flag, err, want)
		}
	}
}

func TestFile(t *testing.T) {
	const file = `# a comment
name: "5"
day: 2026-01-31T03:00:00Z
epochs: 9007199254740993
small: 0x10
rate: .5
single: 1e-5
shuffle: no longer # a string would be wrong
sweep:
  - {Epochs: 1, Rate: 0.1}
  - Epochs: 2
    Rate: 1e21
weights: {a: 1, "b c": 2.50}
config: &c {Epochs: 3}
`
	got, err := params.Read(inputs, params.Options{
		File: "p.yaml", YAML: []byte(strings.Replace(file, "no longer # a string would be wrong", "true", 1)), Flags: []string{"rate=7"}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"name": `"5"`, "day": `"2026-01-31T03:00:00Z"`, "epochs": "9007199254740993", "small": "16", "rate": "7", "single": "1e-5",
		"shuffle": "true", "sweep": `[{"Epochs":1,"Rate":0.1},{"Epochs":2,"Rate":1e21}]`, "weights": `{"a":1,"b c":2.50}`, "config": `{"Epochs":3}`,
	}
	if diff := cmp.Diff(want, texts(got)); diff != "" {
		t.Error(diff)
	}
	got, err = params.Read(inputs, params.Options{File: "p.yaml", YAML: []byte("day: 2026-01-31\n")})
	if err != nil || string(got["day"]) != `"2026-01-31T00:00:00Z"` {
		t.Errorf("a date is %s, %v", got["day"], err)
	}
	// JSON is YAML, with any character.
	for _, name := range []string{"\x7f \u0085 \u009b \u2028 \ufeff \uffff 😀 \t", "a \"b\" \\u0041"} {
		b, err := json.Marshal(map[string]string{"name": name})
		if err != nil {
			t.Fatal(err)
		}
		b = bytes.ReplaceAll(b, []byte(`\u2028`), []byte("\u2028")) // as others write it
		var is string
		if got, err = params.Read(inputs, params.Options{File: "p.json", YAML: b}); err != nil || json.Unmarshal(got["name"], &is) != nil || is != name {
			t.Errorf("%q: got %s, %v", name, got["name"], err)
		}
	}
	for _, empty := range []string{"", "# nothing\n", "null\n", "{}\n"} {
		if got, err := params.Read(inputs, params.Options{File: "p.yaml", YAML: []byte(empty)}); err != nil || len(got) > 0 {
			t.Errorf("%q: got %v, %v", empty, got, err)
		}
	}
}

func texts(m map[string]json.RawMessage) map[string]string {
	out := map[string]string{}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out[k] = string(m[k])
	}
	return out
}

func TestBadFile(t *testing.T) {
	for file, want := range map[string]string{
		"epochs: five":                   `p.yaml:1: parameter epochs: "five" is not an integer (int)`,
		"\nname: 5":                      `p.yaml:2: parameter name: 5 is not a string; put it in quotes`,
		"name: yes\nname: no":            `p.yaml:2: parameter name is given twice`,
		"epoch: 5":                       `p.yaml:1: there is no parameter epoch; did you mean epochs?`,
		"rate: .inf":                     `p.yaml:1: parameter rate: .inf is not a number in JSON`,
		"rate:":                          `p.yaml:1: parameter rate: null is not a value; leave the parameter out, or give a number (float64)`,
		"- 5":                            `p.yaml:1: wanted names and values, such as epochs: 5`,
		"name: [":                        `p.yaml: line 1: did not find expected node content`,
		"name: a\n---\nname: b":          `p.yaml: give one YAML document; there are more`,
		"config: {Epochs: 1, Epochs: 2}": `p.yaml:1: parameter config: line 1: Epochs is given twice`,
		"config: {[a]: 1}":               `p.yaml:1: parameter config: line 1: the names of an object are plain strings`,
	} {
		if _, err := params.Read(inputs, params.Options{File: "p.yaml", YAML: []byte(file)}); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", file, err, want)
		}
	}
}

// TestAllMistakes sees that they come at once, required inputs included.
func TestAllMistakes(t *testing.T) {
	required := []program.Port{
		{Name: "a", Type: graph.Type{Name: "NUMBER_DOUBLE", Go: "float64"}},
		{Name: "url", Type: graph.Type{Name: "STRING", Go: "string"}},
		{Name: "b", Type: graph.Type{Name: "NUMBER_DOUBLE", Go: "float64"}, Default: json.RawMessage("7")},
	}
	_, err := params.Read(required, params.Options{Flags: []string{"b=x", "ulr=y", "b=1"}})
	want := `parameter b: "x" is not a number (float64)
there is no parameter ulr; did you mean url?
parameter b is given twice
parameter a is required; give it with -p a=1.5, a number (float64)`
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	if got, err := params.Read(required, params.Options{Flags: []string{"a=1", "url="}}); err != nil || len(got) != 2 {
		t.Errorf("got %v, %v", got, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("epochs=5", "name: x")
	f.Add(`sweep=[{"Epochs":1}]`, "sweep: &a [*a]")
	f.Fuzz(func(t *testing.T, flag, file string) {
		got, err := params.Read(inputs, params.Options{Flags: []string{flag}, File: "p.yaml", YAML: []byte(file)})
		for k, v := range got {
			if err == nil && !json.Valid(v) {
				t.Errorf("%s is %s", k, v)
			}
		}
	})
}
