package oracle

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A limit is something that KFP 2.0.5 can't do and 2.17 can: words of the
// refusal, and what to take out of a task so that the rest can be checked.
type limit struct {
	words string
	mend  func(task map[string]any)
}

var (
	// The compiler has no final status for an exit handler's task.
	finalStatus = limit{"task final status", func(task map[string]any) {
		drop(task, func(source map[string]any) bool { return source["taskFinalStatus"] != nil })
	}}

	// It makes two tasks of a loop, and gives neither the name that a task which
	// collects from the loop, or just follows it, waits for.
	afterLoop = limit{"invalid dependency for-loop-", func(task map[string]any) {
		loop := func(name any) bool { s, _ := name.(string); return strings.HasPrefix(s, "for-loop-") }
		after, _ := task["dependentTasks"].([]any)
		task["dependentTasks"] = slices.DeleteFunc(after, loop)
		drop(task, func(source map[string]any) bool {
			for _, from := range source {
				if from, _ := from.(map[string]any); loop(from["producerTask"]) {
					return true
				}
			}
			return false
		})
	}}

	artifactLoop = limit{"artifact iterator", func(task map[string]any) { delete(task, "artifactIterator") }}
)

// limits are those that goldens run into. The others must compile, and be valid
// for Argo, as they are.
var limits = map[string][]limit{
	"exit.yaml":      {finalStatus},
	"loops.yaml":     {afterLoop},
	"deep.yaml":      {afterLoop},
	"collected.yaml": {artifactLoop, afterLoop},
}

// TestGoldens compiles the goldens of package kfp.
func TestGoldens(t *testing.T) {
	files, err := filepath.Glob("../../internal/kfp/testdata/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d goldens, %v", len(files), err)
	}
	for name := range limits {
		if !slices.ContainsFunc(files, func(f string) bool { return filepath.Base(f) == name }) {
			t.Errorf("there are limits for %s, but there is no such golden", name)
		}
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			ir, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			accept(t, ir, limits[filepath.Base(f)]...)
		})
	}
}

// TestCalc compiles calc in its three kinds.
func TestCalc(t *testing.T) {
	for _, name := range []string{"Pipeline", "PythonPipeline", "ContainerPipeline"} {
		t.Run(name, func(t *testing.T) { accept(t, compile(t, "./examples/calc#"+name, "kfp")) })
	}
}

// TestMNIST has KFP 2.0.5 refuse MNIST for exactly two reasons.
func TestMNIST(t *testing.T) {
	accept(t, compile(t, "./examples/mnist", "kfp"), finalStatus, afterLoop)
}

// TestRecommender has KFP 2.0.5 refuse a task that waits for a loop, and nothing else.
func TestRecommender(t *testing.T) {
	accept(t, compile(t, "./examples/recommender", "kfp"), afterLoop)
}

// accept compiles IR and validates the Workflow. It must be refused for each of
// the limits in turn, and for nothing else.
func accept(t *testing.T, ir []byte, limits ...limit) {
	t.Helper()
	for _, l := range limits {
		switch err := refusal(ir); {
		case err == nil:
			t.Errorf("accepted, though it should be refused for %q; take it off the list", l.words)
		case !strings.Contains(err.Error(), l.words):
			t.Errorf("refused, but not for %q: %v", l.words, err)
		}
		ir = edit(t, ir, l.mend)
	}
	if err := refusal(ir); err != nil {
		t.Error(err)
	}
}

// refusal returns what KFP's compiler or Argo's validator has against IR.
func refusal(ir []byte) error {
	wf, err := CompileIR(ir)
	if err != nil {
		return err
	}
	return ValidateArgo(wf)
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
