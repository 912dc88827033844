//go:build unix

package child

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// leftover is how long what a program has left behind has. A container kills it at once.
const leftover = 2 * time.Second

func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

func run(cmd *exec.Cmd, started func()) error {
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
	started()
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
