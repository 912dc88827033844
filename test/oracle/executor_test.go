package oracle

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/target/pyrun"
	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
	"github.com/kfpgo/kfpgo/internal/testing/pairs"
)

// TestExecutor runs functions in KFP's own executor and holds what package pyrun
// keeps of that up to date. Its test runs the same ones in our runtime.
func TestExecutor(t *testing.T) {
	python := python(t)
	const dir = "../../internal/target/pyrun/testdata"
	var cases [2][]map[string]any
	cmd := exec.Command(python, filepath.Join(dir, "kfp_executor.py"))
	cmd.Stderr = os.Stderr
	fresh, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join(dir, "functions.json"))
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range [][]byte{kept, fresh} {
		if err := json.Unmarshal(b, &cases[i]); err != nil {
			t.Fatal(err)
		}
	}
	if len(cases[0]) != len(cases[1]) {
		t.Fatalf("%d cases are kept, %d are run", len(cases[0]), len(cases[1]))
	}
	for i := range cases[0] {
		equal := reflect.DeepEqual(cases[0][i], cases[1][i])
		tally("functions run by KFP's executor", equal, "")
		if !equal {
			t.Errorf("kept is %v, KFP's executor now gives %v", cases[0][i], cases[1][i])
		}
	}
}

// TestSDKForm runs steps in KFP's own form, as pipelines have them, by KFP's
// executor and by our runtime, and compares what they write.
func TestSDKForm(t *testing.T) {
	python := python(t)
	inputs := map[string]string{
		"plain":      `"inputs":{"parameterValues":{"a":1.5,"b":4}}`,
		"packages":   `"inputs":{"parameterValues":{"n":3}}`,
		"helped":     `"inputs":{"parameterValues":{"x":2}}`,
		"with_files": `"inputs":{"parameterValues":{"r":2.5}}`,
	}
	for _, name := range []string{"python-packages", "python-files"} {
		p, err := pairs.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		ir, err := p.Python()
		if err != nil {
			t.Fatal(err)
		}
		for label, c := range containers(t, ir) {
			py, ok := pyrun.Parse(c.Command, c.Args)
			if !ok {
				t.Errorf("%s: %s isn't read as a Python step", name, label)
				continue
			}
			input, ok := inputs[py.Function]
			if !ok {
				continue
			}
			delete(inputs, py.Function)
			theirs, ours := t.TempDir(), t.TempDir()
			module := filepath.Join(theirs, "ephemeral_component.py")
			if err := os.WriteFile(module, []byte(c.Command[len(c.Command)-1]), 0o644); err != nil {
				t.Fatal(err)
			}
			give := func(dir string) string {
				return `{` + input + `,"outputs":{"outputFile":"` + dir + `/out/output.json"}}`
			}
			kfp := exec.Command(python, "-m", "kfp.dsl.executor_main", "--component_module_path", module, "--executor_input", give(theirs), "--function_to_execute", py.Function)
			kfp.Env = append(os.Environ(), "_KFP_RUNTIME=true", "PYTHONDONTWRITEBYTECODE=1")
			step := &program.Component{Name: py.Function, Exec: &program.Executor{Python: py}, Outputs: []program.Port{{Name: "Output"}}}
			argv := append(pyrun.Command(), pyrun.Args(step, give(ours), false)...)
			var got [2]map[string]any
			for i, run := range []*exec.Cmd{kfp, exec.Command(argv[0], argv[1:]...)} {
				if out, err := run.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", py.Function, err, out)
				}
				b, err := os.ReadFile(filepath.Join([]string{theirs, ours}[i], "out/output.json"))
				if err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal(bytes.ReplaceAll(b, []byte(`,"artifacts":{}`), nil), &got[i]); err != nil {
					t.Fatal(err)
				}
			}
			if !reflect.DeepEqual(got[0], got[1]) {
				t.Errorf("%s: KFP's executor writes %v, our runtime %v", py.Function, got[0], got[1])
			}
		}
	}
	for f := range inputs {
		t.Errorf("no pair has the function %s", f)
	}
}

// containers returns the containers of the executors of IR.
func containers(t *testing.T, ir []byte) map[string]*kfpspec.Container {
	t.Helper()
	docs, err := irdiff.Read(ir)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*kfpspec.Container{}
	deployment, _ := docs[0]["deploymentSpec"].(map[string]any)
	executors, _ := deployment["executors"].(map[string]any)
	for label, e := range executors {
		b, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var x kfpspec.Executor
		if err := json.NewDecoder(strings.NewReader(string(b))).Decode(&x); err != nil {
			t.Fatal(err)
		}
		found[label] = x.Container
	}
	return found
}
