package feature

import "github.com/kfpgo/kfpgo/internal/model/program"

// python are the features of steps in Python.
var python = []Row{
	row("exec.python.packages", "PythonSource.Packages, Requirements", yes, yes, but("kept in an environment for the next run")),
	row("exec.python.index", "PythonSource.IndexURLs, TrustedHosts", yes, yes, yes),
	row("exec.python.venv", "PythonSource.Venv", yes, yes, but("packages are in one there always")),
	row("exec.python.files", "PythonSource.Files", yes, yes, yes),
	row("exec.python.notebook", "dsl.Notebook", yes, yes, but("runs with this machine's Python")),
	row("exec.python.sdk", "PythonSource.SDK", yes, but("kfpgo's own runtime runs the step"), but("kfpgo's own runtime runs the step")),
}

func pythonStep(py *program.Python, add func(id string)) {
	for _, f := range []struct {
		id   string
		used bool
	}{
		{"exec.python.local-packages", len(py.LocalPackages) > 0},
		{"exec.python.packages", len(py.Packages) > 0},
		{"exec.python.index", len(py.IndexURLs)+len(py.TrustedHosts) > 0},
		{"exec.python.venv", py.Venv},
		{"exec.python.files", len(py.Files) > 0 && py.Notebook == ""},
		{"exec.python.notebook", py.Notebook != ""},
		{"exec.python.sdk", py.SDK != nil},
	} {
		if f.used {
			add(f.id)
		}
	}
}
