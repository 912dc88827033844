package argo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/calc"
	"github.com/kfpgo/kfpgo/internal/build/discover"
	"github.com/kfpgo/kfpgo/internal/testing/argosim"
)

// TestContract runs the steps of calc as their pods would: the command of the
// container, the executor input as a file, and the files that it writes.
func TestContract(t *testing.T) { checkContract(t, calc.Pipeline) }

func checkContract(t *testing.T, d dsl.Definition) {
	t.Helper()
	prog, err := discover.BuildIn(t.Context(), t.TempDir(), "../../..", "./examples/calc")
	if err != nil {
		t.Fatal(err)
	}
	s := newSim(t, workflow(t, d, options), map[string]string{"a": "12"})
	s.process = func(p *argosim.Pod) (map[string]string, error) {
		return process(t, prog.File, p)
	}
	got := s.run()
	want := params{"quotient": "2", "remainder": "2", "result": "19"}
	for name := range got.out {
		got.out[name] = strings.TrimSuffix(got.out[name], ".0") // Python's floats
	}
	if !reflect.DeepEqual(got.out, want) {
		t.Errorf("got %v, want %v", got.out, want)
	}
}

// process runs the container of a template with a folder of its own for /tmp.
func process(t *testing.T, app string, p *argosim.Pod) (map[string]string, error) {
	tmp := t.TempDir()
	here := func(s string) string { return strings.ReplaceAll(s, "/tmp/", tmp+"/") }
	if err := os.MkdirAll(here("/tmp/kfpgo"), 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(here("/tmp/kfpgo/input.json"), []byte(here(p.Input)), 0o644); err != nil {
		return nil, err
	}
	var argv []string
	for _, a := range p.Argv {
		argv = append(argv, here(a))
	}
	if argv[0] == "/app" {
		argv[0] = app
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Logf("%s: %v: %s", p.Template.Name, err, out)
		return nil, err
	}
	files := map[string]string{}
	for _, o := range p.Template.Outputs.Parameters {
		b, err := os.ReadFile(filepath.Clean(here(o.ValueFrom.Path)))
		if err != nil {
			return nil, err
		}
		files[o.ValueFrom.Path] = string(b)
	}
	return files, nil
}
