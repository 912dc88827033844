package child_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/kfpgo/kfpgo/internal/host/child"
)

// pipe is what children inherit: a read of it ends when none of them holds the other end,
// so that all are gone.
func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r, w
}

// TestLeft: what a program has left running ends with it, also what ignores SIGTERM,
// and what it has put into a session of its own stays.
func TestLeft(t *testing.T) {
	for name, script := range map[string]string{
		"a child":                 "sleep 1000 & echo $!",
		"one that ignores it":     "(trap '' TERM; sleep 1000 & echo $!; wait) & sleep 0.2",
		"after a failure":         "sleep 1000 & echo $!; exit 3",
		"nothing":                 "echo 0",
		"one that ends by itself": "sleep 0.01 & echo $!",
	} {
		t.Run(name, func(t *testing.T) {
			r, w := pipe(t)
			cmd := child.Command(t.Context(), "sh", "-c", script)
			cmd.Stdout = w
			err := child.Run(cmd)
			w.Close()
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) != (name == "after a failure") {
				t.Error(err)
			}
			// The read ends when nobody holds the other end: all are gone.
			lines := bufio.NewScanner(r)
			for lines.Scan() {
				if n, err := strconv.Atoi(lines.Text()); err != nil {
					t.Errorf("%d, %v", n, err)
				}
			}
		})
	}
}

// TestCancel: the whole group ends with the context.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, w := pipe(t)
	cmd := child.Command(ctx, "sh", "-c", "sleep 1000 & echo started; wait")
	cmd.Stdout = w
	done := make(chan error, 1)
	go func() { done <- child.Run(cmd); w.Close() }()
	lines := bufio.NewScanner(r)
	lines.Scan()
	cancel()
	for lines.Scan() {
	}
	if err := <-done; err == nil {
		t.Error("it ended well")
	}
}

// TestKilled: a process that is killed takes with it what it runs, and what that runs, whatever
// those make of SIGTERM. So does one whose go command is killed, as a test's.
func TestKilled(t *testing.T) {
	if script := os.Getenv("CHILD_TEST"); script != "" {
		for range 3 { // those that have ended are no more of the shell's business
			child.Run(child.Command(context.Background(), "true"))
		}
		cmd := child.Command(context.Background(), "sh", "-c", script)
		cmd.Stdout = os.Stdout
		if err := child.Run(cmd); os.Getenv("CHILD_TEST_GO") != "" {
			if again := child.Run(child.Command(context.Background(), "true")); err == nil || again == nil {
				os.Stdout.WriteString("something is started after the go command's end\n")
			}
		}
		return
	}
	for name, script := range map[string]string{
		"a child":             "echo started; exec sleep 1000",
		"a child's child":     "sleep 1000 & sleep 1000 & echo started; wait",
		"one that ignores it": "trap '' TERM; sleep 1000 & echo started; wait; sleep 1000",
	} {
		for _, of := range []string{"itself", "go"} {
			t.Run(name+", "+of, func(t *testing.T) {
				t.Parallel()
				if _, err := os.Stat("/proc/self/comm"); err != nil && of == "go" {
					return // only Linux says which process is the go command
				}
				args := []string{os.Args[0], "-test.run=^TestKilled$"}
				if of == "go" {
					file := filepath.Join(t.TempDir(), "go") // the name is all that it needs of the go command
					if err := os.WriteFile(file, []byte("#!/bin/sh\n\"$@\"\nexit 1\n"), 0o700); err != nil {
						t.Fatal(err)
					}
					args = append([]string{file}, args...)
				}
				r, w := pipe(t)
				self := exec.Command(args[0], args[1:]...)
				self.Env, self.Stdout = append(os.Environ(), "CHILD_TEST="+script), w
				if of == "go" {
					self.Env = append(self.Env, "CHILD_TEST_GO=1")
				}
				if err := self.Start(); err != nil {
					t.Fatal(err)
				}
				w.Close()
				lines := bufio.NewScanner(r)
				for lines.Scan() && lines.Text() != "started" {
				}
				self.Process.Signal(syscall.SIGKILL)
				self.Wait()
				for lines.Scan() { // until the other end is closed by all
					if strings.HasPrefix(lines.Text(), "something") {
						t.Error(lines.Text())
					}
				}
			})
		}
	}
}

func TestOutput(t *testing.T) {
	out, err := child.Output(child.Command(t.Context(), "sh", "-c", "echo out; echo err >&2; exit 4"))
	exit := (*exec.ExitError)(nil)
	if !errors.As(err, &exit) || string(out) != "out\n" || string(exit.Stderr) != "err\n" {
		t.Errorf("%q, %v", out, err)
	}
	if out, err := child.CombinedOutput(child.Command(t.Context(), "sh", "-c", "echo out; echo err >&2")); err != nil || strings.Count(string(out), "\n") != 2 {
		t.Errorf("%q, %v", out, err)
	}
	// What is left running holds the output, and is not waited for.
	if out, err := child.Output(child.Command(t.Context(), "sh", "-c", "sleep 1000 & echo out")); err != nil || string(out) != "out\n" {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := child.Output(child.Command(t.Context(), "/nonexistent")); err == nil {
		t.Error("it ran")
	}
}
