package argo_test

import (
	"encoding/json"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/argo"
)

// TestFireTime: inputs that get the fire time of a schedule have it where they are
// read, whether they are required or not, and no other text is touched.
func TestFireTime(t *testing.T) {
	const at = "2026-11-28T00:00:00Z"
	type in struct {
		Name dsl.Param[string]
		Text dsl.Param[string] `kfp:",optional"`
	}
	d := dsl.Pipeline("fired", func(s *dsl.Scope, in in) dsl.None {
		presentTool.Call(s, presentIn{Name: in.Name, Text: in.Text})
		return dsl.None{}
	})
	for _, fire := range [][]string{{"name", "text"}, {"text"}, nil} {
		w := workflow(t, d, options)
		given := map[string]json.RawMessage{"name": json.RawMessage(`"Ada"`)}
		name, text := "Ada", "<"+at+">"
		if len(fire) != 1 {
			delete(given, "name")
		}
		if len(fire) == 2 {
			name = at
		}
		if fire == nil {
			given["name"], given["text"], text, name = json.RawMessage(`"Bob"`), json.RawMessage(`"x"`), "<x>", "Bob"
		}
		if err := argo.SetArguments(&w.Spec.Arguments, given, append([]string{}, fire...)); err != nil {
			t.Fatal(err)
		}
		if err := argo.FireTime(&w.Spec, fire); err != nil {
			t.Fatal(err)
		}
		s := newSim(t, w, nil)
		s.workflow["scheduledTime"] = at
		ran := false
		s.container = func(_ string, argv []string, _ map[string]string) map[string]string {
			ran = true
			found := map[string]bool{}
			for _, a := range argv {
				found[a] = true
			}
			if !found[name] || !found[text] {
				t.Errorf("fire time of %q: %q, want %q and %q", fire, argv, name, text)
			}
			return nil
		}
		s.run()
		if !ran {
			t.Error("nothing ran")
		}
	}
}
