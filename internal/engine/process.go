package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

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
	if err := s.command(ctx, s.e.o.Program, "kfpgo:exec", name, "@"+file); err != nil {
		return env{}, err
	}
	return s.output(nil)
}

// command runs what the step is, and takes note of how it ended.
func (s *step) command(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	err := s.start(ctx, cmd, s.e.o.Attach)
	code := ""
	if p := cmd.ProcessState; p != nil && p.ExitCode() > 0 {
		code = strconv.Itoa(p.ExitCode())
	}
	s.e.update(s.rec, func(rec *run.Task) { rec.ExitCode = code })
	return err
}

// process runs a command on behalf of the step.
func (s *step) process(ctx context.Context, name string, args ...string) error {
	return s.start(ctx, exec.CommandContext(ctx, name, args...), nil)
}

// start runs a command with the step's environment, its output in the log.
// When the context ends, it and what it started get SIGTERM, and 10 s to end.
func (s *step) start(ctx context.Context, cmd *exec.Cmd, attach func(*exec.Cmd) error) error {
	vars, err := s.variables()
	if err != nil {
		return err
	}
	cmd.Env = append(append(os.Environ(), "PYTHONUNBUFFERED=1"), vars...)
	cmd.Stdout, cmd.Stderr = s.log, s.log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	if attach != nil {
		if err := attach(cmd); err != nil {
			return err
		}
	}
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
