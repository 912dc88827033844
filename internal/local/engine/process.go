package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"

	"github.com/kfpgo/kfpgo/internal/host/child"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/run"
	stack "github.com/kfpgo/kfpgo/internal/model/source"
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
			b, err = s.inProcess(ctx, name, input)
			return err
		}); err != nil {
			var panicked interface{ Stack() []byte }
			if errors.As(err, &panicked) {
				s.log.Write(panicked.Stack())
			}
			fmt.Fprintf(s.log, "%s: %v\n", name, err) // all of it
			return env{}, err
		}
		return s.output(b)
	}
	if err := s.command(ctx, s.e.o.Program, contract.Exec, name, "@"+file); err != nil {
		return env{}, err
	}
	return s.output(nil)
}

// inProcess runs a Go function of this process, in a goroutine of its own: what ends
// that, as FailNow of a test does, is an error of the step and no end of the run.
func (s *step) inProcess(ctx context.Context, name string, input json.RawMessage) (b json.RawMessage, err error) {
	err = errors.New("it ended its goroutine, as runtime.Goexit does, and FailNow and Fatal of a test; return an error from it")
	done := make(chan struct{})
	go func() {
		defer close(done)
		b, err = s.e.o.InProcess(ctx, name, input)
	}()
	<-done
	return b, err
}

// command runs what the step is, and takes note of how it ended.
func (s *step) command(ctx context.Context, name string, args ...string) error {
	return s.measured(ctx, nil, name, args...)
}

// measured is command for a program that has the step run elsewhere, as podman does: root
// finds the step's process.
func (s *step) measured(ctx context.Context, root func(context.Context) int, name string, args ...string) error {
	cmd := child.Command(ctx, name, args...)
	stop := func() {}
	err := s.start(cmd, s.e.o.Attach, func() {
		if root == nil {
			root = func(context.Context) int { return cmd.Process.Pid }
		}
		stop = s.measure(ctx, root)
	})
	stop()
	code := ""
	if p := cmd.ProcessState; p != nil && p.ExitCode() > 0 {
		code = strconv.Itoa(p.ExitCode())
	}
	s.e.update(s.rec, func(rec *run.Task) { rec.ExitCode = code })
	return err
}

// process runs a command on behalf of the step.
func (s *step) process(ctx context.Context, name string, args ...string) error {
	return s.start(child.Command(ctx, name, args...), nil, func() {})
}

// start runs a command with the step's environment, its output in the log.
// When its context ends, it and what it started get SIGTERM, and 10 s to end. What it
// has left running when it ends is ended too, as in a container.
func (s *step) start(cmd *exec.Cmd, attach func(*exec.Cmd) error, started func()) error {
	vars, err := s.variables()
	if err != nil {
		return err
	}
	cmd.Env = append(append(os.Environ(), "PYTHONUNBUFFERED=1"), vars...)
	cmd.Stdout, cmd.Stderr = s.log, s.log
	if attach != nil {
		if err := attach(cmd); err != nil {
			return err
		}
	}
	err = child.RunSeen(cmd, started)
	var exit *exec.ExitError
	if err == nil || !errors.As(err, &exit) {
		return err
	}
	said := run.Tail(s.log.Name(), tailed)
	if exit.ExitCode() == 2 && (s.c.Exec.Go != nil || s.c.Exec.OnLocal) { // as Go's runtime ends
		if what, at, ok := stack.Crash(said); ok && at.File == "" {
			return fmt.Errorf("%s (%v)", what, exit)
		} else if ok {
			return fmt.Errorf("%s at %s (%v)", what, at, exit)
		}
	}
	said = said[max(0, len(said)-maxMessage):]
	switch said, ours := message(said, s.c.Titled()); {
	case ours:
		return errors.New(said)
	case said != "":
		return fmt.Errorf("%s (%v)", said, exit)
	}
	return exit
}

// tailed is how much of the end of a log is looked at for why a step failed: what
// Go's runtime writes of a panic may have many lines.
const tailed = 64 << 10
