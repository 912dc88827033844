package pairs

import "github.com/kfpgo/kfpgo/dsl"

type (
	makeIn struct {
		Name    dsl.Param[string]
		Rows    dsl.Param[[]int]
		Weights dsl.Param[map[string]float64]
	}
	makeOut struct {
		Sum   dsl.Param[int]
		Names dsl.Param[[]string]
		Big   dsl.Param[bool]
		Data  dsl.Dataset
		Note  dsl.Param[string]
	}
	fitIn struct {
		Data    dsl.Dataset
		Rate    dsl.Param[float64] `default:"0.5"`
		Note    dsl.Param[string]  `kfp:",optional"`
		Options dsl.Param[fitOptions]
		Base    dsl.Model `kfp:",optional"`
	}
	fitOptions struct {
		A int       `json:"a"`
		B []float64 `json:"b"`
	}
	fitOut struct {
		Model   dsl.Model
		Metrics dsl.Metrics
	}
	judgeIn struct {
		Models dsl.List[dsl.Model]
		Data   dsl.Dataset
	}
	judgeOut struct {
		Curve  dsl.ClassificationMetrics
		Slices dsl.SlicedClassificationMetrics
		Page   dsl.HTML
		Text   dsl.Markdown
		Out    dsl.Param[float64] `kfp:"Output"`
	}
	lastIn struct {
		Status dsl.Param[dsl.FinalStatus]
		Best   dsl.Param[float64] `default:"0.0"`
	}
	pythonTypesIn struct {
		Rows dsl.Param[[]int]
		Name dsl.Param[string] `default:"x"`
	}
)

var (
	makeAll = dsl.Python[makeIn, makeOut]("make", sdk("python-types", dsl.PythonSource{Function: "make"}))
	fit     = dsl.Python[fitIn, fitOut]("fit", sdk("python-types", dsl.PythonSource{Function: "fit"})).
		Defaults(fitIn{Options: dsl.Const(fitOptions{A: 1, B: []float64{2.5, 3}})})
	judge = dsl.Python[judgeIn, judgeOut]("judge", sdk("python-types", dsl.PythonSource{Function: "judge"}))
	last  = dsl.Python[lastIn, dsl.None]("last", sdk("python-types", dsl.PythonSource{Function: "last"}))
)

var _ = pair(pythonTypes,
	"NamedTuple", "dsl.component(base_image)", "dsl.Input", "dsl.Output", "dsl.InputPath", "dsl.OutputPath", "Input[List[Artifact]]", "optional inputs",
	"str", "int", "float", "bool", "list", "dict",
	"dsl.Dataset", "dsl.Model", "dsl.Metrics", "dsl.ClassificationMetrics", "dsl.SlicedClassificationMetrics", "dsl.HTML", "dsl.Markdown",
	"dsl.PipelineTaskFinalStatus").
	Except(13, "/tasks/last/cachingOptions/enableCache")

var pythonTypes = dsl.Pipeline("python-types", func(s *dsl.Scope, in pythonTypesIn) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) { last.Call(s, lastIn{Status: status}) })
	made := makeAll.Call(s, makeIn{Name: in.Name, Rows: in.Rows, Weights: dsl.Const(map[string]float64{"a": 0.5})})
	fitted := dsl.ParallelFor(s, dsl.Const([]float64{0.1, 0.2}), func(s *dsl.Scope, rate dsl.Param[float64]) fitOut {
		return fit.Call(s, fitIn{Data: made.Out.Data, Rate: rate, Note: made.Out.Note}).Out
	})
	judge.Call(s, judgeIn{Models: dsl.CollectedArtifacts(fitted.Each.Model), Data: made.Out.Data})
	return dsl.None{}
}).Defaults(pythonTypesIn{Rows: dsl.Const([]int{1, 2})})
