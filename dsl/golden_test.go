package dsl_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/dsl/testdata/mnist"
	"github.com/kfpgo/kfpgo/examples/calc"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

// everything uses what the examples don't. Package graph's testdata/graph.json has the
// lines of it.
var everything = dsl.Pipeline("everything", func(s *dsl.Scope, in allIn) allOut {
	dsl.Group(s, func(s *dsl.Scope) {
		dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
			show.Call(s, showIn{Text: dsl.Field(status, func(f *dsl.FinalStatus) *string { return &f.State })})
		})
		show.Call(s, showIn{Text: in.Word}, dsl.GPU(in.N), dsl.Accelerator("amd.com/gpu", 2), dsl.Memory(in.Word), dsl.Retry(in.N, dsl.Backoff{Factor: 2}))
	})
	base := dsl.Import[dsl.Model](s, "s3://models/base")
	use := useModel.Call(s, useModelIn{Model: base})
	result := dsl.OneOf(s, dsl.In(in.N, 1, 2), func(s *dsl.Scope) dsl.Param[int] {
		return double.Call(s, numIn{N: in.N}).Out.N
	}).Elif(dsl.Or(dsl.Given(in.Extra), dsl.Not(dsl.True(in.Flag))), func(s *dsl.Scope) dsl.Param[int] {
		return double.Call(s, numIn{N: dsl.Const(2)}, dsl.After(use), dsl.IgnoreUpstreamFailure()).Out.N
	}).Else(func(s *dsl.Scope) dsl.Param[int] {
		return twice.Call(s, numIn{N: in.N}).Out.N
	})
	sweep := dsl.ParallelFor(s, in.List, func(s *dsl.Scope, n dsl.Param[int]) dsl.Loop[dsl.Param[int]] {
		return dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, m dsl.Param[int]) dsl.Param[int] {
			return double.Call(s, numIn{N: m}, k8s.SecretEnv("TOKEN", "tokens", "hub")).Out.N
		})
	})
	_ = sweep
	models := dsl.ParallelFor(s, in.List, func(s *dsl.Scope, n dsl.Param[int]) dsl.Model {
		return useModel.Call(s, useModelIn{Model: base, Note: dsl.Sprintf("%v of %s, %d", n, in.Word, 3)}).Out.Model
	})
	dsl.ParallelForArtifacts(s, dsl.CollectedArtifacts(models.Each), func(s *dsl.Scope, m dsl.Model) dsl.None {
		useModel.Call(s, useModelIn{Model: m})
		return dsl.None{}
	})
	k8s.Apply.Call(s, k8s.ManifestIn{Manifest: dsl.Const("kind: Pod\nimage: " + dsl.ProgramImage)})
	return allOut{N: result}
})

func TestGolden(t *testing.T) {
	for _, d := range []dsl.Definition{calc.Pipeline, mnist.Pipeline, everything} {
		if err := d.Check(); err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		g := recorded.Graph(d)
		fprint(&got, g, g.Component(1))
		golden.Check(t, filepath.Join("testdata", d.Name()+".golden"), got.Bytes())
	}
}

// TestContainer shows that a container's arguments are KFP placeholders.
func TestContainer(t *testing.T) {
	c := recorded.Graph(tool).Component(1)
	want := []string{
		"--data={{$.inputs.artifacts['data'].path}}",
		"--rate", "{{$.inputs.parameters['rate']}}",
		`{"IfPresent":{"InputName":"note","Then":["--note","{{$.inputs.parameters['note']}}"]}}`,
		`{"IfPresent":{"InputName":"base","Then":["--base","{{$.inputs.artifacts['base'].uri}}"]}}`,
		"--score-to", "{{$.outputs.parameters['score'].output_file}}", "3", "0.5", "[1,2]",
	}
	if !slices.Equal(c.Container.Args, want) {
		t.Errorf("got %q, want %q", c.Container.Args, want)
	}
	for _, f := range c.Outputs {
		if want := map[string]string{"score": "", "report": "/out/report.html"}[f.Name]; f.Path != want {
			t.Errorf("output %s is at %q, want %q", f.Name, f.Path, want)
		}
	}
}
