package kfp

import (
	"reflect"
	"testing"
)

// TestFires: tasks of the root get the fire time where they get an input that does, also
// in a pipeline with settings of Kubernetes, and what they had is left as it is.
func TestFires(t *testing.T) {
	const spec = `pipelineInfo: {name: p}
root:
  inputDefinitions: {parameters: {day: {parameterType: STRING}, n: {parameterType: NUMBER_INTEGER}}}
  dag:
    tasks:
      a: {inputs: {parameters: {day: {componentInputParameter: day}, n: {componentInputParameter: n}}}}
      b: {inputs: {parameters: {text: {runtimeValue: {constant: "of {{$.inputs.parameters['day']}}"}}, day: {componentInputParameter: day}}}}
      c: {}
`
	for _, docs := range []string{spec, spec + "---\nplatforms: {kubernetes: {}}\n"} {
		before, err := object([]byte(docs))
		if err != nil {
			t.Fatal(err)
		}
		must := func(spec any, err error) any {
			if err != nil {
				t.Fatal(err)
			}
			return spec
		}
		got := must(fires(before, []string{"day"}))
		for _, c := range []struct{ spec, want any }{
			{before, map[string]any{"componentInputParameter": "day"}},
			{got, map[string]any{"runtimeValue": map[string]any{"constant": scheduled}}},
			{must(fired(got, "2026-03-01T03:00:00Z")), map[string]any{"runtimeValue": map[string]any{"constant": "2026-03-01T03:00:00Z"}}},
		} {
			want := map[string]any{
				"a": map[string]any{"day": c.want, "n": map[string]any{"componentInputParameter": "n"}},
				"b": map[string]any{"day": c.want, "text": map[string]any{"runtimeValue": map[string]any{"constant": "of {{$.inputs.parameters['day']}}"}}},
			}
			for task, want := range want {
				in := c.spec.(map[string]any)
				if p, ok := in["pipeline_spec"].(map[string]any); ok {
					in = p
				}
				for _, key := range []string{"root", "dag", "tasks", task, "inputs", "parameters"} {
					in = in[key].(map[string]any)
				}
				if !reflect.DeepEqual(in, want) {
					t.Errorf("%s gets %v, want %v", task, in, want)
				}
			}
		}
	}
}
