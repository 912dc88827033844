package pyrun_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/pyrun"
)

// TestAsKFP runs functions that were written for KFP and compares what they
// leave behind with what they do in KFP's own executor, as testdata/kfp_executor.py
// printed it. Package oracle holds that file up to date.
func TestAsKFP(t *testing.T) {
	b, err := os.ReadFile("testdata/functions.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Function string
		Outputs  map[string]string
		Input    string
		Want     *struct {
			Error  bool
			Output struct {
				ParameterValues map[string]any
				Artifacts       map[string]any
			}
			Files map[string]string
		}
	}
	if err := json.Unmarshal(b, &cases); err != nil || len(cases) < 45 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	source, err := os.ReadFile("testdata/functions.py")
	if err != nil {
		t.Fatal(err)
	}
	dirs, argvs := make([]string, len(cases)), make([][]string, len(cases))
	for i, tt := range cases {
		c := &program.Component{Name: tt.Function, Exec: &program.Executor{Python: &program.Python{Source: string(source), Function: tt.Function}}}
		for _, name := range slices.Sorted(maps.Keys(tt.Outputs)) {
			c.Outputs = append(c.Outputs, program.Port{Name: name, Type: graph.Type{Name: tt.Outputs[name]}})
		}
		dirs[i] = t.TempDir()
		if err := os.WriteFile(filepath.Join(dirs[i], "data"), []byte("rows"), 0o644); err != nil {
			t.Fatal(err)
		}
		argvs[i] = pyrun.Args(c, strings.ReplaceAll(tt.Input, "DIR", dirs[i]), true)
	}
	for i, ran := range forked(t, argvs) {
		tt, dir, said := cases[i], dirs[i], ran.Said
		if tt.Want != nil && tt.Want.Error {
			if traceback, msg := lastLine(said); ran.Status != 1 || !strings.HasPrefix(msg, tt.Function+": ") || traceback != "" && !strings.HasPrefix(traceback, "Traceback ") {
				t.Errorf("%s: status %d: %s", tt.Function, ran.Status, said)
			}
			continue
		}
		if ran.Status != 0 {
			t.Errorf("%s: status %d: %s", tt.Function, ran.Status, said)
			continue
		}
		output, files := left(t, dir)
		got := struct{ ParameterValues, Artifacts map[string]any }{}
		if err := json.Unmarshal([]byte(output), &got); err != nil {
			t.Fatal(err)
		}
		if tt.Want == nil { // KFP's executor doesn't take it
			continue
		}
		want := tt.Want.Output
		if len(want.ParameterValues)+len(got.ParameterValues) > 0 && !reflect.DeepEqual(got.ParameterValues, want.ParameterValues) {
			t.Errorf("%s: got %v, KFP %v", tt.Function, got.ParameterValues, want.ParameterValues)
		}
		if len(want.Artifacts)+len(got.Artifacts) > 0 && !reflect.DeepEqual(got.Artifacts, want.Artifacts) {
			t.Errorf("%s: got %v, KFP %v", tt.Function, got.Artifacts, want.Artifacts)
		}
		if !maps.Equal(files, tt.Want.Files) {
			t.Errorf("%s: files %q, KFP's are %q", tt.Function, files, tt.Want.Files)
		}
	}
}

// forks runs the runtime once for each list of arguments in a child of one
// Python, since starting Python takes longer than the steps do.
const forks = `
import json, os, sys, tempfile
text, calls = json.load(sys.stdin)
runtime, out = compile(text, 'runtime', 'exec'), []
for call in calls:
    with tempfile.TemporaryFile('w+') as said:
        pid = os.fork()
        if not pid:
            os.dup2(said.fileno(), 1)
            os.dup2(said.fileno(), 2)
            sys.argv[1:] = call
            try:
                exec(runtime, dict(__name__='__main__'))
            except SystemExit as e:
                sys.stdout.flush()
                os._exit(e.code)
            os._exit(9)
        status = os.waitpid(pid, 0)[1] >> 8
        said.seek(0)
        out.append(dict(Status=status, Said=said.read()))
json.dump(out, sys.stdout)
`

func forked(t *testing.T, argvs [][]string) (ran []struct {
	Status int
	Said   string
}) {
	t.Helper()
	in, err := json.Marshal([]any{pyrun.Runtime, argvs})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("python3", "-c", forks)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &ran); err != nil || len(ran) != len(argvs) {
		t.Fatalf("%d of %d calls, %v", len(ran), len(argvs), err)
	}
	return ran
}

// left returns the executor output and the other files of a step.
func left(t *testing.T, dir string) (output string, files map[string]string) {
	t.Helper()
	files = map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		text := strings.ReplaceAll(string(b), dir, "DIR")
		switch name, _ := filepath.Rel(dir, path); name {
		case "data":
		case "output.json":
			output = text
		default:
			files[name] = text
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return output, files
}

// TestBeyondKFP: types as texts, and files that hold parameters, which KFP's
// executor doesn't take as they are.
func TestBeyondKFP(t *testing.T) {
	source, err := os.ReadFile("testdata/functions.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		c             *program.Component
		input, output string
	}{
		{component("out_path", "text", "number:NUMBER_INTEGER"), `{"outputs":{"outputFile":"DIR/out/output.json"}}`,
			`{"parameterValues":{"text":"12","number":12},"artifacts":{}}`},
		{component("strings_as_types", "Output"), `{"inputs":{"parameterValues":{"a":3}},"outputs":{"outputFile":"DIR/out/output.json","artifacts":{"m":{"artifacts":[{"name":"m","uri":"DIR/m"}]}}}}`,
			`{"parameterValues":{"Output":"3"},"artifacts":{"m":{"artifacts":[{"name":"m","uri":"DIR/m","metadata":{"a":3}}]}}}`},
	} {
		tt.c.Exec.Python.Source = string(source)
		if output, stderr := run(t, tt.c, tt.input); output != tt.output {
			t.Errorf("got %s%s, want %s", output, stderr, tt.output)
		}
	}
}
