// Package child runs other programs so that they end, with all that they started,
// when the context does, when they have ended themselves, and when this process is killed.
package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// Grace is how long a program has to end after SIGTERM, before it is killed.
const Grace = 10 * time.Second

// leftover is how long what a program has left behind has. A container kills it at once.
const leftover = 2 * time.Second

// Command returns a command in a process group of its own, which gets SIGTERM when the
// context ends. Where the terminal is to be read, it is the wrong one: only the
// group in front may do that.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = Grace
	return cmd
}

// Run runs a command to its end, and ends what it has left running in its process
// group: that gets SIGTERM and, if it doesn't end by that, SIGKILL. What has left the
// group, as a daemon does with setsid, is on its own.
func Run(cmd *exec.Cmd) error {
	// The system sends the signal for the death of the parent when the thread that
	// started the child ends, so that thread is kept.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	group := cmd.SysProcAttr != nil && cmd.SysProcAttr.Setpgid
	if group {
		if err := guards.ready(); err != nil {
			return fmt.Errorf("%s isn't started: %w", cmd.Path, err)
		}
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if group {
		guards.send("run", cmd.Process.Pid)
		defer guards.send("end", cmd.Process.Pid)
	}
	ended := group && exited(cmd.Process.Pid)
	if ended {
		end(cmd.Process.Pid) // before Wait, which waits for all that hold the output
	}
	err := cmd.Wait()
	switch {
	case !group:
	case errors.Is(err, exec.ErrWaitDelay) || cmd.ProcessState != nil && killed(cmd.ProcessState.Sys()):
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // its grace is over
	case !ended:
		end(cmd.Process.Pid)
	}
	return err
}

func killed(sys any) bool {
	s, ok := sys.(syscall.WaitStatus)
	return ok && s.Signaled() && s.Signal() == syscall.SIGKILL
}

// Output runs a command and returns its standard output. The error of one that failed
// has the standard error, as that of [exec.Cmd.Output].
func Output(cmd *exec.Cmd) ([]byte, error) {
	var out, said bytes.Buffer
	cmd.Stdout = &out
	if cmd.Stderr == nil {
		cmd.Stderr = &said
	}
	err := Run(cmd)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		exit.Stderr = said.Bytes()
	}
	return out.Bytes(), err
}

// CombinedOutput runs a command and returns what it wrote.
func CombinedOutput(cmd *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := Run(cmd)
	return out.Bytes(), err
}

// end ends a process group.
func end(group int) {
	if !lives(group) {
		return
	}
	syscall.Kill(-group, syscall.SIGTERM)
	for over := time.Now().Add(leftover); lives(group); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(over) {
			syscall.Kill(-group, syscall.SIGKILL)
			return
		}
	}
}
