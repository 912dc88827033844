package pairs

import (
	"embed"
	"strings"

	"github.com/kfpgo/kfpgo/dsl"
)

// The sources of these steps are those of the Python side, out of its file.
//
//go:embed python/described.py python/models.py python/python-*.py python/notebook.py python/squares.ipynb python/files
var sources embed.FS

// source returns functions of the Python side, without their decorators.
func source(file string, functions ...string) string {
	b, err := sources.ReadFile("python/" + file + ".py")
	if err != nil {
		panic(err) // the test of the package's files says so too
	}
	var found []string
	for _, f := range functions {
		_, rest, _ := strings.Cut(string(b), "\ndef "+f+"(")
		body, _, _ := strings.Cut("def "+f+"("+rest, "\n\n\n")
		found = append(found, strings.TrimSuffix(body, "\n")+"\n")
	}
	return strings.Join(found, "\n\n")
}

// sdk returns a Python step in the form of KFP's own SDK, with more functions
// before its own.
func sdk(file string, py dsl.PythonSource, more ...string) dsl.PythonSource {
	py.Source, py.Image = source(file, append(more, py.Function)...), "python:3.12"
	if py.SDK == (dsl.PythonSDK{}) {
		py.SDK.Version = "2.17.3"
	}
	return py
}

type (
	plainIn struct {
		A dsl.Param[float64]
		B dsl.Param[float64] `default:"4.0"`
	}
	theFloat struct {
		Out dsl.Param[float64] `kfp:"Output"`
	}
	theInt struct {
		Out dsl.Param[int] `kfp:"Output"`
	}
	pythonIn struct {
		N dsl.Param[int] `default:"3"`
	}
)

func packaged(function string, py dsl.PythonSource) *dsl.Component[intIn, theInt] {
	py.Function = function
	return dsl.Python[intIn, theInt](strings.ReplaceAll(function, "_", "-"), sdk("python-packages", py))
}

var (
	plain = dsl.Python[plainIn, theFloat]("plain", sdk("python-packages", dsl.PythonSource{Function: "plain"}))

	withPackages = packaged("packages", dsl.PythonSource{Packages: []string{"numpy==2.2.0", `pandas>=2,<3; python_version<"3.13"`}})
	withIndex    = packaged("index", dsl.PythonSource{
		Packages:     []string{"numpy==2.2.0"},
		IndexURLs:    []string{"https://packages.example.com/simple", "https://more.example.com/simple"},
		TrustedHosts: []string{"packages.example.com"},
	})
	withoutHost = packaged("no_host", dsl.PythonSource{
		Requirements: "--index-url https://packages.example.com/simple\nnumpy==2.2.0  # as ever\n",
	})
	withVenv   = packaged("venv", dsl.PythonSource{Venv: true})
	withoutKFP = packaged("no_kfp", dsl.PythonSource{SDK: dsl.PythonSDK{InImage: true}})
	withOwnKFP = packaged("own_kfp", dsl.PythonSource{SDK: dsl.PythonSDK{InImage: true}, Packages: []string{"kfp==2.9.0", "numpy"}})
	withKFP    = packaged("kfp_from", dsl.PythonSource{SDK: dsl.PythonSDK{Package: "git+https://git.example.com/kfp@master"}})
)

var _ = pair(pythonPackages,
	"dsl.component", "dsl.component(packages_to_install)", "dsl.component(pip_index_urls)", "dsl.component(pip_trusted_hosts)",
	"dsl.component(use_venv)", "dsl.component(install_kfp_package)", "dsl.component(kfp_package_path)")

var pythonPackages = dsl.Pipeline("python-packages", func(s *dsl.Scope, in pythonIn) dsl.None {
	plain.Call(s, plainIn{A: dsl.Const(1.5)})
	for _, c := range []*dsl.Component[intIn, theInt]{withPackages, withIndex, withoutHost, withVenv, withoutKFP, withOwnKFP, withKFP} {
		c.Call(s, intIn(in))
	}
	return dsl.None{}
})
