package pairs

import (
	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/examples/calc"
)

type compiledIn struct {
	Text dsl.Param[string] `default:"a"`
	N    dsl.Param[int]    `default:"1"`
	Ns   dsl.Param[[]int]
	X    dsl.Param[float64] `default:"0.5"`
	On   dsl.Param[bool]    `default:"false"`
	Mean dsl.Param[map[string]float64]
}

// compiled is compiled in several ways.
func compiled(name string, setting ...dsl.Option) dsl.Definition {
	return dsl.Pipeline(name, func(s *dsl.Scope, in compiledIn) dsl.None {
		inner := dsl.Pipeline("inner-"+name, func(s *dsl.Scope, in textIn) dsl.None {
			say.Call(s, in)
			return dsl.None{}
		})
		say.Call(s, textIn{in.Text}, setting...)
		inner.Call(s, textIn{in.Text})
		dsl.If(s, dsl.True(in.On), func(s *dsl.Scope) { makeInt.Call(s, intIn{in.N}) })
		return dsl.None{}
	}).Defaults(compiledIn{Ns: dsl.Const([]int{1}), Mean: dsl.Const(map[string]float64{"a": 1})})
}

var (
	_ = pair(compiled("renamed"), "Compiler.compile(pipeline_name)", "Compiler.compile(pipeline_display_name)", "Compiler.compile(pipeline_parameters)",
		"Compiler.compile(type_check)").
		Compiled(compiler.KFP, compiler.Name("another-name"), compiler.DisplayName("Another: name"), compiler.Defaults(map[string]any{
			"text": "b: \"c\"", "n": 2, "ns": []int{2, 3}, "x": 1e-3, "on": true, "mean": map[string]float64{"b": 0.5},
		}))

	_ = pair(compiled("uncached"), "kfp dsl compile --disable-execution-caching-by-default").Compiled(compiler.KFP, compiler.NoCache())

	_ = pair(compiled("manifest", k8s.NodeSelector("zone", "a")), "Compiler.compile(kubernetes_manifest_format)").
		Compiled(compiler.KFPManifest)

	_ = pair(compiled("manifests"), "Compiler.compile(kubernetes_manifest_format)", "Compiler.compile(kubernetes_manifest_options)").
		Compiled(compiler.KFPManifest, compiler.Objects(compiler.Manifest{
			Namespace: "ml", Pipeline: "the-pipeline", PipelineDisplayName: "The pipeline", Version: "the-pipeline-2", VersionDisplayName: "Second",
			WithPipeline: true,
		}))

	// A component alone is a pipeline of one task.
	_ = pair(alone, "Compiler.compile of a component")

	_ = pair(loaded, "components.load_component_from_text", "components.load_component_from_file", "components.load_component_from_url")
)

type aloneIn struct {
	Text dsl.Param[string] `default:"hi"`
	Data dsl.Dataset
}

type aloneOut struct {
	Model dsl.Model
	Acc   dsl.Param[float64]
}

var alone = tool("alone", "/alone", func(i aloneIn, o aloneOut) []string {
	return dsl.Args(i.Text, i.Data.Path(), o.Model.Path(), o.Acc.Path())
})

// loaded uses components and pipelines of other packages, as Python loads them
// from files.
var loaded = dsl.Pipeline("loaded", func(s *dsl.Scope, in struct{ A dsl.Param[float64] }) dsl.None {
	first := calc.Pipeline.Call(s, calc.CalcIn{A: in.A}).Out
	calc.Pipeline.Call(s, calc.CalcIn{A: first.Result, B: dsl.Const(2.0)})
	say.Call(s, textIn{dsl.Const("hi")})
	return dsl.None{}
})
