package oracle

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// refused names what KFP 2.0.5 can't do, with words of its refusal: limits of
// that server, which 2.17 doesn't have. Everything else must compile, and be
// valid for Argo.
var refused = map[string]string{
	"exit.yaml":      taskStatus,
	"collected.yaml": "artifact iterator",
	"loops.yaml":     "invalid dependency for-loop-7", // see TestMNIST
}

const taskStatus = "task final status"

// TestGoldens compiles the goldens of package kfp.
func TestGoldens(t *testing.T) {
	files, err := filepath.Glob("../../internal/kfp/testdata/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d goldens, %v", len(files), err)
	}
	for name := range refused {
		if !slices.ContainsFunc(files, func(f string) bool { return filepath.Base(f) == name }) {
			t.Errorf("%s is on the list of what is refused, but there is no such golden", name)
		}
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			ir, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			accept(t, ir, refused[filepath.Base(f)])
		})
	}
}

// TestCalc compiles calc in its three kinds.
func TestCalc(t *testing.T) {
	for _, name := range []string{"Pipeline", "PythonPipeline", "ContainerPipeline"} {
		t.Run(name, func(t *testing.T) { accept(t, compile(t, "./examples/calc#"+name, "kfp"), "") })
	}
}

// TestMNIST has KFP 2.0.5 refuse MNIST for exactly two reasons: without them the
// rest of it compiles, and is valid for Argo.
func TestMNIST(t *testing.T) {
	ir := compile(t, "./examples/mnist", "kfp")

	// The compiler has no final status for an exit handler's task.
	accept(t, ir, taskStatus)
	ir = edit(t, ir, func(task map[string]any) {
		drop(task, func(source map[string]any) bool { return source["taskFinalStatus"] != nil })
	})

	// It gives a loop two tasks, a driver and an iterator, and neither is called
	// what a task that depends on the loop waits for.
	accept(t, ir, "invalid dependency for-loop-")
	ir = edit(t, ir, func(task map[string]any) {
		after, _ := task["dependentTasks"].([]any)
		task["dependentTasks"] = slices.DeleteFunc(after, func(name any) bool { return strings.HasPrefix(name.(string), "for-loop-") })
		drop(task, func(source map[string]any) bool {
			for _, from := range source {
				from, _ := from.(map[string]any)
				if name, _ := from["producerTask"].(string); strings.HasPrefix(name, "for-loop-") {
					return true
				}
			}
			return false
		})
	})
	accept(t, ir, "")
}

// accept compiles IR and validates the Workflow. With a reason, it must be
// refused for it.
func accept(t *testing.T, ir []byte, reason string) {
	t.Helper()
	wf, err := CompileIR(ir)
	if err == nil {
		err = ValidateArgo(wf)
	}
	switch {
	case reason == "" && err != nil:
		t.Error(err)
	case reason != "" && err == nil:
		t.Errorf("accepted, though it should be refused for %q; take it off the list", reason)
	case reason != "" && !strings.Contains(err.Error(), reason):
		t.Errorf("refused, but not for %q: %v", reason, err)
	}
}

// edit calls f for each task of IR, and returns what comes of it.
func edit(t *testing.T, ir []byte, f func(task map[string]any)) []byte {
	t.Helper()
	docs, err := jsonDocs(ir)
	if err != nil {
		t.Fatal(err)
	}
	var spec map[string]any
	if err := json.Unmarshal(docs[0], &spec); err != nil {
		t.Fatal(err)
	}
	components := []any{spec["root"]}
	for _, c := range spec["components"].(map[string]any) {
		components = append(components, c)
	}
	n := 0
	for _, c := range components {
		dag, _ := c.(map[string]any)["dag"].(map[string]any)
		tasks, _ := dag["tasks"].(map[string]any)
		for _, task := range tasks {
			f(task.(map[string]any))
			n++
		}
	}
	if n == 0 {
		t.Fatal("no tasks")
	}
	if docs[0], err = json.Marshal(spec); err != nil {
		t.Fatal(err)
	}
	out := docs[0]
	for _, d := range docs[1:] {
		out = append(append(out, "\n---\n"...), d...)
	}
	return out
}

// drop removes inputs of a task.
func drop(task map[string]any, drop func(source map[string]any) bool) {
	inputs, _ := task["inputs"].(map[string]any)
	for _, kind := range []string{"parameters", "artifacts"} {
		all, _ := inputs[kind].(map[string]any)
		for name, source := range all {
			if drop(source.(map[string]any)) {
				delete(all, name)
			}
		}
	}
}
