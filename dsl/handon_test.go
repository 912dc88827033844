package dsl

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/contract"
)

// TestHandOn runs the step that hands a value on, as a server starts it.
func TestHandOn(t *testing.T) {
	for _, c := range []struct{ name, values, want, problem string }{
		{"list", `"value":[1,{"a":"it's {{x}}"},2.5]`, `[1,{"a":"it's {{x}}"},2.5]`, ""},
		{"text", `"value":""`, `""`, ""},
		{"composed", `"value":["{{$.inputs.parameters[\"pipelinechannel--n\"].json}}","{{$.inputs.parameters[\"pipelinechannel--n\"]}}!"],"pipelinechannel--n":2.0`, `[2,"2!"]`, ""},
		{"null", `"value":null`, "", "input value was not given"},
		{"nothing", ``, "", "input value was not given"},
	} {
		file := filepath.Join(t.TempDir(), "out.json")
		input := `{"inputs":{"parameterValues":{` + c.values + `}},"outputs":{"parameters":{"value":{"outputFile":"/x"}},"outputFile":"` + file + `"}}`
		err := dispatch(t.Context(), []string{contract.Exec, contract.HandOn, input}, os.Stdout, nil)
		if c.problem != "" || err != nil {
			if err == nil || !strings.Contains(err.Error(), c.problem) || c.problem == "" {
				t.Errorf("%s: error %v, want %q", c.name, err, c.problem)
			}
			continue
		}
		var out struct{ ParameterValues map[string]json.RawMessage }
		if b, err := os.ReadFile(file); err != nil || json.Unmarshal(b, &out) != nil || string(out.ParameterValues[contract.Handed]) != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.name, b, err, c.want)
		}
	}
	for _, c := range []struct{ name, input, want, problem string }{
		{"list of artifacts", `{"inputs":{"artifacts":{"value":{"artifacts":[{"name":"a/1","type":{"schemaTitle":"system.Dataset"},"uri":"minio://b/x","metadata":{"n":2}},{"name":"a/2","uri":"https://b/y"}]}}},"outputs":{`,
			`{"artifacts":{},"parameterValues":{"value":[{"uri":"minio://b/x","metadata":{"n":2}},{"uri":"https://b/y"}]}}`, ""},
		{"no artifacts", `{"inputs":{"artifacts":{"value":{"artifacts":[]}}},"outputs":{`, `{"artifacts":{},"parameterValues":{"value":[]}}`, ""},
		{"nothing collected", `{"inputs":{"artifacts":{"value":{}}},"outputs":{`, `{"artifacts":{},"parameterValues":{"value":[]}}`, ""},
		{"artifact", `{"inputs":{"parameterValues":{"value":{"uri":"minio://b/x","metadata":{"n":2.5}}}},"outputs":{"artifacts":{"value":{"artifacts":[{"name":"v","uri":"minio://b/run/v"}]}},`,
			`{"artifacts":{"value":{"artifacts":[{"name":"v","uri":"minio://b/x","metadata":{"n":2.5}}]}},"parameterValues":{}}`, ""},
		{"root", `{"inputs":{"parameterValues":{"value":"/root-of-run/"}},"outputs":{"artifacts":{"beside":{"artifacts":[{"name":"v","uri":"minio://b/v2/p/id/root-of-run/uuid/beside","customPath":"` + filepath.Join(t.TempDir(), "beside") + `"}]}},`,
			`{"artifacts":{},"parameterValues":{"value":"minio://b/v2/p/id"}}`, ""},
		{"no root", `{"inputs":{"parameterValues":{"value":"/root-of-run/"}},"outputs":{"artifacts":{"beside":{"artifacts":[{"name":"v","uri":"minio://b/v"}]}},`,
			"", "minio://b/v of this step is in no folder /root-of-run/"},
		{"artifact elsewhere", `{"inputs":{"parameterValues":{"value":{"uri":"s3://c/x"}}},"outputs":{"artifacts":{"value":{"artifacts":[{"name":"v","uri":"minio://b/run/v"}]}},`,
			"", "the artifact s3://c/x is not in the bucket of the run, minio://b"},
	} {
		file := filepath.Join(t.TempDir(), "out.json")
		err := dispatch(t.Context(), []string{contract.Exec, contract.HandOn, c.input + `"outputFile":"` + file + `"}}`}, os.Stdout, nil)
		if b, _ := os.ReadFile(file); string(b) != c.want || (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: got %s, %v", c.name, b, err)
		}
	}
	if err := checkName(contract.Own + "x"); err == nil {
		t.Errorf("a component may have a name of kfpgo's: %v", err)
	}
}
