package gohint

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

// TestMistakes compiles each mistake of testdata/mistakes.txt, all by one go command, and
// checks what the file has below it: the compiler's message and the hint.
func TestMistakes(t *testing.T) {
	const file = "testdata/mistakes.txt"
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	blocks := strings.Split(strings.TrimSpace(string(src)), "\n\n")
	section := ""
	for i, b := range blocks {
		if code, _, _ := strings.Cut(b, "\n"); strings.HasPrefix(code, "# ") {
			section = code
		} else {
			writePackage(t, filepath.Join(dir, name(i)), section, code)
		}
	}
	found := compile(t, dir)
	used := map[int]bool{}
	section = ""
	var got strings.Builder
	for i, b := range blocks {
		code, _, _ := strings.Cut(b, "\n")
		fmt.Fprintf(&got, "%s\n", code)
		if strings.HasPrefix(code, "# ") {
			section = code
		} else {
			hints := 0
			for _, m := range found[name(i)] {
				got.WriteString("\t" + strings.ReplaceAll(m.text, "\n", "\n\t\t") + "\n")
				if h, rule := m.hint(dir); h != "" {
					hints++
					used[rule] = true
					got.WriteString("\thint: " + h + "\n")
				}
			}
			if want := !strings.HasPrefix(section, "# No hint"); len(found[name(i)]) == 0 || want != (hints > 0) {
				t.Errorf("%s: %d messages, %d hints", code, len(found[name(i)]), hints)
			}
		}
		got.WriteString("\n")
	}
	for i, r := range rules {
		if !used[i] && i > 3 { // the first four are about modules: a script of the command has them
			t.Errorf("no mistake has the hint of %s", r.says)
		}
	}
	golden.Check(t, file, []byte(strings.TrimSuffix(got.String(), "\n")))
}

func name(i int) string { return fmt.Sprintf("m%03d", i) }

// writePackage writes a package with one mistake, at the place that a section is about.
func writePackage(t *testing.T, dir, section, code string) {
	t.Helper()
	prelude, err := os.ReadFile("testdata/prelude.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	switch section {
	case "# Declarations", "# Imports":
	case "# In a step":
		code = "var Bad = dsl.Func(\"bad\", func(_ context.Context, in LoadIn, out *LoadOut) error {\n" + code + "\nreturn nil\n})"
	default:
		code = `var Pipeline = dsl.Pipeline("p", func(s *dsl.Scope, in In) Out {
	load := Load.Call(s, LoadIn{})
	train := Train.Call(s, TrainIn{})
	sweep := dsl.ParallelFor(s, in.Rates, func(s *dsl.Scope, _ dsl.Param[float64]) TrainOut { return train.Out })
	use(load, train, sweep)
	` + code + `
	return Out{}
})`
	}
	head := "package p\n"
	for _, path := range []string{"context", "fmt", "os", "strings", "github.com/kfpgo/kfpgo/dsl"} {
		if strings.Contains(code, filepath.Base(path)+".") && section != "# Imports" {
			head += fmt.Sprintf("import %q\n", path)
		}
	}
	for file, text := range map[string]string{"prelude.go": string(prelude), "wrong.go": head + code + "\n"} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// compile returns what the compiler says of each package of a folder.
func compile(t *testing.T, dir string) map[string][]message {
	t.Helper()
	repo, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	mod := "module example.com/p\n\ngo 1.26.0\n\nrequire github.com/kfpgo/kfpgo v0.0.0\n\nreplace github.com/kfpgo/kfpgo => " + repo + "\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-gcflags=-e", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "PWD="+dir)
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatal("all of it compiles")
	}
	found := map[string][]message{}
	for _, m := range messages(strings.TrimSpace(string(out))) {
		if strings.HasPrefix(m.text, "# ") {
			continue
		}
		// Where the message says where something is declared, that is a path of this machine.
		m.text = strings.ReplaceAll(m.text, repo+string(filepath.Separator), "")
		pkg := filepath.Base(filepath.Dir(m.file))
		found[pkg] = append(found[pkg], m)
	}
	return found
}
