package argo_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/argo"
)

// resource returns a program of one task, which applies a manifest.
func resource(manifest string, v program.Value) *program.Program {
	in := program.Port{Name: "x", Type: graph.Type{Name: "STRING"}}
	return &program.Program{Name: "p", Main: "p", Components: []*program.Component{
		{Name: "p", DAG: &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{{Name: "t", Component: "r", Args: map[string]program.Value{"x": v}}}}, Inputs: []program.Port{in}},
		{Name: "r", Inputs: []program.Port{in}, Exec: &program.Executor{Resource: &program.Resource{Action: "apply", Manifest: manifest}}},
	}}
}

// FuzzManifest: any manifest is an error or JSON, with any value in it.
func FuzzManifest(f *testing.F) {
	f.Add("apiVersion: v1\nkind: A\nmetadata: {name: {{$.inputs.parameters['x']}}, n: 0x10, t: 2020-01-01, f: .inf}\n", "it's {{x}} $")
	f.Add("apiVersion: &a v1\nkind: A\nb: &b [*b, *a]\n", "")
	f.Add("a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nkind: x\napiVersion: &c [*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n", "")
	f.Add("{{$.inputs.parameters['x']}}", "kind: a\napiVersion: b")
	f.Add("kind: {a: b}\n? [1]\n: 2\napiVersion: '{{$.inputs.parameters[\"x\"]}}-{{$}}'\n<<: {a: 1}\n", "")
	f.Add("kfpgo0hole0x: kfpgo0hole\nkind: !!binary aGk=\napiVersion: !x {a: ~}\n", "")
	f.Fuzz(func(t *testing.T, manifest, x string) {
		j, err := json.Marshal(x)
		if err != nil {
			t.Skip()
		}
		for _, v := range []program.Value{{Kind: program.Input, Name: "x", Type: graph.Type{Name: "STRING"}}, {Kind: program.Const, Const: j, Type: graph.Type{Name: "STRING"}}} {
			b, err := argo.Write(resource(manifest, v), argo.Options{})
			if err != nil {
				if strings.Contains(err.Error(), "internal error") {
					t.Error(err)
				}
				continue
			}
			s := newSim(t, strict(t, b), map[string]string{"x": x})
			s.object = func(r *wfv1.ResourceTemplate) map[string]string {
				if !json.Valid([]byte(r.Manifest)) {
					t.Errorf("not JSON: %s", r.Manifest)
				}
				return nil
			}
			s.run()
		}
	})
}

// FuzzText: any text arrives as it is.
func FuzzText(f *testing.F) {
	for _, text := range awkward {
		f.Add(text)
	}
	b, err := argo.Write(container(), argo.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ToValidUTF8(text, "") != text {
			t.Skip("JSON has no such strings")
		}
		s := newSim(t, strict(t, b), map[string]string{"x": text})
		s.container = func(_ string, argv []string, env map[string]string) map[string]string {
			if want := []string{"a", text, "{" + text + "}$" + text}; fmt.Sprintf("%q", argv) != fmt.Sprintf("%q", want) || env["E"] != text {
				t.Errorf("got %q and %q, want %q", argv, env["E"], want)
			}
			return nil
		}
		s.run()
	})
}

func container() *program.Program {
	p := resource("", program.Value{Kind: program.Input, Name: "x", Type: graph.Type{Name: "STRING"}})
	const x = "{{$.inputs.parameters['x']}}"
	p.Components[1].Exec = &program.Executor{Container: &program.Container{Image: "i", Command: []string{"a"}, Args: []string{x, "{" + x + "}$" + x}}}
	p.Components[0].DAG.Tasks[0].Settings.Env = []program.Env{{Name: "E", Value: program.Value{Kind: program.Input, Name: "x", Type: graph.Type{Name: "STRING"}}}}
	return p
}
