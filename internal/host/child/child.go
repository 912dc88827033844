// Package child runs other programs so that they end, with all that they started,
// when the context does, when they have ended themselves, and when this process is killed.
package child

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"time"
)

// Grace is how long a program has to end after SIGTERM, or ctrl-break on Windows, before it
// is killed.
const Grace = 10 * time.Second

// Command returns a command in a process group of its own, which gets SIGTERM when the
// context ends. Where the terminal is to be read, it is the wrong one: only the
// group in front may do that.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	group(cmd)
	cmd.WaitDelay = Grace
	return cmd
}

// Run runs a command to its end, and ends what it has left running in its process
// group: that gets SIGTERM and, if it doesn't end by that, SIGKILL; on Windows it is
// ended at once. What has left the group, as a daemon does with setsid, is on its own.
func Run(cmd *exec.Cmd) error { return run(cmd, func() {}) }

// RunSeen is [Run] with a function that is called when the command has started, to look at its
// process meanwhile.
func RunSeen(cmd *exec.Cmd, started func()) error { return run(cmd, started) }

// Detach lets a command continue when this process ends, and keeps ctrl-C from it.
func Detach(cmd *exec.Cmd) { detach(cmd) }

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
