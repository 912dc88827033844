//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// A pty is a terminal with a command on it.
type pty struct {
	master *os.File
	cmd    *exec.Cmd
	mu     sync.Mutex
	out    bytes.Buffer
	done   chan struct{}
}

// onTerminal starts a command on a terminal of its own.
func onTerminal(t *testing.T, width, height int, cmd *exec.Cmd) *pty {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	ioctl := func(req uintptr, arg unsafe.Pointer) {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), req, uintptr(arg)); e != 0 {
			t.Fatalf("ioctl %#x: %v", req, e)
		}
	}
	var n, unlocked int32
	ioctl(syscall.TIOCSPTLCK, unsafe.Pointer(&unlocked))
	ioctl(syscall.TIOCGPTN, unsafe.Pointer(&n))
	size := [4]uint16{uint16(height), uint16(width)}
	ioctl(syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	p := &pty{master: master, cmd: cmd, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		b := make([]byte, 4096)
		for {
			n, err := master.Read(b)
			p.mu.Lock()
			p.out.Write(b[:n])
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return p
}

func (p *pty) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

// until waits until a text was written.
func (p *pty) until(t *testing.T, text string) {
	t.Helper()
	for range 1200 {
		if strings.Contains(p.text(), text) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%q was never written:\n%q", text, p.text())
}

const slowly = `package slowly

import (
	"context"
	"fmt"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

var Step = dsl.Func("step", func(ctx context.Context, _ struct{}, _ *struct{}) error {
	for i := range 3 {
		fmt.Println("\x1b[2Jline", i)
		time.Sleep(800*time.Millisecond)
	}
	return nil
})

var Pipeline = dsl.Pipeline("slowly", func(s *dsl.Scope, in struct{}) struct{} { Step.Call(s, in); return in })

var Sleep = dsl.Func("sleep", func(ctx context.Context, _ struct{}, _ *struct{}) error { <-ctx.Done(); return ctx.Err() })

var Endless = dsl.Pipeline("endless", func(s *dsl.Scope, in struct{}) struct{} { Sleep.Call(s, in); return in })
`

// terminalRun runs a pipeline on a terminal.
func terminalRun(t *testing.T, pipeline string, env ...string) *pty {
	t.Helper()
	dir := t.TempDir()
	vars := goEnv(t)
	if err := module(dir, vars["REPO"]); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "slowly"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "slowly", "slowly.go"), []byte(slowly), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("kfpgo", "run", pipeline)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "KFPGO_HOME="+filepath.Join(dir, "home"), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "TERM=xterm", "LC_ALL=C.UTF-8")
	if err := shareGraphviz(filepath.Join(dir, "cache", "kfpgo")); err != nil {
		t.Fatal(err)
	}
	for k, v := range vars {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	cmd.Env = append(cmd.Env, env...)
	return onTerminal(t, 80, 24, cmd)
}

// TestOnTerminal: a run on a terminal, with and without colours, and on a dumb one.
func TestOnTerminal(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ env, want, not string }{
		{"X=1", "\x1b[34m●\x1b[0m step", "step: started"},
		{"NO_COLOR=1", "● step", "\x1b[34m"},
		{"TERM=dumb", "step: started\r\nstep: line 0\r\nstep: line 1\r\nstep: line 2\r\nstep: succeeded in", "\x1b"},
	} {
		t.Run(tt.env, func(t *testing.T) {
			t.Parallel()
			p := terminalRun(t, "./slowly", tt.env)
			err := p.cmd.Wait()
			<-p.done
			out := p.text()
			if err != nil || !strings.Contains(out, tt.want) || strings.Contains(out, tt.not) || strings.Contains(out, "\x1b[2J") {
				t.Errorf("%v\n%q\nlacks %q or has %q", err, out, tt.want, tt.not)
			}
			if tt.env != "TERM=dumb" && (!strings.Contains(out, "line 1") || strings.LastIndex(out, "\x1b[?25h") < strings.LastIndex(out, "\x1b[?25l")) {
				t.Errorf("no line of the log, or the cursor stayed hidden: %q", out)
			}
		})
	}
}

// TestTerminalInterrupted: ctrl-C, typed on the terminal, ends the run and gives the cursor back.
func TestTerminalInterrupted(t *testing.T) {
	t.Parallel()
	p := terminalRun(t, "./slowly#Endless")
	p.until(t, "\x1b[34m●\x1b[0m sleep")
	p.master.Write([]byte{3})
	err := p.cmd.Wait()
	<-p.done
	if out := p.text(); err == nil || p.cmd.ProcessState.ExitCode() != 130 || !strings.Contains(out, "kfpgo: interrupted") || strings.LastIndex(out, "\x1b[?25h") < strings.LastIndex(out, "\x1b[?25l") {
		t.Errorf("%v\n%q", err, out)
	}
}
