package engine

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/kfpgo/kfpgo/internal/host/child"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/target/pyrun"
)

// pythonStep runs a Python function with this machine's Python.
func (s *step) pythonStep(ctx context.Context) (env, error) {
	_, file, err := s.input()
	if err != nil {
		return env{}, err
	}
	python := s.e.o.Python
	if py := s.c.Exec.Python; len(py.Packages)+len(py.LocalPackages) > 0 {
		if python, err = s.venv(ctx, pyrun.PipOptions(py), slices.Concat(py.Packages, py.LocalPackages)); err != nil {
			return env{}, err
		}
	}
	// In a file, since a source with its files may be larger than an argument.
	options, err := json.Marshal(pyrun.Args(s.c, "@"+file, false))
	if err != nil {
		return env{}, err
	}
	args := filepath.Join(s.dir, "python.json")
	if err := writeFile(args, options); err != nil {
		return env{}, err
	}
	if err := s.command(ctx, python, append(pyrun.Command()[1:], "--options", args)...); err != nil {
		return env{}, err
	}
	return s.output(nil)
}

// python is this machine's Python: its installer for Windows has no python3.
func python() string {
	if runtime.GOOS == "windows" {
		return "python"
	}
	return "python3"
}

// venv returns the Python of a virtual environment in which pip installed
// packages. It is made once for each list of them, options and version of
// Python, and then kept.
func (s *step) venv(ctx context.Context, options, packages []string) (string, error) {
	version, err := child.Output(child.Command(ctx, s.e.o.Python, "--version"))
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", s.e.o.Python, err)
	}
	key := sha256.Sum256([]byte(string(version) + strings.Join(slices.Concat(options, packages), "\n")))
	dir := filepath.Join(s.e.o.Home, "venvs", fmt.Sprintf("%x", key[:12]))
	python := filepath.Join(dir, "bin", "python3")
	if runtime.GOOS == "windows" {
		python = filepath.Join(dir, "Scripts", "python.exe")
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return "", err
	}
	unlock, err := lockedfile.MutexAt(dir + ".lock").Lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(filepath.Join(dir, "complete")); err == nil {
		return python, nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	named := graph.WithoutCredentials(strings.Join(packages, " ")) // without the options: an index may be written with a password
	s.e.update(s.rec, func(rec *run.Task) { rec.Reason = "pip installs " + named })
	defer s.e.update(s.rec, func(rec *run.Task) { rec.Reason = "" })
	if err := s.process(ctx, s.e.o.Python, "-m", "venv", dir); err != nil {
		return "", fmt.Errorf("a virtual environment: %w", err)
	}
	if pyrun.NeedFile(packages) {
		file := filepath.Join(dir, "requirements.txt")
		if err := writeFile(file, []byte(strings.Join(packages, "\n")+"\n")); err != nil {
			return "", err
		}
		packages = []string{"-r", file}
	}
	args := slices.Concat([]string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check"}, options, packages)
	if err := s.process(ctx, python, args...); err != nil {
		return "", fmt.Errorf("pip install %s: %w", named, err)
	}
	return python, os.WriteFile(filepath.Join(dir, "complete"), nil, 0o600)
}
