package kfp_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/examples/calc"
	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
)

// TestPythonRuns runs the command of a Python step as KFP's launcher does: the
// executor input in the place of {{$}}, the result in the file that it names.
func TestPythonRuns(t *testing.T) {
	spec := read(t, write(t, calc.PythonPipeline))[0]
	k := irdiff.At(spec, "deploymentSpec", "executors", "exec-add-python", "container")
	output := filepath.Join(t.TempDir(), "deep", "output.json")
	input, err := json.Marshal(map[string]any{
		"inputs":  map[string]any{"parameterValues": map[string]any{"a": 12, "b": 4.5}},
		"outputs": map[string]any{"outputFile": output, "parameters": map[string]any{"sum": map[string]any{"outputFile": output + ".sum"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var argv []string
	for _, part := range []string{"command", "args"} {
		list, _ := irdiff.At(k, part).([]any)
		for _, a := range list {
			argv = append(argv, strings.ReplaceAll(a.(string), "{{$}}", string(input)))
		}
	}
	if b, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	b, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ ParameterValues map[string]float64 }
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if got.ParameterValues["sum"] != 16.5 {
		t.Errorf("executor output %s, want sum 16.5", b)
	}
}
