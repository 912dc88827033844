package dsl_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/testing/want"
)

const addOne = "def f(n: int) -> int:\n    return n + 1\n"

type theNum struct {
	N dsl.Param[int] `kfp:"Output"`
}

func step(name string, py dsl.PythonSource) dsl.Definition {
	if py.Source == "" {
		py.Source = addOne
	}
	py.Function, py.Image = "f", "python:3.12"
	return dsl.Python[numIn, theNum](name, py)
}

const noCode = `{"nbformat": 4, "cells": []}`

func pythonMistakes() []dsl.Definition {
	sdk := dsl.PythonSDK{Version: "2.17.3"}
	image := dsl.PythonSource{Image: "python:3.12"}
	return []dsl.Definition{
		dsl.Python[numIn, theNum]("secret", dsl.PythonSource{Source: addOne, Function: "f", Image: "x", Packages: []string{"x @ https://me:s3cret@h/x.whl"}, IndexURLs: []string{"https://me:s3cret@h/simple"}}), // want "package or index .x @ https://.secret.@h/x.whl.: it holds credentials" // want "package or index .https://.secret.@h/simple.: it holds credentials.*netrc"
		dsl.Python[numIn, theNum]("secret-file", dsl.PythonSource{Source: addOne, Function: "f", Image: "x", Requirements: "--index-url https://s3cret@h/simple\n-f https://me:s3cret@h/all\n"}),                 // want "package or index .https://.secret.@h/simple.: it holds" // want "requirements: .-f https://.secret.@h/all.: of options"
		dsl.Python[numIn, theNum]("index", dsl.PythonSource{Source: addOne, Function: "f", Image: "x", IndexURLs: []string{"https://a b"}, TrustedHosts: []string{"-x"}}),                                        // want "index URL .https://a b.: want a URL" // want "trusted host .-x.: want a host"
		dsl.Python[numIn, theNum]("hosts", dsl.PythonSource{Source: addOne, Function: "f", Image: "x", TrustedHosts: []string{"a"}}),                                                                             // want "trusted hosts without IndexURLs"
		dsl.Python[numIn, theNum]("options", dsl.PythonSource{Source: addOne, Function: "f", Image: "x", Requirements: "-r more.txt\nnumpy # fine\n--no-deps"}),                                                  // want "requirements: .-r more.txt.: of options, --index-url" // want "requirements: .--no-deps."
		dsl.Python[numIn, theNum]("extra", dsl.PythonSource{Source: addOne, Function: "f", Image: "x", Requirements: "--extra-index-url https://a/simple"}),                                                      // want "without an --index-url before it"
		dsl.Python[numIn, theNum]("both", dsl.PythonSource{Source: addOne, Function: "f", Image: "x", SDK: dsl.PythonSDK{Version: "2.17.3", InImage: true}}),                                                     // want "PythonSDK has 2 fields set"
		dsl.Python[numIn, theNum]("old", dsl.PythonSource{Source: addOne, Function: "f", Image: "x", SDK: dsl.PythonSDK{Version: "latest"}}),                                                                     // want "PythonSDK Version .latest.: want one of KFP's SDK"
		dsl.Python[numIn, theNum]("venv", dsl.PythonSource{Source: addOne, Function: "f", Image: "x", Venv: true, SDK: dsl.PythonSDK{InImage: true}}),                                                            // want "leaves out the virtual environment"
		dsl.Python[numIn, theNum]("hash", dsl.PythonSource{Source: addOne, Function: "f", Image: "x", Requirements: "a==1 --hash=sha256:00", SDK: sdk}),                                                          // want "KFP's form takes no options of a package"
		dsl.Python[numIn, theNum]("kfp", dsl.PythonSource{Source: addOne, Function: "f", Image: "x", Packages: []string{"kfp-kubernetes"}, SDK: sdk}),                                                            // want "KFP's SDK takes packages that begin with kfp for itself"
		dsl.Python[numIn, theNum]("pipe", dsl.PythonSource{Source: addOne + "@dsl.pipeline\ndef p(): pass\n", Function: "f", Image: "x", SDK: sdk}),                                                              // want "the source has a @dsl.pipeline, which KFP's SDK doesn't know"
		dsl.Python[numIn, numOut]("named", dsl.PythonSource{Source: addOne, Function: "f", Image: "x", SDK: sdk}),                                                                                                // want "returns int, which KFP's SDK calls Output, but the component has the output n: tag its field"
		dsl.Python[numIn, theNum]("untyped", dsl.PythonSource{Source: "def f(n, *, m: 'a:b' = 1): pass", Function: "f", Image: "x", SDK: sdk}),                                                                   // want "has a parameter n without a type" // want "has no return type, which KFP's SDK needs for the output Output"
		dsl.Python[numIn, theNum]("rest", dsl.PythonSource{Source: "def f(**kwargs) -> int: pass", Function: "f", Image: "x", SDK: sdk}),                                                                         // want "takes ..kwargs, to which KFP's SDK gives nothing"
		dsl.Python[numIn, theNum]("no-files", dsl.PythonSource{Source: addOne, Function: "f", Image: "x", Files: fstest.MapFS{}}),                                                                                // want "Files has no file"
		dsl.Notebook[numIn, dsl.None]("text", "# text", image),                                                             // want "the notebook: not the JSON of a Jupyter notebook"
		dsl.Notebook[numIn, dsl.None]("other-json", "{}", image),                                                           // want "it has no nbformat"
		dsl.Notebook[numIn, dsl.None]("v3", `{"nbformat": 3}`, image),                                                      // want "it has format 3; save it as format 4"
		dsl.Notebook[numIn, dsl.None]("r", `{"nbformat": 4, "metadata": {"kernelspec": {"language": "R"}}}`, image),        // want "its kernel is for R, not Python"
		dsl.Notebook[numIn, dsl.None]("no-code", noCode, image),                                                            // want "it has no code cell"
		dsl.Notebook[numIn, dsl.None]("no-image", `{"nbformat": 4, "cells": [{"cell_type": "code"}]}`, dsl.PythonSource{}), // want "no image"
	}
}

// TestPythonMistakes finds what is wrong with Python components at their lines.
func TestPythonMistakes(t *testing.T) {
	got := map[int][]string{}
	for _, d := range pythonMistakes() {
		var list dsl.ErrorList
		if err := d.Check(); !errors.As(err, &list) {
			t.Errorf("%s: got %v, want an ErrorList", d.Name(), err)
		}
		for _, e := range list {
			if filepath.Base(e.File) != "python_test.go" {
				t.Errorf("position outside this file: %v", e)
			}
			got[e.Line] = append(got[e.Line], e.Msg)
		}
	}
	want.Check(t, "python_test.go", got)
}

func spec(t *testing.T, d dsl.Definition) *graph.PythonSpec {
	t.Helper()
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	return recorded.Graph(d).Components[0].Python
}

// TestRequirements reads a requirements.txt.
func TestRequirements(t *testing.T) {
	py := spec(t, step("req", dsl.PythonSource{
		Packages: []string{"first"},
		Requirements: "# all\n--index-url=https://a.example.com/simple\r\n--extra-index-url https://b.example.com/simple\n" +
			"--trusted-host a.example.com\n\nnumpy==2.2.0 \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\n" +
			"pandas[excel]>=2,<3 ; python_version < \"3.13\"  # tables\nx @ https://h.example.com/x#egg=y\n",
	}))
	if want := []string{"first", "numpy==2.2.0 --hash=sha256:00 --hash=sha256:11", `pandas[excel]>=2,<3 ; python_version < "3.13"`, "x @ https://h.example.com/x#egg=y"}; !slices.Equal(py.Packages, want) {
		t.Errorf("packages %q, want %q", py.Packages, want)
	}
	if want := []string{"https://a.example.com/simple", "https://b.example.com/simple"}; !slices.Equal(py.IndexURLs, want) {
		t.Errorf("index URLs %q, want %q", py.IndexURLs, want)
	}
	if want := []string{"a.example.com"}; !slices.Equal(py.TrustedHosts, want) {
		t.Errorf("trusted hosts %q, want %q", py.TrustedHosts, want)
	}
}

// TestSDKSource takes KFP's decorators from a source, as its SDK does.
func TestSDKSource(t *testing.T) {
	py := spec(t, step("sdk", dsl.PythonSource{
		Source: "def helper(): pass\n\n\n@dsl.component(\n    base_image='(\"x\")',  # ) here\n    packages_to_install=['a'],\n)\n" + addOne,
		SDK:    dsl.PythonSDK{Version: "2.17.3"},
	}))
	if want := "def helper(): pass\n\n\n" + addOne; py.Source != want {
		t.Errorf("got %q, want %q", py.Source, want)
	}
}

// TestFilesOrder: files are in the order of their names, without what Python leaves.
func TestFilesOrder(t *testing.T) {
	py := spec(t, step("files", dsl.PythonSource{Files: fstest.MapFS{
		"z.txt": {Data: []byte("z")}, "a/b.py": {Data: []byte("b")}, "a/__pycache__/b.pyc": {}, ".ipynb_checkpoints/x": {},
	}}))
	var names []string
	for _, f := range py.Files {
		names = append(names, f.Name+"="+string(f.Data))
	}
	if want := []string{"a/b.py=b", "z.txt=z"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

// TestNotebookFunction: a notebook gets the inputs and where its outputs go.
func TestNotebookFunction(t *testing.T) {
	type in struct {
		N      dsl.Param[int] `default:"3"`
		Note   dsl.Param[string]
		Data   dsl.Dataset
		Base   dsl.Model `kfp:",optional"`
		Models dsl.List[dsl.Model]
	}
	type out struct {
		Table dsl.Dataset
		Count dsl.Param[int]
	}
	const code = `{"nbformat": 4, "cells": [{"cell_type": "code"}]}`
	py := spec(t, dsl.Notebook[in, out]("3 squares", code, dsl.PythonSource{Image: "python:3.12", SDK: dsl.PythonSDK{Version: "2.17.3"}}))
	want := "def _3_squares(count: OutputPath(int), table: Output[Artifact], note: str, data: Input[Artifact], models: Input[List[Artifact]], n: int = None, base: Input[Artifact] = None):\n" +
		"    dsl.run_notebook(n=n, note=note, data=data and data.path, base=base and base.path, models=[a.path for a in models or []], table=table.path, count=count)\n"
	if py.Source != want || py.Function != "_3_squares" || py.Notebook != "_3_squares.ipynb" {
		b, _ := json.MarshalIndent(py, "", "  ")
		t.Errorf("got %s, want %s", b, want)
	}
	if len(py.Packages) != 3 {
		t.Errorf("KFP's SDK needs nbclient, ipykernel and jupyter_client; got %q", py.Packages)
	}
}
