// Package pairs holds pipelines in two languages, Go and Python, that must
// compile to equal IR: each shows rows of KFP's list of features (features.go).
//
// To add a pair named x:
//
//  1. Write its Go side in a file of its own, x.go, or beside others of its theme,
//     and register it there with the ids of the rows that it shows:
//
//     var _ = pair(x, "dsl.ParallelFor", "PipelineTask.set_retry")
//
//     var x = dsl.Pipeline("x", func(s *dsl.Scope, in xIn) dsl.None { … })
//
//  2. Write its Python side in python/x.py, a module with a function pipeline.
//     Components that several pairs use are in steps.go and python/steps.py.
//
//  3. Compile that with KFP's own SDK, in a virtual environment with kfp and
//     kfp-kubernetes 2.17.3. It writes python/x.yaml:
//
//     KFP_PYTHON internal/testing/pairs/python/compile.py x
//
//  4. go test ./internal/testing/pairs ./internal/target/kfp -update, which keeps our IR as
//     internal/target/kfp/testdata/x.yaml, and look at what it wrote.
//
// The tests here compare the two sides offline; test/oracle also compiles the
// Python side anew. A difference is a fault of ours. If it is one of Python's
// known faults (faults.go), declare it with Pair.Except. If the command of a
// Python step is kfpgo's own, say so with Pair.OwnRuntime.
package pairs

import (
	"cmp"
	"embed"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
)

//go:embed python/*.yaml
var python embed.FS

// A Pair is a pipeline in Go and in Python.
type Pair struct {
	Name       string
	Definition dsl.Definition // in Go; nil where that is in an example, which has a test of its own
	File       string         // of this package, that has the Go side
	Rows       []string       // ids of the features that it shows
	Exceptions []Exception

	ownRuntime bool
	described  bool
	target     compiler.Target
	options    []compiler.Option
}

// An Exception is a difference that a fault of Python's makes.
type Exception struct {
	Fault int    // a number in Faults
	Path  string // what the path of the difference ends with, as irdiff writes it
}

var all []*Pair

// pair registers a pair that shows rows of the list of features.
func pair(d dsl.Definition, rows ...string) *Pair {
	return register(&Pair{Name: d.Name(), Definition: d, Rows: rows})
}

// example registers a pair whose Go side is a program of its own, where a test
// calls Compare.
func example(name string, rows ...string) *Pair { return register(&Pair{Name: name, Rows: rows}) }

func register(p *Pair) *Pair {
	if _, file, _, ok := runtime.Caller(2); ok {
		p.File = filepath.Base(file)
	}
	all = append(all, p)
	return p
}

// Except declares that a fault of Python's makes the IR differ at paths that end
// with these elements, such as /tasks/say-2.
func (p *Pair) Except(fault int, paths ...string) *Pair {
	for _, path := range paths {
		p.Exceptions = append(p.Exceptions, Exception{fault, path})
	}
	return p
}

// OwnRuntime declares that steps have a command and arguments of kfpgo's own
// where KFP's SDK has its own: the source of a Python function, and what starts it.
func (p *Pair) OwnRuntime() *Pair {
	p.ownRuntime = true
	return p
}

// Described declares that the descriptions of inputs and outputs are equal too.
func (p *Pair) Described() *Pair {
	p.described = true
	return p
}

// Compiled declares how the Go side is compiled, if not as all: to a target, with
// options.
func (p *Pair) Compiled(t compiler.Target, opts ...compiler.Option) *Pair {
	p.target, p.options = t, opts
	return p
}

// Compile returns our IR of the pair, which must have a definition.
func (p Pair) Compile() ([]byte, error) {
	return compiler.Compile(p.Definition, cmp.Or(p.target, compiler.KFP), append(p.options, compiler.Image("prog"))...)
}

// All returns the pairs in the order of their names.
func All() []Pair {
	out := make([]Pair, len(all))
	for i, p := range all {
		out[i] = *p
	}
	slices.SortFunc(out, func(a, b Pair) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Named returns a pair.
func Named(name string) (Pair, error) {
	for _, p := range all {
		if p.Name == name {
			return *p, nil
		}
	}
	return Pair{}, fmt.Errorf("no pair is named %s", name)
}

// Python returns the IR that KFP's SDK makes of the Python side, as it is kept.
func (p Pair) Python() ([]byte, error) { return python.ReadFile("python/" + p.Name + ".yaml") }

// Compare lists where IR differs from that of the Python side, in other places
// than the pair declares. What it declares and is equal is listed too.
func (p Pair) Compare(ir []byte) ([]string, error) {
	want, err := p.Python()
	if err != nil {
		return nil, err
	}
	return p.CompareWith(ir, want)
}

// CompareWith is Compare with a Python side that was compiled anew.
func (p Pair) CompareWith(ir, want []byte) ([]string, error) {
	ir, objects, err := unwrap(ir)
	if err != nil {
		return nil, err
	}
	want, theirs, err := unwrap(want)
	if err != nil {
		return nil, err
	}
	compare := irdiff.Compare
	if p.described {
		compare = irdiff.CompareDescribed
	}
	lines, err := compare(ir, want, func(_ string, executor map[string]any) {
		if c, ok := executor["container"].(map[string]any); ok && p.ownRuntime && isPython(c) {
			delete(c, "command")
			delete(c, "args")
		}
	})
	if err != nil {
		return nil, err
	}
	lines = append(lines, irdiff.Diff("/objects", objects, theirs)...)
	met := make([]bool, len(p.Exceptions))
	lines = slices.DeleteFunc(lines, func(line string) bool {
		for i, e := range p.Exceptions {
			if path, _, _ := strings.Cut(line, ": "); strings.HasSuffix(path, e.Path) {
				met[i] = true
				return true
			}
		}
		return false
	})
	for i, e := range p.Exceptions {
		if !met[i] {
			lines = append(lines, fmt.Sprintf("%s: equal, though it is declared to differ by fault %d; take it off the pair", e.Path, e.Fault))
		}
	}
	return lines, nil
}

// isPython reports whether a container runs the source of a Python function, in
// our way or in KFP's, or stands for one.
func isPython(container map[string]any) bool {
	command, _ := container["command"].([]any)
	args, _ := container["args"].([]any)
	if len(command) == 0 {
		return false
	}
	first, _ := command[0].(string)
	return first == "python3" || slices.Contains(args, any("--executor_input"))
}
