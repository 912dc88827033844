package engine_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

const squaresNotebook = `{"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [
	{"cell_type": "code", "metadata": {"tags": ["parameters"]}, "source": "rows, table, count = 1, 'x', 'y'"},
	{"cell_type": "code", "metadata": {}, "source": ["import shapes\n", "with open(table, 'w') as f:\n", "    f.write(str([shapes.area(n) for n in range(rows)]))"]},
	{"cell_type": "code", "metadata": {}, "source": "with open(count, 'w') as f:\n    f.write(str(rows))\nprint('done')"}]}`

type tableOut struct {
	Table dsl.Dataset
	Count dsl.Param[int64]
}

// TestNotebook runs a notebook with a module beside it, and a step in KFP's own
// form on what it made.
func TestNotebook(t *testing.T) {
	type tableIn struct{ Table dsl.Dataset }
	read := dsl.Python[tableIn, textOut]("read", dsl.PythonSource{
		Source:   "def read(table: Input[Dataset], text: OutputPath(str)):\n    with open(table.path) as f, open(text, 'w') as g:\n        g.write(f.read())\n",
		Function: "read", Image: "python:3.12", SDK: dsl.PythonSDK{Version: "2.17.3"},
	})
	of := func(notebook string) *run.Run {
		squares := dsl.Notebook[numIn, tableOut]("squares", notebook, dsl.PythonSource{
			Image: "python:3.12", Files: fstest.MapFS{"shapes.py": {Data: []byte("def area(r):\n    return 3 * r * r\n")}},
		})
		return start(t, t.Context(), dsl.Pipeline("notebook", func(s *dsl.Scope, in numIn) textOut {
			return read.Call(s, tableIn{squares.Call(s, in).Out.Table}).Out
		}), engine.Options{}, `{"n":3}`)
	}
	r := of(strings.ReplaceAll(squaresNotebook, "rows", "n"))
	if got := string(r.Outputs["text"]); r.State != run.Succeeded || got != `"[0, 3, 12]"` {
		t.Errorf("%s, %s: %s", r.State, got, r.Error)
	}
	r = of(strings.ReplaceAll(squaresNotebook, "rows, ", "n, "))
	if want := "squares: the notebook failed: NameError: name 'rows' is not defined in cell 2, line 3"; r.State != run.Failed || !strings.Contains(r.Error, want) {
		t.Errorf("got %s: %s, want %s", r.State, r.Error, want)
	}
}

// TestLargeSource: on this machine a source may be larger than an argument.
func TestLargeSource(t *testing.T) {
	c := dsl.Python[textIn, textOut]("large", dsl.PythonSource{
		Source: "def large(text):\n    return text[:1]\n# " + strings.Repeat("x", 300_000) + "\n", Function: "large", Image: "python:3.12",
	})
	r := start(t, t.Context(), one(c), engine.Options{}, `{"text":"abc"}`)
	if got := string(r.Outputs["text"]); got != `"a"` {
		t.Errorf("%s, %s", got, r.Error)
	}
}
