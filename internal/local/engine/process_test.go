package engine_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// Python steps are processes, so they stand here for all that are.

const stepsPy = `
import os, subprocess, time


def hang(text: str) -> str:
    child = subprocess.Popen(['sleep', '1000000'])
    with open(text, 'w') as f:
        f.write(str(child.pid))
    time.sleep(1000000)


def variables(text: str) -> str:
    return ' '.join(os.environ.get(n, '-') for n in text.split())


def mounted(text: str) -> str:
    import json
    folder = json.loads(os.environ['KFPGO_MOUNTS'])['/data']
    with open(folder + '/f', 'a') as f:
        f.write(text)
    return open(folder + '/f').read()


def fails(text: str) -> str:
    print('on the way')
    raise ValueError(text)


def gpu(text: str) -> str:
    path = text + '/' + os.environ['CUDA_VISIBLE_DEVICES']
    os.mkdir(path)  # fails if another step has the device
    time.sleep(0.2)
    os.rmdir(path)
    return os.environ['CUDA_VISIBLE_DEVICES']
`

func python(function string, opts ...dsl.Option) *dsl.Component[textIn, textOut] {
	return dsl.Python[textIn, textOut](function, dsl.PythonSource{Source: stepsPy, Function: function, Image: "python:3.12"}, opts...)
}

func one(c *dsl.Component[textIn, textOut], opts ...dsl.Option) dsl.Definition {
	return dsl.Pipeline("one", func(s *dsl.Scope, in textIn) textOut { return c.Call(s, in, opts...).Out })
}

// exists returns why a process can't be sent a signal.
func exists(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Signal(syscall.Signal(0))
}

// TestKill ends a step that runs too long, and what it started.
func TestKill(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	r := start(t, t.Context(), one(python("hang"), dsl.Timeout(6*time.Second)), engine.Options{}, `{"text":"`+file+`"}`)
	if r.State != run.Failed || r.Error != "hang: it ran longer than its timeout of 6s" {
		t.Errorf("%s: %s", r.State, r.Error)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(b))
	if err != nil {
		t.Fatal(err)
	}
	for range 50 { // the kernel may take a moment
		stat, err := os.ReadFile("/proc/" + string(b) + "/stat")
		if exists(pid) != nil || err == nil && strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("the step's child %d is still there", pid)
}

// TestEnvironment has variables, in order, of which later ones may use earlier ones as in
// Kubernetes, and one from a secret.
func TestEnvironment(t *testing.T) {
	t.Setenv("TOKEN", "s3cret")
	p := one(python("variables"), dsl.Env("A", "it's $B {{x}}"), dsl.Env("A", "two $$ $(A) "), dsl.Env("B", "$(A)$(C)"), k8s.SecretEnv("TOKEN", "hub", "token"))
	r := start(t, t.Context(), p, engine.Options{}, `{"text":"A B TOKEN"}`)
	if got := string(r.Outputs["text"]); got != `"two $$ $(A)  two $$ $(A) $(C) s3cret"` {
		t.Errorf("%s, %s", got, r.Error)
	}
	missing := one(python("variables"), k8s.SecretEnv("NO_SUCH_TOKEN", "hub", "token"))
	r = start(t, t.Context(), missing, engine.Options{}, `{"text":"A"}`)
	if !strings.Contains(r.Error, "variable NO_SUCH_TOKEN comes from a secret") {
		t.Errorf("%s", r.Error)
	}
}

// TestMounts gives two steps one claim, and one of them a folder below it.
func TestMounts(t *testing.T) {
	step := python("mounted")
	p := dsl.Pipeline("mounts", func(s *dsl.Scope, in textIn) textOut {
		first := step.Call(s, in, k8s.MountPVC("claim", "/data"))
		second := step.Call(s, textIn{dsl.Const("b")}, k8s.MountPVC("claim", "/data"), dsl.After(first))
		return step.Call(s, textIn{dsl.Sprintf("c%v", second.Out.Text)}, k8s.MountPVC("claim", "/data", k8s.SubPath("sub"))).Out
	})
	if r := start(t, t.Context(), p, engine.Options{}, `{"text":"a"}`); string(r.Outputs["text"]) != `"cab"` {
		t.Errorf("%s, %s", r.Outputs["text"], r.Error)
	}
}

// TestError shows a step's own message, and keeps all that it printed.
func TestError(t *testing.T) {
	r := start(t, t.Context(), one(python("fails")), engine.Options{}, `{"text":"no <b>"}`)
	if !strings.HasPrefix(r.Error, "fails: ValueError: no <b> at line") {
		t.Errorf("got %s", r.Error)
	}
	b, err := os.ReadFile(filepath.Join(r.Dir, r.Tasks[0].Logs[0]))
	if err != nil || !strings.HasPrefix(string(b), "on the way\n") {
		t.Errorf("log %q, %v", b, err)
	}
}

// TestGPUs has steps queue for two devices, each of which one has at a time.
func TestGPUs(t *testing.T) {
	step := python("gpu", dsl.GPU(1))
	p := dsl.Pipeline("gpus", func(s *dsl.Scope, in textIn) listOfTexts {
		all := dsl.ParallelFor(s, dsl.Const([]int64{1, 2, 3, 4, 5}), func(s *dsl.Scope, _ dsl.Param[int64]) dsl.Param[string] {
			return step.Call(s, in).Out.Text
		})
		return listOfTexts{dsl.Collected(all.Each)}
	})
	two := 2
	r := start(t, t.Context(), p, engine.Options{GPUs: &two, Parallel: 5, NoCache: true}, `{"text":"`+t.TempDir()+`"}`)
	if got := string(r.Outputs["texts"]); r.State != run.Succeeded || strings.Count(got, `"0"`)+strings.Count(got, `"1"`) != 5 {
		t.Errorf("devices %s, %s", got, r.Error)
	}
	r = start(t, t.Context(), one(python("variables", dsl.GPU(9))), engine.Options{GPUs: &two, IgnoreGPUs: true}, `{"text":"CUDA_VISIBLE_DEVICES"}`)
	if r.State != run.Succeeded {
		t.Errorf("with GPUs ignored: %s", r.Error)
	}
}

type listOfTexts struct{ Texts dsl.Param[[]string] }

// TestNoContainers names the tasks that need a container, where podman is missing
// and docker is a client without its daemon.
func TestNoContainers(t *testing.T) {
	bin := t.TempDir()
	client := "#!/bin/sh\necho Client: 28 >&2\necho Cannot connect to the Docker daemon >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(bin, "docker"), []byte(client), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	tool := dsl.Container("tool", func(in textIn, out textOut) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox", Command: []string{"true"}}
	})
	_, err := try(t, t.Context(), one(tool), engine.Options{}, `{"text":"a"}`)
	want := "pipeline one: a container is needed by tool: podman is not installed, docker doesn't answer (Cannot connect to the Docker daemon); install one"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
