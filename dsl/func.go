package dsl

import (
	"context"
	"regexp"

	"github.com/kfpgo/kfpgo/internal/graph"
)

// Func returns a component that runs a Go function. The function runs in a
// container of the program's own image, which kfpgo build makes: see [Main]. It
// takes the place of KFP's lightweight Python components (create_component_from_func).
//
// The Out that the function gets has the paths of its artifacts filled in. It
// must set every output parameter that isn't optional.
func Func[In, Out any](name string, run func(context.Context, In, *Out) error, opts ...Option) *Component[In, Out] {
	c := newComponent[In, Out](graph.Func, name, opts)
	c.run = run
	if run == nil {
		c.c.Errorf(c.c.Pos, "component %s: no function", name)
	}
	return c
}

// A PythonSource is a Python function and what it needs.
type PythonSource struct {
	Source   string   // the text of a module, usually from go:embed
	Function string   // the function in it, with one parameter per field of In
	Image    string   // base image, such as python:3.12
	Packages []string // for pip, such as numpy==2.2.0
}

// Python returns a component that runs a Python function, which is sent along
// as source. It takes what KFP's @dsl.component takes: Input[Model],
// Output[Dataset] and NamedTuple results work as they do there. In and Out can't
// be inferred, so name them:
//
//	//go:embed evaluate.py
//	var evaluatePy string
//
//	var Evaluate = dsl.Python[EvaluateIn, EvaluateOut]("evaluate", dsl.PythonSource{
//		Source: evaluatePy, Function: "evaluate", Image: "python:3.12",
//	})
func Python[In, Out any](name string, py PythonSource, opts ...Option) *Component[In, Out] {
	c := newComponent[In, Out](graph.Python, name, opts)
	c.c.Python = &graph.PythonSpec{Source: py.Source, Function: py.Function, Image: py.Image, Packages: py.Packages}
	if py.Image == "" {
		c.c.Errorf(c.c.Pos, "component %s: no image; python:3.12 is a good one", name)
	}
	def := regexp.MustCompile(`(?m)^(async )?def ` + regexp.QuoteMeta(py.Function) + `\(`)
	if py.Function == "" || !def.MatchString(py.Source) {
		c.c.Errorf(c.c.Pos, "component %s: the Python source has no function %q", name, py.Function)
	}
	return c
}
