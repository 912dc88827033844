package dsl

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// A PythonSource is a Python function and what it needs.
type PythonSource struct {
	Source   string // the text of a module, usually from go:embed
	Function string // the function in it, with one parameter per field of In
	Image    string // base image, such as python:3.12

	// Packages are installed with pip when the step starts (packages_to_install):
	// numpy==2.2.0. Requirements is the text of a requirements.txt with more of them.
	Packages     []string
	Requirements string

	// LocalPackages stand for the packages that Image has already. A run on this machine,
	// where the image isn't used, has pip install them in an environment of their
	// own; on a cluster nothing is installed for them.
	LocalPackages []string

	IndexURLs    []string // where pip looks for packages, in place of its own index (pip_index_urls)
	TrustedHosts []string // hosts of IndexURLs whose certificates aren't checked (pip_trusted_hosts); KFP's SDK takes all of them, kfpgo those named
	Venv         bool     // packages go into a virtual environment that sees those of the image (use_venv)

	// Files go along with the step, for modules that it imports and small data
	// (embedded_artifact_path): they are in a folder that is on Python's path and
	// that a parameter of the type dsl.EmbeddedInput[dsl.Dataset] has the path of.
	Files fs.FS

	// SDK makes the step as KFP's own SDK does, which installs itself when the
	// step starts. Without it, a small runtime of kfpgo's is sent with the source.
	SDK PythonSDK
}

// A PythonSDK says how KFP's SDK gets into the container of a step: one of the
// first three is set.
type PythonSDK struct {
	Version string // to install, such as 2.17.3
	Package string // what to install in place of a version, as pip takes it (kfp_package_path)
	InImage bool   // the image or Packages have it (install_kfp_package=False)

	NoDeps bool   // Package is installed without what it needs
	Whole  bool   // Source is all of a module, with the imports that the SDK puts in front of a function
	Form   string // the version whose way to start a step it is: 1.8, 2.0, 2.0.2, 2.1, 2.9 or 2.14, the default
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
	c.c.Python = pythonSpec(py, c.pythonErrorf)
	c.checkFunction()
	return c
}

func (c *Component[In, Out]) pythonErrorf(format string, args ...any) {
	c.c.Errorf(c.c.Pos, "component %s: "+format, append([]any{c.c.Name}, args...)...)
}

// checkFunction compares a Python function with its component.
func (c *Component[In, Out]) checkFunction() {
	py := c.c.Python
	params, ok := pythonParams(py.Source, py.Function)
	if !ok {
		c.pythonErrorf("the Python source has no function %q", py.Function)
		return
	}
	for _, msg := range comparePython(c.c.Component, params) {
		c.pythonErrorf("function %s %s", py.Function, msg)
	}
	if py.SDK != nil {
		for _, msg := range checkSDK(c.c.Component, params) {
			c.pythonErrorf("function %s %s", py.Function, msg)
		}
	}
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
		if !p.rest && !p.hasDefault && !p.embedded && !field(p.name) {
			msgs = append(msgs, fmt.Sprintf("has a parameter %s, which is not an input or output", p.name))
		}
	}
	return msgs
}

type pythonParam struct {
	name       string
	hasDefault bool
	annotated  bool
	embedded   bool // EmbeddedInput, the files that go along
	rest       bool // **kwargs
}

var pythonName = lazyregexp.New(`^[\pL_][\pL\pN_]*`)

// pythonParams returns the parameters of a function of a module.
func pythonParams(source, function string) (params []pythonParam, ok bool) {
	if function == "" {
		return nil, false
	}
	at := pythonDef(function).FindStringIndex(source)
	if at == nil {
		return nil, false
	}
	for _, text := range pythonArgs(source[at[1]:]) {
		switch text = strings.TrimSpace(text); {
		case strings.HasPrefix(text, "**"):
			params = append(params, pythonParam{rest: true})
		case text == "" || text[0] == '*' || text[0] == '/':
		default:
			p := pythonParam{name: pythonName.FindString(text), hasDefault: outside(text, "=") < len(text)}
			rest := strings.TrimSpace(text[len(p.name):])
			p.annotated, p.embedded = strings.HasPrefix(rest, ":"), strings.Contains(rest, "EmbeddedInput[")
			params = append(params, p)
		}
	}
	return params, true
}

func pythonDef(function string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:async[ \t]+)?def[ \t]+` + regexp.QuoteMeta(function) + `[ \t]*(?:\[[^\]\n]*\][ \t]*)?\(`)
}

// pythonArgs splits what is before the closing bracket at its commas. Comments
// are left out.
func pythonArgs(s string) (args []string) {
	var b strings.Builder
	scanPython(s, func(part string, depth int) bool {
		switch {
		case part == ")" && depth < 0:
			return false
		case part == "," && depth == 0:
			args = append(args, b.String())
			b.Reset()
		default:
			b.WriteString(part)
		}
		return true
	})
	return append(args, b.String())
}

// scanPython calls visit with each byte and each string of Python code, which isn't taken
// apart, and with how many brackets are open after it. Comments are left out. It returns
// where visit was that returned false, or the end of the code.
func scanPython(s string, visit func(part string, depth int) bool) int {
	depth := 0
	for i, end := 0, 0; i < len(s); i = end {
		end = i + 1
		switch s[i] {
		case '#':
			for end < len(s) && s[end] != '\n' {
				end++
			}
			continue
		case '\'', '"':
			end = stringEnd(s, i)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if !visit(s[i:end], depth) {
			return i
		}
	}
	return len(s)
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

// outside returns where a byte of Python code is that stands outside of brackets and
// strings, or the code's end.
func outside(s, b string) int {
	return scanPython(s, func(part string, depth int) bool { return part != b || depth != 0 })
}
