package kfp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A command is kfpgo with a configuration of its own.
type command struct {
	t   *testing.T
	env []string
	dir string
}

func newCommand(t *testing.T) *command {
	t.Helper()
	if os.Getenv("KFPGO") == "" {
		t.Fatal("KFPGO must name the built command; make e2e-kfp does that")
	}
	dir := t.TempDir()
	return &command{t: t, dir: dir, env: append(os.Environ(), "KFPGO_CONFIG="+filepath.Join(dir, "config.yaml"), "KF_PIPELINES_ENDPOINT="+server())}
}

// run runs a verb, which must work, and returns its output.
func (c *command) run(verb string, args ...string) string {
	c.t.Helper()
	out, said, code := c.try(verb, args...)
	if code != 0 {
		c.t.Fatalf("kfpgo %s %q: exit code %d\n%s", verb, args, code, said)
	}
	return strings.TrimSpace(out)
}

// fail runs a verb, which must fail with a message.
func (c *command) fail(want, verb string, args ...string) {
	c.t.Helper()
	if out, said, code := c.try(verb, args...); code != 1 || !strings.Contains(said, want) {
		c.t.Errorf("kfpgo %s %q: exit code %d\n%s%s", verb, args, code, out, said)
	}
}

func (c *command) try(verb string, args ...string) (out, said string, code int) {
	ctx, stop := context.WithTimeout(c.t.Context(), patience)
	defer stop()
	cmd := exec.CommandContext(ctx, os.Getenv("KFPGO"), append(strings.Fields(verb), args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = c.env, c.dir, &stdout, &stderr
	cmd.Run()
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

func (c *command) has(text, want string) {
	c.t.Helper()
	if !strings.Contains(text, want) {
		c.t.Errorf("no %q in\n%s", want, text)
	}
}

// pipeline writes the compiled pipeline hello, and returns the file.
func (c *command) pipeline() string {
	f := filepath.Join(c.dir, "hello.yaml")
	no(c.t, os.WriteFile(f, compile(c.t, hello), 0o644))
	return f
}

func TestCommandPipelines(t *testing.T) {
	c, name := newCommand(t), unique(t)
	f := c.pipeline()
	c.run("compile", f, "-o", "again.yaml")
	id := c.run("pipelines create", f, "--name", name)
	if again := c.run("pipeline upload", f, "--name", name); again != id {
		t.Errorf("the same again is %s, not %s", again, id)
	}
	c.run("pipelines create-version", f, "--name", name, "--version", "two")
	c.has(c.run("pipelines list", "--all"), name)
	c.has(c.run("pipelines list-versions", name), "two")
	c.has(c.run("pipelines get", name, "--format", "json"), `"name": "`+name+`"`)
	c.has(c.run("pipelines get-version", name, "two", "--format", "yaml"), "pipelineInfo:")
	c.run("pipelines delete-version", name, "two", "--yes")
	c.fail("there is no version two", "pipelines get-version", name, "two")
	c.run("pipelines delete", name, "--yes")
	c.fail("there is no pipeline "+name, "pipelines get", name)
}

func TestCommandExperiments(t *testing.T) {
	c, name := newCommand(t), unique(t)
	id := c.run("experiments create", name, "--description", "of a test")
	if again := c.run("experiment create", name); again != id {
		t.Errorf("the same again is %s, not %s", again, id)
	}
	c.has(c.run("experiments list"), name)
	c.has(c.run("experiments get", name), id)
	c.run("experiments archive", name)
	c.has(c.run("experiments list", "--archived"), name)
	c.run("experiments unarchive", name)
	c.run("experiments delete", name, "--yes")
	c.fail("not found", "experiments get", id)
}

func TestCommandRuns(t *testing.T) {
	c, name := newCommand(t), unique(t)
	f := c.pipeline()
	c.run("context set", "here", "--endpoint", server())
	c.has(c.run("context test"), "access      ok")
	c.run("pipelines upload", f, "--name", name)
	kept := c.run("runs create", "--pipeline", name, "-p", "name=Ada", "--experiment", name)
	id := c.run("run", f, "--on", "kfp", "-p", "n=3", "--experiment", name, "--run-name", name)
	var r struct {
		Name, State string
		Args        map[string]any
	}
	no(t, json.Unmarshal([]byte(c.run("runs get", id, "--format", "json")), &r))
	if r.Name != name || r.Args["n"] != 3.0 {
		t.Errorf("%+v", r)
	}
	list := c.run("runs list", "--experiment", name, "--sort-by", "name desc")
	c.has(list, id)
	c.has(list, kept)
	c.fail("is not an integer", "run", f, "--on", "kfp", "-p", "n=x")
	c.run("runs terminate", id, kept)
	c.fail("did not succeed", "runs wait", id)
	c.run("runs retry", id)
	c.run("runs terminate", id)
	c.fail("did not succeed", "runs wait", kept)
	c.run("runs archive", kept)
	c.has(c.run("runs list", "--archived"), kept)
	c.run("runs unarchive", kept)
	c.run("runs delete", kept, "--yes")
	c.fail("not found", "runs get", kept)
	c.run("pipelines delete", name, "--yes")
}

// TestCommandInterrupted: ctrl-C leaves the run alone, and says how to return to it.
func TestCommandInterrupted(t *testing.T) {
	c := newCommand(t)
	cmd := exec.Command(os.Getenv("KFPGO"), "run", c.pipeline(), "--on", "kfp", "--wait")
	cmd.Env = c.env
	stderr, err := cmd.StderrPipe()
	no(t, err)
	no(t, cmd.Start())
	var said strings.Builder
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		fmt.Fprintln(&said, lines.Text())
		if strings.HasSuffix(lines.Text(), " was started") {
			no(t, cmd.Process.Signal(syscall.SIGINT))
		}
	}
	cmd.Wait()
	_, rest, ok := strings.Cut(said.String(), "kfpgo runs wait ")
	if cmd.ProcessState.ExitCode() != 130 || !ok {
		t.Fatalf("exit code %d\n%s", cmd.ProcessState.ExitCode(), said.String())
	}
	if got := c.run("runs get", strings.Fields(rest)[0]); !strings.Contains(got, "RUNNING") && !strings.Contains(got, "PENDING") {
		t.Errorf("the run is\n%s", got)
	}
}

func TestCommandRecurringRuns(t *testing.T) {
	c, name := newCommand(t), unique(t)
	c.run("pipelines upload", c.pipeline(), "--name", name)
	id := c.run("recurring-runs create", name, "--pipeline", name, "--cron", "0 0 3 * * *", "-p", "name=Cy", "--disabled")
	c.has(c.run("recurring-runs get", name), "disabled")
	c.run("recurring-run enable", name)
	c.has(c.run("recurring-runs list", "--name", name), "enabled")
	c.run("recurring-runs disable", id)
	c.run("recurring-runs delete", name, "--yes")
	c.fail("not found", "recurring-runs get", id)
	c.fail("KFP takes 1 to 10", "recurring-runs create", name, "--pipeline", name, "--interval", "1h", "--max-concurrency", "11")
}

func TestCommandContext(t *testing.T) {
	c := newCommand(t)
	c.run("context set", "team", "--endpoint", server(), "--namespace", "team")
	c.has(c.run("context list"), "team")
	c.run("context set", "other", "--endpoint", server())
	c.run("context use", "other")
	c.run("context delete", "team")
	if st, err := os.Stat(filepath.Join(c.dir, "config.yaml")); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", st, err)
	}
}

// TestCommandLocal is what asks no KFP server.
func TestCommandLocal(t *testing.T) {
	c := newCommand(t)
	no(t, os.WriteFile(filepath.Join(c.dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"), 0o644))
	_, said, code := c.try("build", ".")
	if code != 2 || !strings.Contains(said, "the image goes nowhere") {
		t.Errorf("exit code %d: %s", code, said)
	}
	out, said, _ := c.try("doctor", "--format", "json")
	if !strings.Contains(out, server()) {
		t.Errorf("doctor doesn't name the server\n%s%s", out, said)
	}
}
