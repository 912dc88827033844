package dsl_test

import (
	"fmt"
	"testing/fstest"

	"github.com/kfpgo/kfpgo/dsl"
)

// A Python function, sent as source.
func ExamplePython() {
	evaluate := dsl.Python[EvaluateIn, EvaluateOut]("evaluate", dsl.PythonSource{
		Source: `
from kfp.dsl import Input, Model

def evaluate(model: Input[Model], classes: int = 10) -> float:
    with open(model.path) as f:
        return len(f.read()) / classes
`,
		Function: "evaluate",
		Image:    "python:3.12",
		Packages: []string{"numpy==2.2.0"},
	})
	fmt.Println(evaluate.Check())
	// Output: <nil>
}

// Packages that pip installs, from an index of your own, and files that go along.
func ExamplePythonSource() {
	// In a program: //go:embed requirements.txt and //go:embed lib/*.py
	requirements := "numpy==2.2.0\npandas>=2,<3  # for the tables\n"
	lib := fstest.MapFS{"shapes.py": {Data: []byte("def area(r):\n    return 3 * r * r\n")}}

	area := dsl.Python[areaIn, areaOut]("area", dsl.PythonSource{
		Source:       "def area(r: float) -> float:\n    import shapes\n    return shapes.area(r)\n",
		Function:     "area",
		Image:        "python:3.12",
		Requirements: requirements,
		IndexURLs:    []string{"https://packages.example.com/simple"},
		TrustedHosts: []string{"packages.example.com"},
		Venv:         true,
		Files:        lib,
	})
	fmt.Println(area.Check())
	// Output: <nil>
}

type areaIn struct{ R dsl.Param[float64] }

type areaOut struct {
	Area dsl.Param[float64] `kfp:"Output"`
}

// The same step as KFP's own SDK makes it, which installs itself when it starts.
func ExamplePythonSDK() {
	area := dsl.Python[areaIn, areaOut]("area", dsl.PythonSource{
		Source:   "def area(r: float) -> float:\n    return 3 * r * r\n",
		Function: "area",
		Image:    "python:3.12",
		SDK:      dsl.PythonSDK{Version: "2.17.3"},
	})
	fmt.Println(area.Check())
	// Output: <nil>
}

// A Jupyter notebook as a step: rows and table are variables of its cells.
func ExampleNotebook() {
	type In struct {
		Rows dsl.Param[int] `default:"10"`
	}
	type Out struct{ Table dsl.Dataset }

	// In a program: //go:embed squares.ipynb
	const notebook = `{
	 "nbformat": 4, "nbformat_minor": 5, "metadata": {},
	 "cells": [
	  {"cell_type": "code", "metadata": {"tags": ["parameters"]}, "outputs": [], "execution_count": null,
	   "source": "rows, table = 3, '/tmp/table'"},
	  {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null,
	   "source": "with open(table, 'w') as f:\n    for n in range(rows):\n        print(n, n * n, file=f)"}
	 ]
	}`

	squares := dsl.Notebook[In, Out]("squares", notebook, dsl.PythonSource{Image: "python:3.12"})
	fmt.Println(squares.Check())
	// Output: <nil>
}
