package kfp

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestCheckRun: arguments that KFP would change are refused, with a reason.
func TestCheckRun(t *testing.T) {
	param := func(typ string) any { return map[string]any{"parameterType": typ, "isOptional": true} }
	spec := map[string]any{"root": map[string]any{"inputDefinitions": map[string]any{"parameters": map[string]any{
		"f": param("NUMBER_DOUBLE"), "n": param("NUMBER_INTEGER"), "text": param("STRING"), "list": param("LIST"),
	}}}}
	for _, c := range []struct{ name, value, want string }{
		{"f", `-579569939468174500`, ""}, // a double's shortest form, which is no exact integer
		{"f", `1e21`, ""},
		{"n", `9007199254740992`, ""},
		{"n", `9007199254740993`, "argument n: KFP holds numbers as doubles, and 9007199254740993 isn't one"},
		{"list", `[1, 9007199254740993]`, "KFP holds numbers as doubles"},
		{"text", `"a {{x}} {{ y.z }} $(date) $ 1"`, ""},
		{"text", `"a {{$.x}}"`, "launcher replaces {{$"},
		{"text", `"a $$"`, "leaves one $ of two"},
		{"text", `"{{=1+1}}"`, "argument text: Argo, which runs KFP's steps, replaces {{= in the string"},
		{"list", `[{"a": "{{ workflow.name }}"}]`, "replaces {{ workflow."},
	} {
		err := checkRun("start run", spec, map[string]json.RawMessage{c.name: json.RawMessage(c.value)})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s %s: got %v, want %q", c.name, c.value, err, c.want)
		}
	}
}
