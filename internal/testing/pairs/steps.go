package pairs

import (
	"github.com/kfpgo/kfpgo/dsl"
)

// The components that the pairs share: python/steps.py has the same in Python.

type (
	textIn   struct{ Text dsl.Param[string] }
	textOut  struct{ Out dsl.Param[string] }
	intIn    struct{ N dsl.Param[int] }
	intOut   struct{ Out dsl.Param[int] }
	floatIn  struct{ X dsl.Param[float64] }
	floatOut struct{ Out dsl.Param[float64] }
	listOut  struct{ Out dsl.Param[[]int] }
	sumIn    struct{ Ns dsl.Param[[]int] }
	dataIn   struct{ Source dsl.Param[string] }
	dataOut  struct{ Data dsl.Dataset }
	modelIn  struct{ Model dsl.Model }
	trainIn  struct {
		Data dsl.Dataset
		Rate dsl.Param[float64]
	}
	trainOut struct {
		Model dsl.Model
		Acc   dsl.Param[float64]
	}
	modelsIn struct {
		Models dsl.List[dsl.Model]
		Accs   dsl.Param[[]float64]
	}
	optionalIn struct {
		Text dsl.Param[string] `default:"hi"`
		N    dsl.Param[int]    `default:"3"`
		Note dsl.Param[string] `kfp:",optional"`
		Base dsl.Model         `kfp:",optional"`
	}
	// What Python calls a single return value.
	outputText struct {
		Output dsl.Param[string] `kfp:"Output"`
	}
	reportIn struct {
		Status dsl.Param[dsl.FinalStatus]
		Note   dsl.Param[string] `default:""`
	}
)

// tool returns a component that runs a program of image x.
func tool[In, Out any](name, program string, args func(In, Out) []string) *dsl.Component[In, Out] {
	return dsl.Container(name, func(in In, out Out) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "x", Command: []string{program}, Args: args(in, out)}
	})
}

var (
	say      = tool("say", "/say", func(in textIn, _ dsl.None) []string { return dsl.Args(in.Text) })
	makeText = tool("make-text", "/text", func(in textIn, out textOut) []string { return dsl.Args(in.Text, out.Out.Path()) })
	makeInt  = tool("make-int", "/int", func(in intIn, out intOut) []string { return dsl.Args(in.N, out.Out.Path()) })
	makeFlt  = tool("make-float", "/float", func(in floatIn, out floatOut) []string { return dsl.Args(in.X, out.Out.Path()) })
	makeList = tool("make-list", "/list", func(_ dsl.None, out listOut) []string { return dsl.Args(out.Out.Path()) })
	sumUp    = tool("sum-up", "/sum", func(in sumIn, out intOut) []string { return dsl.Args(in.Ns, out.Out.Path()) })
	makeData = tool("make-data", "/data", func(in dataIn, out dataOut) []string { return dsl.Args(in.Source, out.Data.Path()) })
	train    = tool("train", "/train", func(in trainIn, out trainOut) []string {
		return dsl.Args(in.Data.Path(), in.Rate, out.Model.Path(), out.Acc.Path())
	})
	useModel  = tool("use-model", "/use", func(in modelIn, _ dsl.None) []string { return dsl.Args(in.Model.URI()) })
	useModels = tool("use-models", "/use", func(modelsIn, dsl.None) []string { return []string{"{{$}}"} })
	optional  = tool("optional", "/optional", func(in optionalIn, _ dsl.None) []string {
		return dsl.Args(in.Text, dsl.IfPresent(in.Note, "--note", in.Note), dsl.IfPresent(in.Base, "--base", in.Base.Path()))
	})
	report = tool("report", "/report", func(reportIn, dsl.None) []string { return []string{"{{$}}"} })
)
