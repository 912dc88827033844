package discover_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/discover"
)

func TestBuild(t *testing.T) {
	p, err := discover.BuildIn(t.TempDir(), "../..", "./examples/mnist")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Download", "Evaluate", "Expose", "ModelClaim", "Nightly", "Pick", "Pipeline",
		"Publish", "Query", "Report", "Serve", "TrainGo", "TrainTensorFlow",
	}
	if !slices.Equal(p.Package.Vars, want) {
		t.Errorf("got %q, want %q", p.Package.Vars, want)
	}
	g, err := p.Graph()
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Errors) > 0 || g.Program != "github.com/kfpgo/kfpgo/examples/mnist" {
		t.Errorf("program %s, errors %v", g.Program, g.Errors)
	}
	if c, err := g.Pick(""); err != nil || c.Var != "Pipeline" || c.Name != "mnist" {
		t.Errorf("picked %+v, %v", c, err)
	}
	if len(g.Schedules) != 1 || g.Schedules[0].Var != "Nightly" {
		t.Errorf("got %d schedules", len(g.Schedules))
	}
	if _, err := os.Stat("../../examples/mnist/zz_kfpgo_main.go"); err == nil {
		t.Error("the generated main was written to the package")
	}
}

// TestStep runs a step as its container does, and sees its exit code.
func TestStep(t *testing.T) {
	p, err := discover.BuildIn(t.TempDir(), "../..", "./examples/calc")
	if err != nil {
		t.Fatal(err)
	}
	input := filepath.Join(t.TempDir(), "input.json")
	out := filepath.Join(t.TempDir(), "new", "out.json")
	os.WriteFile(input, []byte(`{"inputs":{"parameterValues":{"dividend":7,"divisor":2}},"outputs":{"outputFile":"`+out+`"}}`), 0o644)
	if b, err := exec.Command(p.File, "kfpgo:exec", "my-divmod", "@"+input).CombinedOutput(); err != nil || len(b) > 0 {
		t.Errorf("%s, %v", b, err)
	}
	got, _ := os.ReadFile(out)
	if want := `{"artifacts":{},"parameterValues":{"quotient":3,"remainder":1}}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b, err := exec.Command(p.File, "kfpgo:exec", "my-divmod", `{"inputs":{"parameterValues":{"dividend":7,"divisor":0}}}`).CombinedOutput()
	var exit *exec.ExitError
	if want := "my-divmod: division by zero\n"; string(b) != want || !asExit(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("got %q, %v", b, err)
	}
}

func asExit(err error, exit **exec.ExitError) (ok bool) {
	*exit, ok = err.(*exec.ExitError)
	return ok
}

// TestMain builds a command, whose own main must not run.
func TestMainPackage(t *testing.T) {
	p, err := discover.BuildIn(t.TempDir(), "../..", "./examples/hello")
	if err != nil {
		t.Fatal(err)
	}
	g, err := p.Graph()
	if err != nil {
		t.Fatal(err)
	}
	if c, err := g.Pick("Pipeline"); err != nil || c.Name != "hello" {
		t.Errorf("picked %+v, %v", c, err)
	}
}

func TestFindNothing(t *testing.T) {
	for pattern, want := range map[string]string{
		"./internal/graph": "no exported variable",
		"./no/such":        "no/such",
		"./examples/...":   "more than one package",
	} {
		if _, err := discover.Find("../..", pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", pattern, err, want)
		}
	}
}
