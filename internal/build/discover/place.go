package discover

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/kfpgo/kfpgo/internal/build/gohint"
	"github.com/kfpgo/kfpgo/internal/host/child"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// A place is where the go command runs for a package, and what it calls it there.
type place struct {
	given   string // by the user
	wd      string // of the user, absolute
	dir     string // where go runs
	pattern string
	key     string // names the package on this machine
}

// locate resolves what the user gave. A folder may be in another module than the
// working directory; go then runs in that folder.
func locate(wd, pattern string) (place, error) {
	wd, err := filepath.Abs(wd)
	if err != nil {
		return place{}, err
	}
	if pattern == "" {
		return place{}, errors.New("no package was given; give its folder, such as ./mnist")
	}
	at := place{given: pattern, wd: wd, dir: wd, pattern: pattern, key: wd + "\x00" + pattern}
	folder := pattern
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(wd, folder)
	}
	info, err := os.Stat(folder)
	switch {
	case err == nil && !info.IsDir():
		return place{}, fmt.Errorf("%s is a file; give the folder of a Go package", pattern)
	case err == nil:
		at.key = folder
		at.pattern = "."
		if rel, err := filepath.Rel(wd, folder); err == nil && upwards(wd, "go.mod") == upwards(folder, "go.mod") {
			at.pattern = "./" + filepath.ToSlash(rel)
		} else {
			at.dir = folder
		}
	case isPath(pattern) && !strings.Contains(pattern, "..."):
		return place{}, fmt.Errorf("there is no folder %s", pattern)
	}
	return at, nil
}

func isPath(pattern string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(pattern), "/")
	return first == "." || first == ".." || filepath.IsAbs(pattern)
}

// upwards returns the nearest file with a name in dir or above it, or "".
func upwards(dir, name string) string {
	for {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			return file
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// A GoError is what the go command said when it failed, as it said it, with hints.
type GoError struct{ Output string }

func (e *GoError) Error() string { return e.Output }

// run runs the go command and returns its output. The program is for this
// machine, also where the environment asks for another.
func (at place) run(ctx context.Context, args ...string) ([]byte, error) {
	return at.runWith(ctx, []string{"GOOS=" + runtime.GOOS, "GOARCH=" + runtime.GOARCH}, args...)
}

// runWith is run with more in the environment.
func (at place) runWith(ctx context.Context, env []string, args ...string) ([]byte, error) {
	cmd := child.Command(ctx, "go", args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = at.dir, &stderr
	cmd.Env = append(append(os.Environ(), env...), "PWD="+at.dir)
	out, err := child.Output(cmd)
	switch {
	case err == nil:
		return out, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("there is no go command in PATH; install Go, which builds the pipeline's program")
	}
	msg := strings.TrimSpace(stderr.String())
	if strings.HasPrefix(msg, "package "+at.pattern+" is not in std") { // no dot in its first element: surely a folder was meant
		return nil, fmt.Errorf("there is no folder and no package %s", at.given)
	}
	if msg != "" {
		return nil, &GoError{at.reposition(gohint.Add(at.dir, msg))}
	}
	return nil, fmt.Errorf("go %s: %w", args[0], err)
}

var position = lazyregexp.New(`(?m)^([^\s:]+\.go)(:\d+)`)

// reposition makes the file names of go's messages relative to where the user is.
func (at place) reposition(msg string) string {
	if at.dir == at.wd {
		return msg
	}
	return position.ReplaceAllStringFunc(msg, func(s string) string {
		m := position.FindStringSubmatch(s)
		file := m[1]
		if !filepath.IsAbs(file) {
			file = filepath.Join(at.dir, file)
		}
		return relative(at.wd, file) + m[2]
	})
}

// relative returns a file as seen from a folder, if that is shorter.
func relative(wd, file string) string {
	if rel, err := filepath.Rel(wd, file); err == nil && len(rel) < len(file) {
		return rel
	}
	return file
}
