package dsl

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/contract"
)

// TestComposed: a text on KFP is the same whatever KFP's launcher has left in it.
func TestComposed(t *testing.T) {
	const values = `"pipelinechannel--s":"it's \"x\"\n\\ <b> {{$.inputs.parameters['pipelinechannel--n']}}","pipelinechannel--n":2.0,"pipelinechannel--small":1e-07,
		"pipelinechannel--large":1e+21,"pipelinechannel--b":false,"pipelinechannel--l":["a",  {"b": 1e-7}],"pipelinechannel--empty":"","pipelinechannel--null":null,
		"pipelinechannel--ints":[2.0,{"a":[3.0,0.5]}],"pipelinechannel--exact":9007199254740993,"pipelinechannel--o-subvar-it's":"field","a":"own"`
	one := func(name string) string { return "{{$.inputs.parameters['pipelinechannel--" + name + "']}}" }
	two := func(name string) string { return `{{$.inputs.parameters[\"pipelinechannel--` + name + `\"]}}` }
	bare := func(name string) string { return `{{$.inputs.parameters[\"pipelinechannel--` + name + `\"].json}}` }
	text := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	const s = "it's \"x\"\n\\ <b> {{$.inputs.parameters['pipelinechannel--n']}}" // what a value holds stays
	for _, c := range []struct{ name, value, want string }{
		{"x", `"a ` + one("s") + "|" + one("n") + ` b"`, text("a " + s + "|2 b")},
		{"x", `"a ` + two("s") + "|" + two("n") + ` b"`, text("a " + s + "|2 b")},
		{"x", `"` + one("n") + one("b") + one("n") + `"`, `"2false2"`},
		{"x", `"` + one("small") + " " + one("large") + `"`, `"0.0000001 1000000000000000000000"`}, // as the launcher prints them
		{"x", `"` + two("small") + " " + two("large") + " " + two("exact") + `"`, `"1e-7 1e+21 9007199254740993"`},
		{"x", `"` + one("l") + `"`, text(`["a",{"b":1e-7}]`)},
		{"x", `"` + two("l") + two("b") + two("empty") + `"`, text(`["a",{"b":1e-7}]false`)},
		{"x", `"` + two("o-subvar-it's") + `"`, `"field"`},
		{"x", `["` + one("n") + `",{"k":"<` + two("n") + `>","n":9007199254740993}]`, `["2",{"k":"\u003c2\u003e","n":9007199254740993}]`},
		{"kfpgo-env--A", `"` + one("n") + `"`, `"2"`},
		// What is no text in a list or struct.
		{"x", `["` + bare("n") + `",{"k":"` + bare("b") + `","l":"` + bare("l") + `","s":"` + bare("s") + `","o":"` + bare("o-subvar-it's") + `"}]`,
			`[2,{"k":false,"l":["a",{"b":1e-7}],"o":"field","s":` + text(s) + `}]`},
		{"x", `["` + bare("ints") + `","` + bare("exact") + `","` + bare("small") + `","` + bare("large") + `"]`, `[[2,{"a":[3,0.5]}],9007199254740993,1e-07,1e+21]`},
		{"x", `["` + bare("null") + `","` + bare("none") + `"]`, `[null,null]`},
		{"x", `["a` + bare("n") + `","` + bare("n") + bare("n") + `"]`, ""},
		// What was not given: nothing, where the compiler keeps it from the launcher.
		{"x", `"a` + two("null") + two("none") + `b"`, `"ab"`},
		// What isn't the compiler's stays, byte by byte.
		{"x", `"a` + one("null") + one("none") + `b"`, ""},
		{"x", `"{{$.inputs.parameters['a']}} {{$.inputs.parameters[\"a\"]}}"`, ""},
		{"x", `"{{$.inputs.parameters['pipelinechannel--n]}} {{$.inputs.parameters['"`, ""},
		{"x", `"{{$.inputs.parameters[ {{$.inputs.parameters[' {{$.outputs.parameters['pipelinechannel--n']}} {{$}} {{x}}\u003c"`, ""},
		{"pipelinechannel--y", `"` + one("n") + `"`, ""},
	} {
		want := c.want
		if want == "" {
			want = c.value
		}
		for _, kfpgo := range []string{"", `,"kfpgo":{"v":1,"outputs":"argo"}`, `,"kfpgo":{"v":1,"outputs":"local"}`} {
			x, err := parseInput([]byte(`{"inputs":{"parameterValues":{` + values + `,"` + c.name + `":` + c.value + `}}` + kfpgo + `}`))
			if err != nil {
				t.Fatal(err)
			}
			if kfpgo != "" { // it is a text there
				want = c.value
			}
			if got := string(x.Inputs.ParameterValues[c.name]); got != want {
				t.Errorf("%s of %s for %q is\n%s, want\n%s", c.name, c.value, kfpgo, got, want)
			}
		}
	}
}

// FuzzComposed puts anything beside anything: the values stay JSON, and what the
// compiler has not made stays as it is.
func FuzzComposed(f *testing.F) {
	f.Add("{{$.inputs.parameters['pipelinechannel--a']}}", `"x"`)
	f.Add(`{{$.inputs.parameters["pipelinechannel--a"]}}{{$.inputs.parameters[`, `[1e400, {"a": null}]`)
	f.Add(`["{{$.inputs.parameters['pipelinechannel--a']}}"]`, `1e999`)
	f.Add(`["{{$.inputs.parameters[\"pipelinechannel--a\"].json}}"]`, `{"a":[2.0,1e400]}`)
	f.Fuzz(func(t *testing.T, s, value string) {
		text, _ := json.Marshal(s)
		for _, v := range []json.RawMessage{text, json.RawMessage(s)} {
			x := &executorInput{}
			x.Inputs.ParameterValues = map[string]json.RawMessage{"pipelinechannel--a": json.RawMessage(value), "text": v}
			x.compose()
			got := x.Inputs.ParameterValues["text"]
			if json.Valid(v) && !json.Valid(got) {
				t.Errorf("%s with %s is %s", v, value, got)
			}
			if !strings.Contains(string(v), contract.Channel) && !strings.Contains(string(v), `\u`) && string(got) != string(v) {
				t.Errorf("%s became %s", v, got)
			}
		}
	})
}
