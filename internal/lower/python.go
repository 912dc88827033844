package lower

import (
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// python returns what a Python component runs.
func python(g *graph.PythonSpec) *program.Python {
	p := &program.Python{
		Source: g.Source, Function: g.Function, Image: g.Image,
		Packages: g.Packages, LocalPackages: g.LocalPackages, IndexURLs: g.IndexURLs, TrustedHosts: g.TrustedHosts, Venv: g.Venv,
		Files: g.Files, Notebook: g.Notebook,
	}
	if g.SDK != nil {
		p.SDK = &program.PythonSDK{Version: g.SDK.Version, Package: g.SDK.Package, None: g.SDK.None, NoDeps: g.SDK.NoDeps, Whole: g.SDK.Whole, Dialect: g.SDK.Dialect}
	}
	return p
}
