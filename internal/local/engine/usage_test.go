package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/host/usage"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// works uses a CPU for half a second of its time, with 64 MiB.
const works = "import time\n\ndef works(text: str) -> str:\n    memory = bytearray(64 << 20)\n    for i in range(0, len(memory), 4096):\n        memory[i] = 1\n    while time.process_time() < 0.5:\n        pass\n    return text\n"

// TestUsage: what a process uses is recorded if that is asked for.
func TestUsage(t *testing.T) {
	if err := usage.Supported(); err != nil {
		if _, refused := try(t, t.Context(), one(echo), engine.Options{Usage: true}, `{"text":"a"}`); refused == nil {
			t.Errorf("it was to say that %v", err)
		}
		return
	}
	c := dsl.Python[textIn, textOut]("works", dsl.PythonSource{Source: works, Function: "works", Image: "python:3.12"})
	for _, asked := range []bool{true, false} {
		r := start(t, t.Context(), one(c), engine.Options{Usage: asked, NoCache: true}, `{"text":"a"}`)
		if r.State != run.Succeeded {
			t.Fatal(r.Error)
		}
		u := r.Tasks[0].Usage
		if !asked {
			if u != nil {
				t.Errorf("nobody asked, and it used %+v", u)
			}
			continue
		}
		if u == nil || u.GPU != nil || len(u.CPUs) != len(u.Memory) {
			t.Fatalf("%+v", u)
		}
		busy, most := 0.0, int64(0)
		for i, cpus := range u.CPUs {
			busy, most = max(busy, cpus), max(most, u.Memory[i])
		}
		if busy <= 0 || most < 64<<20 {
			t.Errorf("%v CPUs were busy at most, with %d bytes", busy, most)
		}
		if again, err := run.Load(r.Dir); err != nil || again.Tasks[0].Usage == nil || len(again.Tasks[0].Usage.CPUs) != len(u.CPUs) {
			t.Errorf("the record has %+v, %v", again.Tasks[0].Usage, err)
		}
	}
}

// TestUsageOfContainer: a container is measured by its own process, and not by the tool that
// runs it.
func TestUsageOfContainer(t *testing.T) {
	if usage.Supported() != nil {
		t.Skip(usage.Supported())
	}
	bin, pid := t.TempDir(), filepath.Join(t.TempDir(), "pid")
	script := filepath.Join(bin, "works.py")
	if err := os.WriteFile(script, []byte(works+"works('')\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tool := fmt.Sprintf("#!/bin/sh\ncase $1 in\nrun) setsid python3 %s & echo $! >%[2]s; wait ;;\ninspect) cat %[2]s ;;\nesac\n", script, pid)
	if err := os.WriteFile(filepath.Join(bin, "podman"), []byte(tool), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	box := dsl.Container("box", func(textIn, dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox:1.36", Command: []string{"true"}}
	})
	p := dsl.Pipeline("box", func(s *dsl.Scope, in textIn) dsl.None { box.Call(s, in); return dsl.None{} })
	r := start(t, t.Context(), p, engine.Options{Usage: true}, `{"text":"x"}`)
	u := r.Tasks[0].Usage
	if r.State != run.Succeeded || u == nil {
		t.Fatalf("%s %s: %+v", r.State, r.Error, u)
	}
	most := int64(0)
	for _, n := range u.Memory {
		most = max(most, n)
	}
	if most < 64<<20 {
		t.Errorf("%d bytes", most)
	}
}
