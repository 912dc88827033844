package dsl

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// Notebook returns a component that runs a Jupyter notebook, whose text is
// usually from go:embed (KFP's @dsl.notebook_component):
//
//	//go:embed features.ipynb
//	var featuresNotebook string
//
//	var Features = dsl.Notebook[FeaturesIn, FeaturesOut]("features", featuresNotebook, dsl.PythonSource{
//		Image: "python:3.12", Packages: []string{"pandas==2.2.3"},
//	})
//
// The notebook gets the inputs as variables, in a cell after the one that is
// tagged "parameters": a parameter's value, and the path of an artifact. Outputs
// are paths that it writes to. To pass other values, write a function that calls
// dsl.run_notebook and name it in py.
//
// Where the image or the packages have nbclient and ipykernel, they run the
// notebook, as with KFP's SDK (which installs them). Otherwise its cells run as
// plain Python, one after the other, without a pip install; a cell with a magic
// such as %%bash or !ls then is an error.
func Notebook[In, Out any](name, notebook string, py PythonSource, opts ...Option) *Component[In, Out] {
	c := newComponent[In, Out](graph.Python, name, opts)
	if py.Function == "" && py.Source == "" {
		py.Function, py.Source = notebookFunction(c.c.Component)
	}
	if py.SDK != (PythonSDK{}) && py.Packages == nil && py.Requirements == "" {
		py.Packages = []string{"nbclient>=0.10,<1", "ipykernel>=6,<7", "jupyter_client>=7,<9"} // as KFP's SDK
	}
	c.c.Python = pythonSpec(py, c.pythonErrorf)
	file := graph.PythonName(name) + ".ipynb"
	c.c.Python.Notebook = file
	c.c.Python.Files = append(c.c.Python.Files, graph.File{Name: file, Data: []byte(notebook)})
	if err := checkNotebook(notebook); err != nil {
		c.pythonErrorf("the notebook: %v", err)
	}
	c.checkFunction()
	return c
}

// notebookFunction returns a function that runs the notebook with the inputs and
// the paths of artifacts and outputs.
func notebookFunction(c graph.Component) (name, source string) {
	types := map[string]string{kfptype.String: "str", kfptype.Integer: "int", kfptype.Double: "float", kfptype.Boolean: "bool", kfptype.List: "list", kfptype.Struct: "dict"}
	var params, args []string
	for _, f := range c.Inputs {
		kind, value := types[f.Type.Name], f.Name
		switch {
		case f.Type.Artifact && f.Type.List:
			kind, value = "Input[List[Artifact]]", fmt.Sprintf("[a.path for a in %s or []]", f.Name)
		case f.Type.Artifact:
			kind, value = "Input[Artifact]", fmt.Sprintf("%s and %s.path", f.Name, f.Name)
		}
		if !f.Required() {
			kind += " = None"
		}
		params, args = append(params, f.Name+": "+kind), append(args, f.Name+"="+value)
	}
	for _, f := range c.Outputs {
		kind, value := "OutputPath("+types[f.Type.Name]+")", f.Name
		if f.Type.Artifact {
			kind, value = "Output[Artifact]", f.Name+".path"
		}
		// Before the inputs, since those may have defaults.
		params, args = append([]string{f.Name + ": " + kind}, params...), append(args, f.Name+"="+value)
	}
	var required, optional []string
	for _, p := range params {
		if strings.HasSuffix(p, " = None") {
			optional = append(optional, p)
		} else {
			required = append(required, p)
		}
	}
	name = graph.PythonName(c.Name)
	return name, fmt.Sprintf("def %s(%s):\n    dsl.run_notebook(%s)\n", name, strings.Join(append(required, optional...), ", "), strings.Join(args, ", "))
}

// checkNotebook reports errors in the text of a notebook.
func checkNotebook(text string) error {
	var nb struct {
		Format *int `json:"nbformat"`
		Cells  []struct {
			Type string `json:"cell_type"`
		} `json:"cells"`
		Metadata struct {
			Kernel struct {
				Language string `json:"language"`
			} `json:"kernelspec"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal([]byte(text), &nb); err != nil {
		return fmt.Errorf("not the JSON of a Jupyter notebook: %v", err)
	}
	switch lang := nb.Metadata.Kernel.Language; {
	case nb.Format == nil:
		return fmt.Errorf("not a Jupyter notebook: it has no nbformat")
	case *nb.Format != 4:
		return fmt.Errorf("it has format %d; save it as format 4", *nb.Format)
	case lang != "" && !strings.EqualFold(lang, "python"):
		return fmt.Errorf("its kernel is for %s, not Python", lang)
	}
	for _, c := range nb.Cells {
		if c.Type == "code" {
			return nil
		}
	}
	return fmt.Errorf("it has no code cell")
}
