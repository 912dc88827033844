package suite

import (
	"embed"

	"github.com/kfpgo/kfpgo/dsl"
)

//go:embed python.py
var source string

type PyIn struct {
	Text dsl.Param[string]
	Map  dsl.Param[map[string]any]
	Data dsl.Dataset
	Rate dsl.Param[float64] `default:"0.25"`
}

type PyOut struct {
	Text  dsl.Param[string]
	Sum   dsl.Param[float64]
	Model dsl.Model
}

// Python does what its function in python.py says.
var Python = dsl.Python[PyIn, PyOut]("python", dsl.PythonSource{Source: source, Function: "work", Image: "registry.local/python:1"})

type PythonOut struct {
	Text, Model dsl.Param[string]
	Sum         dsl.Param[float64]
}

// Pythons passes values and files through a Python function.
var Pythons = dsl.Pipeline("pythons", func(s *dsl.Scope, _ dsl.None) PythonOut {
	n := Add1.Call(s, Int{dsl.Const(2)}).Out.N
	out := Python.Call(s, PyIn{
		Text: dsl.Const(awkward), Map: dsl.Values(map[string]any{"a": n, "b": []any{0.5, nil, "{{x}}"}}),
		Data: Write.Call(s, Text{dsl.Const("data")}).Out.Data,
	}).Out
	return PythonOut{out.Text, Read.Call(s, ReadIn{dsl.AsArtifact[dsl.Dataset](out.Model)}).Out.Text, out.Sum}
})

var raises = dsl.Python[Text, dsl.None]("raises", dsl.PythonSource{Source: source, Function: "raises", Image: "registry.local/python:1"})

// Raises fails in Python.
var Raises = dsl.Pipeline("raises-in-python", func(s *dsl.Scope, in Text) dsl.None {
	raises.Call(s, in)
	return dsl.None{}
})

//go:embed words.txt
var words embed.FS

// filed reads a file that goes along with it.
var filed = dsl.Python[Text, Text]("filed", dsl.PythonSource{Source: source, Function: "filed", Image: "registry.local/python:1", Files: words})

type CellsIn struct {
	Rate dsl.Param[float64]
	Data dsl.Dataset
}

type CellsOut struct{ Result dsl.Dataset }

//go:embed cells.ipynb
var cells string

var notebook = dsl.Notebook[CellsIn, CellsOut]("notebook", cells, dsl.PythonSource{Image: "registry.local/python:1"})

// Notebooks runs a notebook, and Python with a file beside it.
var Notebooks = dsl.Pipeline("notebooks", func(s *dsl.Scope, _ dsl.None) TwoOut {
	out := notebook.Call(s, CellsIn{dsl.Const(1.5), Write.Call(s, Text{dsl.Const("ten")}).Out.Data}).Out
	return TwoOut{Read.Call(s, ReadIn{out.Result}).Out.Text, filed.Call(s, Text{dsl.Const("{{1}}")}).Out.Text}
})
