package discover_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/build/discover"
)

func TestBuild(t *testing.T) {
	p, err := discover.BuildIn(t.Context(), t.TempDir(), "../../..", "./examples/calc")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []string{"Add", "MyDivmod", "Pipeline"} {
		if !slices.Contains(p.Package.Vars, v) {
			t.Errorf("got %q, want %q in it", p.Package.Vars, v)
		}
	}
	g, err := p.Graph(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Errors) > 0 || g.Program != "github.com/kfpgo/kfpgo/examples/calc" {
		t.Errorf("program %s, errors %v", g.Program, g.Errors)
	}
	c, err := g.Pick("")
	if err != nil || c.Var != "Pipeline" || c.Name != "calc" {
		t.Errorf("picked %+v, %v", c, err)
	}
	if want := filepath.Join("examples", "calc", "calc.go"); c != nil && c.Pos.File != want {
		t.Errorf("at %s, want %s, relative to where the user is", c.Pos.File, want)
	}
	if _, err := os.Stat("../../../examples/calc/kfpgo_main"); err == nil {
		t.Error("the generated main was written to the package")
	}
}

// TestStep runs a step as its container does, and sees its exit code.
func TestStep(t *testing.T) {
	p, err := discover.BuildIn(t.Context(), t.TempDir(), "../../..", "./examples/calc")
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
	if want := `"parameterValues":{"quotient":3,"remainder":1}`; !strings.Contains(string(got), want) {
		t.Errorf("got %s, want %s in it", got, want)
	}
	b, err := exec.Command(p.File, "kfpgo:exec", "my-divmod", `{"inputs":{"parameterValues":{"dividend":7,"divisor":0}}}`).CombinedOutput()
	var exit *exec.ExitError
	if !strings.Contains(string(b), "my-divmod: division by zero\n") || !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("got %q, %v", b, err)
	}
}

// TestMainPackage builds a command, whose own main must not run.
func TestMainPackage(t *testing.T) {
	p, err := discover.BuildIn(t.Context(), t.TempDir(), "../../..", "./examples/hello")
	if err != nil {
		t.Fatal(err)
	}
	g, err := p.Graph(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c, err := g.Pick("Pipeline"); err != nil || c.Name != "hello" {
		t.Errorf("picked %+v, %v", c, err)
	}
}

func TestFindNothing(t *testing.T) {
	for pattern, want := range map[string]string{
		"":                              "no package was given",
		"./internal/lower/when":         "no exported variable",
		"./no/such":                     "there is no folder ./no/such",
		"no/such":                       "there is no folder and no package no/such",
		"./examples/...":                "more than one package",
		"./go.mod":                      "./go.mod is a file",
		"./internal/lower/testdata/...": "names no package",
		"./internal/lower/testdata":     "no Go files",
	} {
		dir := "../../.."
		if pattern == "no/such" { // here Go looks for a module with it, and finds KFP's broken go.mod
			dir = t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := discover.BuildIn(t.Context(), t.TempDir(), dir, pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", pattern, err, want)
		}
	}
}
