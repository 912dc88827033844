package kfpread_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
)

// TestPythonStep reads a Python step of ours with outputs in an order that isn't
// that of their names, which counts for a function that returns a tuple.
func TestPythonStep(t *testing.T) {
	type in struct{ N dsl.Param[int] }
	type out struct {
		Z    dsl.Param[int]
		Data dsl.Dataset
		A    dsl.Param[string]
		M    dsl.Param[[]int] `kfp:",optional"`
	}
	step := dsl.Python[in, out]("My step", dsl.PythonSource{
		Source: "def f(n, data):\n    return n, 'a', [n]\n", Function: "f", Image: "python:3.12",
		Packages: []string{"numpy==2.2.0"}, IndexURLs: []string{"https://packages.example.com/simple"}, Venv: true,
	})
	ir, err := compiler.Compile(dsl.Pipeline("p", func(s *dsl.Scope, p in) dsl.None {
		step.Call(s, p)
		return dsl.None{}
	}), compiler.KFP)
	if err != nil {
		t.Fatal(err)
	}
	p, err := kfpread.Read("p.yaml", ir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Components {
		if c.Exec != nil && (c.Exec.Python == nil || c.Exec.Python.SDK != nil || !c.Exec.Python.Venv || c.Title != "My step") {
			t.Errorf("read as %+v with title %q", c.Exec.Python, c.Title)
		}
	}
	var order []string
	for _, o := range p.Components[1].Outputs {
		if !o.Type.Artifact {
			order = append(order, o.Name)
		}
	}
	if !slices.Equal(order, []string{"z", "a", "m"}) || len(p.Residue) > 0 {
		t.Errorf("outputs %q; residue %v", order, p.Residue)
	}
	got, err := kfp.Write(again(t, p), kfp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, ir) {
		t.Errorf("got\n%s\nwant\n%s", got, ir)
	}
}
