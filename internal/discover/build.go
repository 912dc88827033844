package discover

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

const dslPath = "github.com/kfpgo/kfpgo/dsl"

// Build finds a package, by a pattern as seen from dir, and returns its program.
// The main exists only in an overlay; nothing is written to the package. What
// the Go compiler has to say about it is a GoError.
func Build(ctx context.Context, dir, pattern string) (*Program, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("there is no folder for built programs: %w", err)
	}
	return BuildIn(ctx, filepath.Join(cache, "kfpgo", "programs"), dir, pattern)
}

// BuildIn is Build with a cache of the caller's choice.
func BuildIn(ctx context.Context, cache, dir, pattern string) (*Program, error) {
	at, err := locate(dir, pattern)
	if err != nil {
		return nil, err
	}
	e := entry{place: at, dir: filepath.Join(cache, digest(at.key)[:16])}
	if p := e.reuse(); p != nil {
		return p, nil
	}
	if err := os.MkdirAll(e.dir, 0o755); err != nil {
		return nil, fmt.Errorf("cache of built programs: %w", err)
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(e.dir, "lock")).Lock()
	if err != nil {
		return nil, fmt.Errorf("cache of built programs: %w", err)
	}
	defer unlock()
	if p := e.reuse(); p != nil { // another kfpgo has just built it
		return p, nil
	}
	return e.build(ctx)
}

func digest(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// An entry is the part of the cache that belongs to one package. It holds the
// manifest and the program that this names, and for a while its predecessors:
// runs that have started go on with the program they started with.
type entry struct {
	place
	dir string
}

func (e entry) build(ctx context.Context) (*Program, error) {
	start := time.Now()
	pkg, err := e.find(ctx)
	if err != nil {
		return nil, err
	}
	src, target, virtual := pkg.main()
	main, list := filepath.Join(e.dir, "main.go"), filepath.Join(e.dir, "overlay.json")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{virtual: main}})
	if err := errors.Join(err, os.WriteFile(main, []byte(src), 0o644), os.WriteFile(list, overlay, 0o644)); err != nil {
		return nil, fmt.Errorf("cache of built programs: %w", err)
	}
	inputs := make(chan []stamp, 1)
	go func() { inputs <- e.inputs(ctx, list, target, virtual) }()
	name := fmt.Sprintf("program-%x", start.UnixNano())
	file := filepath.Join(e.dir, name)
	// Positions are file names of this machine, whatever GOFLAGS says.
	_, err = e.run(ctx, "build", "-trimpath=false", "-overlay", list, "-o", file, target)
	stamps := <-inputs
	if err != nil {
		return nil, explain(err, pkg)
	}
	if err := e.save(name, pkg, start, stamps); err != nil {
		return nil, fmt.Errorf("cache of built programs: %w", err)
	}
	return &Program{Package: pkg, File: file, place: e.place}, nil
}

// explain turns the failure that a package without pipelines leads to into words.
func explain(err error, pkg *Package) error {
	var g *GoError
	if errors.As(err, &g) && strings.Contains(g.Output, "no required module provides package "+dslPath) {
		return fmt.Errorf("%s has no pipeline: its module doesn't require github.com/kfpgo/kfpgo", pkg.ImportPath)
	}
	return err
}
