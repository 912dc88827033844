// Package depcheck checks what a package imports, directly or through others.
package depcheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
)

// A Rule says what some packages must not import, and why. Packages are named
// by patterns: an import path, one with a last element of "..." for all below
// it and itself, or "*" for all.
type Rule struct {
	Packages  []string
	Except    []string // of Packages
	Forbidden []string
	Only      []string // what may be imported beside the standard library; empty: no limit
	Deep      bool     // also through other packages
	Tests     bool     // in test files too
	Reason    string
}

// A Package is what go list says about one.
type Package struct {
	ImportPath   string
	Standard     bool
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// Graph is the packages of a module and all that they import, by import path.
type Graph map[string]*Package

// Load lists the packages in dir that match the patterns, and their dependencies.
func Load(dir string, patterns ...string) (Graph, error) {
	args := append([]string{"list", "-deps", "-test", "-json=ImportPath,Standard,Imports,TestImports,XTestImports"}, patterns...)
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	g := Graph{}
	for dec := json.NewDecoder(out); ; {
		var p Package
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if !strings.Contains(p.ImportPath, " [") && !strings.HasSuffix(p.ImportPath, ".test") {
			g[p.ImportPath] = &p
		}
	}
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, stderr.String())
	}
	return g, nil
}

// Check returns a message for each forbidden import, with the path that leads to
// it, and for each named package that doesn't exist.
func (g Graph) Check(rules []Rule) []string {
	var bad []string
	for _, r := range rules {
		for _, pattern := range slices.Concat(r.Packages, r.Except) {
			if len(g.match([]string{pattern}, nil)) == 0 {
				bad = append(bad, fmt.Sprintf("%s: no such package; mend the rule (%s)", pattern, r.Reason))
			}
		}
		for _, name := range g.match(r.Packages, r.Except) {
			if chain := g.find(name, r); chain != nil {
				bad = append(bad, fmt.Sprintf("%s: %s", strings.Join(chain, " imports "), r.Reason))
			}
		}
	}
	return bad
}

// match returns the packages that aren't of the standard library and match one
// of the patterns and none of except.
func (g Graph) match(patterns, except []string) []string {
	var names []string
	for name, p := range g {
		if !p.Standard && matches(patterns, name) && !matches(except, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// find returns the shortest chain of imports from a package to one that the
// rule forbids, or nil.
func (g Graph) find(from string, r Rule) []string {
	queue := [][]string{{from}}
	seen := map[string]bool{from: true}
	for len(queue) > 0 {
		chain := queue[0]
		queue = queue[1:]
		p := g[chain[len(chain)-1]]
		if p == nil {
			continue
		}
		imports := p.Imports
		if r.Tests && len(chain) == 1 {
			imports = slices.Concat(imports, p.TestImports, p.XTestImports)
		}
		for _, name := range imports {
			if seen[name] {
				continue
			}
			seen[name] = true
			next := append(slices.Clip(chain), name)
			if g.forbidden(name, r) {
				return next
			}
			if r.Deep {
				queue = append(queue, next)
			}
		}
	}
	return nil
}

func (g Graph) forbidden(name string, r Rule) bool {
	if matches(r.Forbidden, name) {
		return true
	}
	p := g[name]
	std := p != nil && p.Standard || name == "unsafe" || name == "C"
	return len(r.Only) > 0 && !std && !matches(r.Only, name)
}

func matches(patterns []string, name string) bool {
	for _, p := range patterns {
		if p == "*" || p == name {
			return true
		}
		if dir, last := path.Split(p); last == "..." && (name+"/" == dir || strings.HasPrefix(name, dir)) {
			return true
		}
	}
	return false
}
