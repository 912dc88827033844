package discover

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
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
// running runs continue with the program they started with.
type entry struct {
	place
	dir string
}

// build builds the program. Where there was one before, the package has most
// probably the same files and variables, and go need not be asked for them first, or
// at all.
func (e entry) build(ctx context.Context) (*Program, error) {
	start := time.Now()
	if m, stale := e.edited(); stale != nil {
		return nil, stale
	} else if m != nil {
		return e.finish(e.compile(ctx, m.Package, m), start)
	}
	type answer struct {
		pkg *Package
		err error
	}
	asked := make(chan answer, 1)
	go func() {
		pkg, err := e.find(ctx)
		asked <- answer{pkg, err}
	}()
	var b *built
	if guess := e.before(); guess != nil {
		b = e.compile(ctx, guess, nil)
	}
	found := <-asked
	if found.err != nil {
		return nil, found.err
	}
	if b == nil || !reflect.DeepEqual(b.pkg, found.pkg) {
		start = time.Now()
		b = e.compile(ctx, found.pkg, nil)
	}
	return e.finish(b, start)
}

// finish keeps a program whose build was started at a time.
func (e entry) finish(b *built, start time.Time) (*Program, error) {
	if b.err != nil {
		return nil, explain(b.err, b.pkg)
	}
	if err := e.save(b, start); err != nil {
		return nil, fmt.Errorf("cache of built programs: %w", err)
	}
	return &Program{Package: b.pkg, File: filepath.Join(e.dir, b.name), place: e.place}, nil
}

// built is what came of compiling the program of a package.
type built struct {
	pkg    *Package
	name   string // of the executable
	edited bool   // it has the packages of the program before
	err    error

	inputs   []stamp
	packages []Package
}

// exe ends the name of an executable: Windows starts no other files.
var exe = map[bool]string{true: ".exe"}[runtime.GOOS == "windows"]

// compile compiles the program of a package, and collects what goes into it if that isn't
// known.
func (e entry) compile(ctx context.Context, pkg *Package, known *manifest) *built {
	b := &built{pkg: pkg, name: fmt.Sprintf("program-%x", time.Now().UnixNano()) + exe, edited: known != nil}
	if known != nil {
		b.inputs, b.packages = known.Inputs, known.Packages
	}
	target, files := pkg.overlay()
	list, err := e.writeOverlay(files)
	if err != nil {
		b.err = fmt.Errorf("cache of built programs: %w", err)
		return b
	}
	var stale error
	done := make(chan bool)
	go func() {
		defer close(done)
		if !b.edited {
			b.inputs, b.packages, stale = e.inputs(ctx, list, target, files)
		}
	}()
	// Positions are file names of this machine, whatever GOFLAGS says. Without
	// the tables for debuggers linking is quicker.
	args := []string{"build", "-trimpath=false", "-overlay", list, "-o", filepath.Join(e.dir, b.name)}
	if !strings.Contains(os.Getenv("GOFLAGS"), "-ldflags") {
		args = append(args, "-ldflags=-w")
	}
	_, b.err = e.run(ctx, append(args, target)...)
	<-done
	if stale != nil { // what the Go compiler says may only follow from it
		b.err = stale
	}
	return b
}

// writeOverlay writes files and the list of where they seem to be.
func (e entry) writeOverlay(files map[string]string) (list string, err error) {
	replace := map[string]string{}
	for seems, src := range files {
		real := filepath.Join(e.dir, "_"+filepath.Base(seems)) // _: no package, wherever the cache is
		replace[seems] = real
		err = errors.Join(err, os.WriteFile(real, []byte(src), 0o644))
	}
	b, encodeErr := json.Marshal(map[string]any{"Replace": replace})
	list = filepath.Join(e.dir, "overlay.json")
	return list, errors.Join(err, encodeErr, os.WriteFile(list, b, 0o644))
}

// explain turns the failure that a package without pipelines leads to into words.
func explain(err error, pkg *Package) error {
	var g *GoError
	if errors.As(err, &g) && strings.Contains(g.Output, "no required module provides package "+dslPath) {
		return fmt.Errorf("%s has no pipeline: its module doesn't require github.com/kfpgo/kfpgo; go get github.com/kfpgo/kfpgo adds it", pkg.ImportPath)
	}
	return err
}
