package discover

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/internal/graph"
)

const dslPath = "github.com/kfpgo/kfpgo/dsl"

// A Program is a built program whose main has the variables of a package.
type Program struct {
	Package *Package
	File    string // the executable, in the user's cache
	dir     string // where it runs
}

// Build finds a package and builds its program. The main exists only in an
// overlay; nothing is written to the package. Errors are the Go compiler's.
func Build(dir, pattern string) (*Program, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	return BuildIn(filepath.Join(cache, "kfpgo", "programs"), dir, pattern)
}

// BuildIn is Build with a cache of the caller's choice.
func BuildIn(cache, dir, pattern string) (*Program, error) {
	p, err := Find(dir, pattern)
	if err != nil {
		return nil, err
	}
	cache = filepath.Join(cache, fmt.Sprintf("%x", sha256.Sum256([]byte(p.Dir)))[:16])
	src, target, virtual := p.program()
	main, list := filepath.Join(cache, "main.go"), filepath.Join(cache, "overlay.json")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{virtual: main}})
	if err := errors.Join(err, os.MkdirAll(cache, 0o755), os.WriteFile(main, []byte(src), 0o644), os.WriteFile(list, overlay, 0o644)); err != nil {
		return nil, err
	}
	prog := &Program{p, filepath.Join(cache, "program"), dir}
	cmd := exec.Command("go", "build", "-overlay", list, "-o", prog.File, target)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, bytes.TrimSpace(out))
	}
	return prog, nil
}

// Graph runs the program for its graph, mistakes included.
func (p *Program) Graph() (*graph.Graph, error) {
	cmd := exec.Command(p.File, append([]string{"kfpgo:graph"}, p.Package.Vars...)...)
	cmd.Dir, cmd.Stderr = p.dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Package.ImportPath, err)
	}
	return graph.Read(bytes.NewReader(out))
}

// program returns the main, the import path to build and the file it stands in
// for. A library gets a main of its own in a folder below it, where it may
// import the package even if that is internal. A command gets an init in a
// file that sorts last; its own main runs when nothing is asked by kfpgo.
func (p *Package) program() (src, target, virtual string) {
	if p.Name == "main" {
		src = fmt.Sprintf("package main\n\nimport kfpgo %q\n\nfunc init() { kfpgo.Init(%s) }\n", dslPath, strings.Join(p.Vars, ", "))
		return src, p.ImportPath, filepath.Join(p.Dir, "zz_kfpgo_main.go")
	}
	vars := make([]string, len(p.Vars))
	for i, v := range p.Vars {
		vars[i] = "p." + v
	}
	src = fmt.Sprintf("package main\n\nimport (\n\tkfpgo %q\n\tp %q\n)\n\nfunc main() { kfpgo.Main(%s) }\n", dslPath, p.ImportPath, strings.Join(vars, ", "))
	return src, p.ImportPath + "/kfpgo_main", filepath.Join(p.Dir, "kfpgo_main", "main.go")
}
