package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/term"

	_ "embed"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/internal/build/discover"
	"github.com/kfpgo/kfpgo/internal/host/child"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/local/replay"
)

// attached is a step that runs before the user's eyes: its output is shown as it
// comes, or it has the terminal.
type attached struct {
	f     *replayFlags
	w     io.Writer // messages
	out   io.Writer
	step  *replay.Step
	built *discover.Program
	dirs  []string // to remove
	taken bool     // the terminal, by the step
	flush func() error
}

// log returns where what the step writes is shown.
func (a *attached) log() io.Writer {
	var w io.Writer
	w, a.flush = cli.Logs(a.w)
	return w
}

// hook returns what to do with the step's command.
func (a *attached) hook(ctx context.Context, o *engine.Options) (func(*exec.Cmd) error, error) {
	x := a.step.Component.Exec
	switch {
	case a.f.debug && x.Python != nil:
		return a.debugpy(ctx)
	case a.f.debug && (x.Go != nil || o.Program != "" && x.OnLocal && x.Container == nil):
		return a.delve(ctx, o)
	case a.f.debug:
		return nil, fmt.Errorf("%s is a container: kfpgo has no debugger for containers; --shell starts a shell in it", a.step.Task.Name)
	case a.f.shell && o.Shell:
		fmt.Fprintln(a.w, `a shell in the step's container; eval "$KFPGO_COMMAND" runs the step, exit ends it`)
		return a.interactive, nil
	case a.f.shell:
		fmt.Fprintln(a.w, `a shell with the step's environment; eval "$KFPGO_COMMAND" runs the step, exit ends it`)
		return func(cmd *exec.Cmd) error {
			cmd.Env = append(cmd.Env, "KFPGO_COMMAND="+engine.Quoted(cmd.Args))
			if err := replace(cmd, cmp.Or(os.Getenv("SHELL"), "sh")); err != nil {
				return err
			}
			return a.interactive(cmd)
		}, nil
	}
	return func(cmd *exec.Cmd) error { // in the log, which errors are taken from, and on the screen
		cmd.Stdout = io.MultiWriter(cmd.Stdout, a.log())
		cmd.Stderr = cmd.Stdout
		return nil
	}, nil
}

// interactive gives a command this terminal, if there is one: ctrl-C is then for it.
func (a *attached) interactive(cmd *exec.Cmd) error {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if term.IsTerminal(int(os.Stdin.Fd())) {
		a.taken = true
		foreground(cmd)
	}
	return nil
}

// close takes the terminal back, and removes the debugger's files.
func (a *attached) close() {
	if a.taken {
		retake()
		a.taken = false
	}
	if a.flush != nil {
		a.flush()
	}
	for _, dir := range a.dirs {
		os.RemoveAll(dir)
	}
	a.dirs = nil
}

// delve runs a Go step in Delve, on a program that was built for that.
func (a *attached) delve(ctx context.Context, o *engine.Options) (func(*exec.Cmd) error, error) {
	if a.built == nil {
		return nil, errors.New("--debug needs the package of the step as PIPELINE")
	}
	dlv, err := exec.LookPath("dlv")
	if err != nil {
		out, _ := child.Output(child.Command(ctx, "go", "env", "GOPATH"))
		dlv = filepath.Join(strings.TrimSpace(string(out)), "bin", "dlv")
		if _, err := os.Stat(dlv); err != nil {
			return nil, errors.New("--debug runs Go steps in Delve, and there is no dlv in PATH; install it with: go install github.com/go-delve/delve/cmd/dlv@latest")
		}
	}
	fmt.Fprintln(a.w, "the program is built for the debugger")
	file, err := a.built.Debug(ctx)
	if err != nil {
		return nil, err
	}
	a.dirs = append(a.dirs, filepath.Dir(file))
	o.Program = file
	args := []string{"exec", "--check-go-version=false"}
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		args = append(args, "--allow-non-terminal-interactive=true") // commands from a file, say
	}
	if a.f.listen != "" {
		args = append(args, "--headless", "--api-version=2", "--accept-multiclient=false", "--listen="+a.f.listen)
		fmt.Fprintf(a.w, "Delve waits for an editor, or for dlv connect %s\n", a.f.listen)
	} else if at := replay.Break(a.built.Package.ImportPath, a.step.Component.Pos); at != "" {
		start := filepath.Join(filepath.Dir(file), "start")
		if err := os.WriteFile(start, []byte("break "+at+"\ncontinue\n"), 0o644); err != nil {
			return nil, err
		}
		args = append(args, "--init="+start)
	} else {
		fmt.Fprintf(a.w, "note: where the function of %s is wasn't found; set a breakpoint and continue\n", a.step.Component.Name)
	}
	return func(cmd *exec.Cmd) error {
		if err := replace(cmd, dlv, slices.Concat(args, []string{file, "--"}, cmd.Args[1:])...); err != nil {
			return err
		}
		return a.interactive(cmd)
	}, nil
}

// debugpy lets a Python step wait for an editor.
func (a *attached) debugpy(ctx context.Context) (func(*exec.Cmd) error, error) {
	out, err := child.Output(child.Command(ctx, "python3", "-c", "import debugpy, os; print(os.path.dirname(os.path.dirname(debugpy.__file__)))"))
	if err != nil {
		return nil, errors.New("--debug runs Python steps with debugpy, which python3 doesn't have; install it with: python3 -m pip install debugpy")
	}
	listen := cmp.Or(a.f.listen, defaultListen)
	host, port, ok := strings.Cut(listen, ":")
	if !ok {
		return nil, fmt.Errorf("--listen %s is not HOST:PORT", listen)
	}
	return func(cmd *exec.Cmd) error {
		// python3 -c RUNTIME --options FILE
		if len(cmd.Args) < 4 {
			return fmt.Errorf("unexpected command of a Python step: %q", cmd.Args)
		}
		dir := filepath.Dir(cmd.Args[len(cmd.Args)-1])
		py := a.step.Component.Exec.Python
		source, start, runtime := filepath.Join(dir, py.Function+".py"), filepath.Join(dir, "debug.py"), filepath.Join(dir, "runtime.py")
		for file, text := range map[string]string{source: py.Source, start: debugpyStart, runtime: cmd.Args[2]} {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				return err
			}
		}
		fmt.Fprintf(a.w, "the step waits for an editor at %s; its source is %s\n", listen, source)
		fmt.Fprintf(a.w, "in VS Code: {\"type\": \"debugpy\", \"request\": \"attach\", \"connect\": {\"host\": %q, \"port\": %s}}\n", host, port)
		cmd.Env = append(cmd.Env, "PYTHONPATH="+strings.TrimSuffix(os.Getenv("PYTHONPATH")+":"+strings.TrimSpace(string(out)), ":"), "PYDEVD_DISABLE_FILE_VALIDATION=1")
		cmd.Args = append([]string{cmd.Args[0], start, host, port, "<" + py.Function + ".py>", source, runtime}, cmd.Args[3:]...)
		cmd.Stdout = io.MultiWriter(cmd.Stdout, a.log())
		cmd.Stderr = cmd.Stdout
		return nil
	}, nil
}

//go:embed debugpy.py
var debugpyStart string

const defaultListen = "127.0.0.1:5678"

// replace makes a command another one, in the same environment.
func replace(cmd *exec.Cmd, name string, args ...string) error {
	path, err := exec.LookPath(name)
	if err != nil {
		return err
	}
	cmd.Path, cmd.Args, cmd.Err = path, append([]string{name}, args...), nil
	return nil
}
