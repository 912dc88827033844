package engine

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/kfpgo/kfpgo/internal/pyrun"
	"github.com/kfpgo/kfpgo/internal/run"
)

// goStep runs a Go function of the program.
func (s *step) goStep(ctx context.Context, name string) (env, error) {
	input, file, err := s.input()
	if err != nil {
		return env{}, err
	}
	if s.e.o.Program == "" {
		vars, err := s.variables()
		if err != nil {
			return env{}, err
		}
		var b json.RawMessage
		if err := withVariables(vars, func() error {
			b, err = s.e.o.InProcess(ctx, name, input)
			return err
		}); err != nil {
			fmt.Fprintf(s.log, "%s: %v\n", name, err)
			return env{}, err
		}
		return s.output(b)
	}
	if err := s.process(ctx, s.e.o.Program, "kfpgo:exec", name, "@"+file); err != nil {
		return env{}, err
	}
	return s.output(nil)
}

// pythonStep runs a Python function with this machine's Python.
func (s *step) pythonStep(ctx context.Context) (env, error) {
	_, file, err := s.input()
	if err != nil {
		return env{}, err
	}
	python := s.e.o.Python
	if py := s.c.Exec.Python; len(py.Packages)+len(py.LocalPackages) > 0 {
		if python, err = s.venv(ctx, append(pyrun.Pip(py), py.LocalPackages...)); err != nil {
			return env{}, err
		}
	}
	argv := append(pyrun.Command()[1:], pyrun.Args(s.c, "@"+file, false)...)
	if err := s.process(ctx, python, argv...); err != nil {
		return env{}, err
	}
	return s.output(nil)
}

// venv returns the Python of a virtual environment in which pip installed what
// its arguments say. It is made once for each of them and version of Python, and then kept.
func (s *step) venv(ctx context.Context, packages []string) (string, error) {
	version, err := exec.CommandContext(ctx, s.e.o.Python, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", s.e.o.Python, err)
	}
	key := sha256.Sum256([]byte(string(version) + strings.Join(packages, "\n")))
	dir := filepath.Join(s.e.o.Home, "venvs", fmt.Sprintf("%x", key[:12]))
	python := filepath.Join(dir, "bin", "python3")
	unlock, err := lock(dir + ".lock")
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
	py := s.c.Exec.Python // its packages alone: an index may be written with a password
	s.e.update(s.rec, func(rec *run.Task) {
		rec.Reason = "pip installs " + strings.Join(slices.Concat(py.Packages, py.LocalPackages), " ")
	})
	defer s.e.update(s.rec, func(rec *run.Task) { rec.Reason = "" })
	if err := s.process(ctx, s.e.o.Python, "-m", "venv", dir); err != nil {
		return "", fmt.Errorf("a virtual environment: %w", err)
	}
	args := append([]string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check"}, packages...)
	if err := s.process(ctx, python, args...); err != nil {
		return "", fmt.Errorf("pip install %s: %w", strings.Join(packages, " "), err)
	}
	return python, os.WriteFile(filepath.Join(dir, "complete"), nil, 0o644)
}

// lock waits for a lock file that processes share.
func lock(file string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return func() { f.Close() }, nil
}

// process runs a command with the step's environment, its output in the log.
// When the context ends, it and what it started get SIGTERM, and 10 s to end.
func (s *step) process(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	vars, err := s.variables()
	if err != nil {
		return err
	}
	cmd.Env = append(append(os.Environ(), "PYTHONUNBUFFERED=1"), vars...)
	cmd.Stdout, cmd.Stderr = s.log, s.log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	if ctx.Err() != nil && cmd.Process != nil {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it started and left behind
	}
	var exit *exec.ExitError
	if err == nil || !errors.As(err, &exit) {
		return err
	}
	switch said, ours := message(tail(s.log.Name()), titled(s.c)); {
	case ours:
		return errors.New(said)
	case said != "":
		return fmt.Errorf("%s (%v)", said, exit)
	}
	return exit
}

// tail returns the end of a log.
func tail(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > 4096 {
		f.Seek(-4096, io.SeekEnd)
	}
	b, _ := io.ReadAll(f)
	return string(b)
}
