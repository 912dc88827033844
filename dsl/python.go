package dsl

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/graph"
)

// A PythonSource is a Python function and what it needs.
type PythonSource struct {
	Source   string   // the text of a module, usually from go:embed
	Function string   // the function in it, with one parameter per field of In
	Image    string   // base image, such as python:3.12
	Packages []string // for pip, such as numpy==2.2.0

	// LocalPackages stand for what Image has already. A run on this machine,
	// where the image isn't used, has pip install them in an environment of their
	// own; on a cluster nothing is installed for them.
	LocalPackages []string
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
//
// The parameters of the function must be the inputs, and those outputs that it
// writes to rather than returns.
func Python[In, Out any](name string, py PythonSource, opts ...Option) *Component[In, Out] {
	c := newComponent[In, Out](graph.Python, name, opts)
	c.c.Python = &graph.PythonSpec{Source: py.Source, Function: py.Function, Image: py.Image, Packages: py.Packages, LocalPackages: py.LocalPackages}
	if py.Image == "" {
		c.c.Errorf(c.c.Pos, "component %s: no image; python:3.12 is a good one", name)
	} else if err := imageRef.Check(py.Image); err != nil {
		c.c.Errorf(c.c.Pos, "component %s: %v", name, err)
	}
	for _, p := range slices.Concat(py.Packages, py.LocalPackages) {
		if strings.TrimSpace(p) == "" || strings.HasPrefix(p, "-") {
			c.c.Errorf(c.c.Pos, "component %s: package %q: a package is a name that pip takes, such as numpy==2.2.0", name, p)
		}
	}
	params, ok := pythonParams(py.Source, py.Function)
	if !ok {
		c.c.Errorf(c.c.Pos, "component %s: the Python source has no function %q", name, py.Function)
		return c
	}
	for _, msg := range comparePython(c.c.Component, params) {
		c.c.Errorf(c.c.Pos, "component %s: function %s %s", name, py.Function, msg)
	}
	return c
}

// comparePython says where the parameters of a function differ from a component.
func comparePython(c graph.Component, params []pythonParam) (msgs []string) {
	any := slices.ContainsFunc(params, func(p pythonParam) bool { return p.rest })
	has := func(name string) bool {
		return slices.ContainsFunc(params, func(p pythonParam) bool { return p.name == name })
	}
	field := func(name string) bool {
		named := func(f graph.Field) bool { return f.Name == name }
		return slices.ContainsFunc(c.Inputs, named) || slices.ContainsFunc(c.Outputs, named)
	}
	for _, f := range c.Inputs {
		if !any && !has(f.Name) {
			msgs = append(msgs, fmt.Sprintf("has no parameter for input %s", f.Name))
		}
	}
	for _, p := range params {
		if !p.rest && !p.hasDefault && !field(p.name) {
			msgs = append(msgs, fmt.Sprintf("has a parameter %s, which is no input or output", p.name))
		}
	}
	return msgs
}

type pythonParam struct {
	name       string
	hasDefault bool
	rest       bool // **kwargs
}

var pythonName = regexp.MustCompile(`^[\pL_][\pL\pN_]*`)

// pythonParams returns the parameters of a function of a module.
func pythonParams(source, function string) (params []pythonParam, ok bool) {
	if function == "" {
		return nil, false
	}
	def := regexp.MustCompile(`(?m)^(?:async[ \t]+)?def[ \t]+` + regexp.QuoteMeta(function) + `[ \t]*(?:\[[^\]\n]*\][ \t]*)?\(`)
	at := def.FindStringIndex(source)
	if at == nil {
		return nil, false
	}
	for _, text := range pythonArgs(source[at[1]:]) {
		switch text = strings.TrimSpace(text); {
		case strings.HasPrefix(text, "**"):
			params = append(params, pythonParam{rest: true})
		case text == "" || text[0] == '*' || text[0] == '/':
		default:
			params = append(params, pythonParam{name: pythonName.FindString(text), hasDefault: hasDefault(text)})
		}
	}
	return params, true
}

// pythonArgs splits what is before the closing bracket at its commas. Comments
// are left out.
func pythonArgs(s string) (args []string) {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '#':
			for i+1 < len(s) && s[i+1] != '\n' {
				i++
			}
			continue
		case c == '\'' || c == '"':
			end := stringEnd(s, i)
			b.WriteString(s[i:end])
			i = end - 1
			continue
		case c == '(' || c == '[' || c == '{':
			depth++
		case (c == ')' || c == ']' || c == '}') && depth > 0:
			depth--
		case c == ')':
			return append(args, b.String())
		case c == ',' && depth == 0:
			args = append(args, b.String())
			b.Reset()
			continue
		}
		b.WriteByte(s[i])
	}
	return append(args, b.String())
}

// stringEnd returns the end of the Python string that starts at i.
func stringEnd(s string, i int) int {
	quote := s[i : i+1]
	if strings.HasPrefix(s[i:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	for j := i + len(quote); j < len(s); j++ {
		switch {
		case s[j] == '\\':
			j++
		case strings.HasPrefix(s[j:], quote):
			return j + len(quote)
		}
	}
	return len(s)
}

// hasDefault reports whether a parameter has an = outside brackets and strings.
func hasDefault(param string) bool {
	depth := 0
	for i := 0; i < len(param); i++ {
		switch c := param[i]; {
		case c == '\'' || c == '"':
			i = stringEnd(param, i) - 1
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == '=' && depth == 0:
			return true
		}
	}
	return false
}
