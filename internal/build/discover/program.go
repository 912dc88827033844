package discover

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/internal/host/child"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// A Program is a built program whose main has the variables of a package.
type Program struct {
	Package *Package
	File    string // the executable, in the user's cache
	Reused  bool   // it was there already, and go wasn't started
	place   place
}

// Graph runs the program for its graph, mistakes included. It always runs, since
// what a package defines may depend on files and on the environment.
func (p *Program) Graph(ctx context.Context) (*graph.Graph, error) {
	cmd := child.Command(ctx, p.File, append([]string{contract.Graph}, p.Package.Vars...)...)
	said := printable.NewWriter(os.Stderr) // by the package, which may pass on what a file says
	defer said.Flush()
	cmd.Dir, cmd.Stderr = p.place.wd, said
	if os.Getenv("GOGC") == "" {
		cmd.Env = append(os.Environ(), "GOGC=800") // it is over before its garbage matters
	}
	out, err := child.Output(cmd)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("the program of %s ended before it printed its pipelines: %w", p.Package.ImportPath, err)
	}
	g, err := graph.Read(last(out))
	if err != nil {
		return nil, fmt.Errorf("the program of %s: %w; is its kfpgo module of another version than this command?", p.Package.ImportPath, err)
	}
	return g, nil
}

// last returns the graph in the output of a program, and passes on what the
// package printed on its own behalf before it.
func last(out []byte) []byte {
	before, ours := split(out)
	io.WriteString(os.Stderr, printable.Text(string(before)))
	return ours
}

// split takes the output of a program apart: what the package printed, and the answer.
func split(out []byte) (before, ours []byte) {
	out = bytes.TrimRight(out, "\n")
	start := bytes.LastIndexByte(out, '\n') + 1
	if i := bytes.Index(out[start:], []byte(`{"schema":`)); i > 0 {
		start += i
	}
	return out[:start], out[start:]
}

// overlay returns the import path to build, and the files that exist for this
// build only, by where they seem to be.
//
// A library gets a main in a folder below it, where it may import the package
// even if that is internal, and a function that returns its variables: in the
// package itself the compiler has their types at hand, and main is quick to
// compile. A command gets an init that runs in place of its main, in a file that
// sorts last.
func (p *Package) overlay() (target string, files map[string]string) {
	vars, last := strings.Join(p.Vars, ", "), filepath.Join(p.Dir, "zz_kfpgo.go")
	if p.Name == "main" && len(p.Vars) == 0 {
		return p.ImportPath, nil
	}
	if p.Name == "main" {
		return p.ImportPath, map[string]string{last: fmt.Sprintf(
			"package main\n\nimport kfpgo_dsl %q\n\nfunc init() { kfpgo_dsl.Init(%s) }\n", dslPath, vars)}
	}
	return p.ImportPath + "/kfpgo_main", map[string]string{
		last: fmt.Sprintf("package %s\n\nfunc KfpgoVars__() []any { return []any{%s} }\n", p.Name, vars),
		filepath.Join(p.Dir, "kfpgo_main", "main.go"): fmt.Sprintf(
			"package main\n\nimport (\n\tkfpgo_dsl %q\n\tp %q\n)\n\nfunc main() { kfpgo_dsl.Main(p.KfpgoVars__()...) }\n", dslPath, p.ImportPath),
	}
}
