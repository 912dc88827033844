package kubeop

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestManifest fills values in as data, whatever is in them.
func TestManifest(t *testing.T) {
	f := &filler{image: func() (string, error) { return "app:1", nil }, inputs: map[string]json.RawMessage{
		"name":  json.RawMessage(`"it's \"{{x}}\"\n# ${Y}: [a]"`),
		"digit": json.RawMessage(`"017"`),
		"n":     json.RawMessage(`3`),
		"big":   json.RawMessage(`9007199254740993`),
		"on":    json.RawMessage(`false`),
		"map":   json.RawMessage(`{"a":[1,{"b":null}]}`),
		"model": json.RawMessage(`{"uri":"s3://b/m","metadata":{"rows":3,"by":"me"}}`),
		"yaml":  json.RawMessage(`"kind: X\nname: {{$.inputs.parameters['n']}}a"`),
		"plain": json.RawMessage(`"kind: X\nat: 2024-01-02\nn: 12345678901234567890\nf: 1.5\nb: yes"`),
	}}
	artifact := func(field string) string { return "{{$.inputs.artifacts['model']." + field + "}}" }
	for _, tt := range []struct{ manifest, want string }{
		{"a: " + input("name"), `{"a":"it's \"{{x}}\"\n# ${Y}: [a]"}`},
		{"a: \"" + input("name") + "\"", `{"a":"it's \"{{x}}\"\n# ${Y}: [a]"}`},
		{"a: pre-" + input("name") + "-post", `{"a":"pre-it's \"{{x}}\"\n# ${Y}: [a]-post"}`},
		{"a: [" + input("n") + ", \"" + input("n") + "\", x" + input("n") + "]", `{"a":[3,"3","x3"]}`},
		{"a: " + input("digit"), `{"a":"017"}`},
		{"a: " + input("big") + "\nb: 9007199254740993", `{"a":9007199254740993,"b":9007199254740993}`},
		{"a: " + input("on") + "\nb: '" + input("on") + "'", `{"a":false,"b":"false"}`},
		{"a: " + input("map"), `{"a":{"a":[1,{"b":null}]}}`},
		{"a: |\n  run " + input("map") + "\n  end", `{"a":"run {\"a\":[1,{\"b\":null}]}\nend"}`},
		{"a: " + input("none") + "\nb: [" + input("none") + ", 1]\nc: x" + input("none"), `{"b":[1],"c":"x"}`},
		{"a: \"" + input("none") + "\"\nb: " + input("none"), `{"a":""}`},
		{input("digit") + "k: 1", `{"017k":1}`},
		{"a: " + artifact("uri") + "\nb: " + artifact("metadata['rows']") + "\nc: " + artifact("metadata['by']"), `{"a":"s3://b/m","b":3,"c":"me"}`},
		{"a: {{kfpgo.program-image}}\nb: \"x {{kfpgo.program-image}}\"", `{"a":"app:1","b":"x app:1"}`},
		{"base: &b {x: 1, y: 2}\nc: {<<: *b, y: 3}", `{"base":{"x":1,"y":2},"c":{"x":1,"y":3}}`},
		{"kfpgo-hole-0.: " + input("n"), `{"kfpgo-hole-0.":3}`},
		{input("map"), `{"a":[1,{"b":null}]}`},
		{input("plain"), `{"at":"2024-01-02","b":"yes","f":1.5,"kind":"X","n":12345678901234567890}`},
		{"at: 2024-01-02", `{"at":"2024-01-02"}`},
	} {
		got, err := f.object(tt.manifest)
		if err != nil || text(got) != tt.want {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", tt.manifest, text(got), err, tt.want)
		}
	}
	for manifest, want := range map[string]string{
		input("none"):            "input none was not given",
		"a: " + artifact("path"): "has no meaning in a manifest",
		"a: {{$}}":               "has no meaning in a manifest",
		"a: 1\na: 2":             "a is there twice",
		"? [a]\n: b":             "a key is not a string",
		"a: &a [*a]":             "",
		input("yaml"):            "",
	} {
		if _, err := f.object(manifest); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", manifest, err, want)
		}
	}
}

func TestConditions(t *testing.T) {
	obj := object(`{"status":{"n":2,"f":0.5,"ok":true,"phase":"Ready","null":null,"list":[{"type":"A"}],"text":"a, b"},"metadata":{"labels":{"app.io/x":"y"}}}`)
	f := &filler{inputs: map[string]json.RawMessage{"want": json.RawMessage(`2`)}}
	for text, want := range map[string]bool{
		"status.n > 1": true, "status.n>2": false, "status.n >= 2": true, "status.n < 3": true, "status.n <= 1.5": false,
		"status.f == 0.5": true, "status.ok == true": true, "status.ok": true, "!status.ok": false, "status.none": false, "!status.none": true,
		"status.null": false, "status.none != x": true, "status.phase = Ready": true, "status.phase == \"Ready\"": true, "status.phase != Ready": false,
		"status.phase in (Ready, Done)": true, "status.phase notin (Ready)": false, "status.none > 0": false,
		"status.list.0.type == A": true, `metadata.labels.app\.io/x == y`: true,
		"status.n > 1, status.ok == true": true, "status.phase in (A, B), status.ok": false,
		"status.n == " + input("want"): true, "": true,
	} {
		list, err := f.conditions("success", text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		got := true
		for _, c := range list {
			got = got && c.holds(obj)
		}
		if got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
}

func TestJSONPath(t *testing.T) {
	obj := object(`{"a":{"b":[{"c":1},{"c":2}],"d.e/f":3}}`)
	for path, want := range map[string]string{
		"{.a.b[0].c}": "1", "{.a.b[-1].c}": "2", "{.a['d.e/f']}": "3", `{.a.d\.e/f}`: "3", "{$.a.b[1]}": `{"c":2}`, "{.a.x}": "none", "{.a.b[7]}": "none",
		"{.a.b[*].c}": "error", "{range .a}": "error", "{.a.b[?(@.c==1)]}": "error",
	} {
		steps, err := jsonPath(path)
		got := "error"
		if err == nil {
			got = "none"
			if v, ok := at(obj, steps...); ok {
				got = text(v)
			}
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}
