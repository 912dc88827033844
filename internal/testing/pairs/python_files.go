package pairs

import (
	"io/fs"

	"github.com/kfpgo/kfpgo/dsl"
)

type (
	theText struct {
		Out dsl.Param[string] `kfp:"Output"`
	}
	filesIn struct {
		X dsl.Param[float64] `default:"2.0"`
	}
	radiusIn  struct{ R dsl.Param[float64] }
	rowsIn    struct{ Rows dsl.Param[int] }
	rowsOr4In struct {
		Rows dsl.Param[int] `default:"4"`
	}
	tableOut struct{ Table dsl.Dataset }
)

var (
	helped = dsl.Python[floatIn, theFloat]("helped", sdk("python-files", dsl.PythonSource{Function: "helped"}, "double", "half"))

	withFiles = dsl.Python[radiusIn, theText]("with-files", sdk("python-files", dsl.PythonSource{Function: "with_files", Files: folder("files")}))
)

// folder returns a folder of the Python side.
func folder(name string) fs.FS {
	sub, err := fs.Sub(sources, "python/"+name)
	if err != nil {
		panic(err)
	}
	return sub
}

var _ = pair(pythonFiles, "dsl.component(additional_funcs)", "dsl.component(embedded_artifact_path)", "dsl.EmbeddedInput")

var pythonFiles = dsl.Pipeline("python-files", func(s *dsl.Scope, in filesIn) dsl.None {
	helped.Call(s, floatIn(in))
	withFiles.Call(s, radiusIn{R: in.X})
	return dsl.None{}
})

var (
	squares = dsl.Notebook[rowsIn, tableOut]("squares", notebookText, sdk("notebook", dsl.PythonSource{Function: "squares"}))

	count = dsl.Notebook[rowsIn, theInt]("count", notebookText, sdk("notebook", dsl.PythonSource{
		Function:  "count",
		Packages:  []string{"nbclient", "ipykernel"},
		IndexURLs: []string{"https://packages.example.com/simple"},
	}))

	notebookText = func() string {
		b, _ := sources.ReadFile("python/squares.ipynb")
		return string(b)
	}()
)

var _ = pair(notebook, "dsl.notebook_component", "dsl.run_notebook")

var notebook = dsl.Pipeline("notebook", func(s *dsl.Scope, in rowsOr4In) dsl.None {
	a := squares.Call(s, rowsIn(in))
	b := count.Call(s, rowsIn(in), dsl.After(a))
	squares.Call(s, rowsIn{Rows: b.Out.Out})
	return dsl.None{}
})
