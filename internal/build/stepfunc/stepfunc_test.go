package stepfunc_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/kfpgo/kfpgo/internal/build/stepfunc"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

// unpack writes the files of an archive, and returns the package at its root and a
// lookup of those below example.com.
func unpack(t testing.TB, archive string) (stepfunc.Source, stepfunc.Lookup) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return source(t, dir, dir), func(path string) (stepfunc.Source, error) {
		return source(t, filepath.Join(dir, strings.TrimPrefix(path, "example.com/")), dir), nil
	}
}

func source(t testing.TB, dir, from string) stepfunc.Source {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	src := stepfunc.Source{Dir: dir, From: from}
	for _, path := range paths {
		src.Files = append(src.Files, filepath.Base(path))
	}
	return src
}

func archive(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestGolden: what is written for functions of all kinds, whatever the order of files
// and functions is.
func TestGolden(t *testing.T) {
	text := archive(t, "score")
	src, lookup := unpack(t, text)
	made := write(t, src, lookup)
	golden.Check(t, "testdata/score.golden", made)

	swapped := strings.NewReplacer("-- a.go --", "-- b.go --", "-- b.go --", "-- a.go --").Replace(text)
	if src, lookup := unpack(t, swapped); !bytes.Equal(write(t, src, lookup), made) {
		t.Error("with other names of files another file is written")
	}
}

func write(t testing.TB, src stepfunc.Source, lookup stepfunc.Lookup) []byte {
	t.Helper()
	p, err := stepfunc.Read(src, lookup)
	if err != nil {
		t.Fatal(err)
	}
	made, err := p.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// TestRefuse: all mistakes are reported at once, at their lines.
func TestRefuse(t *testing.T) {
	src, lookup := unpack(t, archive(t, "refuse"))
	_, err := stepfunc.Read(src, lookup)
	if err == nil {
		t.Fatal("no error")
	}
	golden.Check(t, "testdata/refuse.golden", []byte(err.Error()+"\n"))
}

// TestArtifactTypes: the types of artifacts that package dsl has are known.
func TestArtifactTypes(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "../../../dsl/kind.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	ast.Inspect(f, func(node ast.Node) bool {
		spec, ok := node.(*ast.TypeSpec)
		if !ok || !spec.Assign.IsValid() {
			return true
		}
		n++
		src, _ := unpack(t, fmt.Sprintf("-- a.go --\npackage p\n\nimport \"github.com/kfpgo/kfpgo/dsl\"\n\n//kfpgo:step\nfunc f(a dsl.%s) {}\n", spec.Name))
		if got := write(t, src, nil); !bytes.Contains(got, fmt.Appendf(nil, "A dsl.%s\n", spec.Name)) {
			t.Errorf("dsl.%s isn't taken for an artifact:\n%s", spec.Name, got)
		}
		return true
	})
	if n == 0 {
		t.Error("dsl/kind.go has no types of artifacts")
	}
}

// TestManyTypes: structs that have two of the next one are looked at once each.
func TestManyTypes(t *testing.T) {
	text := "-- a.go --\npackage p\n\n//kfpgo:step\nfunc f(a T0) {}\n\ntype T60 struct{ B *int }\n"
	for i := range 60 {
		text += fmt.Sprintf("\ntype T%d struct{ A, B T%d; C []T%d }\n", i, i+1, i+1)
	}
	src, _ := unpack(t, text)
	if _, err := stepfunc.Read(src, nil); err == nil || !strings.Contains(err.Error(), "field B: a pointer can't be passed") {
		t.Errorf("got %v", err)
	}
	src, _ = unpack(t, strings.Replace(text, "*int", "T0", 1)) // in a circle
	write(t, src, nil)
}

const fn = `package p

// f is a step.
//
//kfpgo:step
//kfpgo:input a default=1
func f(a int) (b string, err error) { return "", nil }

func g() {}
`

// TestStale: each change that makes another step is found, and no other.
func TestStale(t *testing.T) {
	src, _ := unpack(t, "-- a.go --\n"+fn)
	made := filepath.Join(src.Dir, stepfunc.File)
	if err := stepfunc.Stale(src); err == nil || err.Error() != "a.go:7: kfpgo_steps.go has no step for function f; run: kfpgo gen steps ." {
		t.Errorf("without the file: %v", err)
	}
	if err := os.WriteFile(made, write(t, src, nil), 0o644); err != nil {
		t.Fatal(err)
	}
	src = source(t, src.Dir, filepath.Dir(src.Dir))
	base := filepath.Base(src.Dir)
	changed := base + "/a.go:7: function f or its comment has changed since its step was written to kfpgo_steps.go; run: kfpgo gen steps ./" + base
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing", "", "", ""},
		{"body", `return "", nil`, `return "x", nil`, ""},
		{"format", "(a int)", "(a  int,)", ""},
		{"another function", "func g() {}", "func g(c chan int) {}", ""},
		{"type", "(a int)", "(a int32)", changed},
		{"name", "(a int)", "(c int)", changed},
		{"result", "b string, err error", "b string", changed},
		{"comment", "f is a step", "f was a step", changed},
		{"directive", "default=1", "default=2", changed},
		{"name of the step", "//kfpgo:step", "//kfpgo:step other", changed},
		{"one more", "func g()", "//kfpgo:step\nfunc g()", base + "/a.go:10: kfpgo_steps.go has no step for function g; run: kfpgo gen steps ./" + base},
		{"one less", "//kfpgo:step\n//kfpgo:input a default=1\n", "", base + "/kfpgo_steps.go:25: there is no function f with //kfpgo:step any more; run: kfpgo gen steps ./" + base},
		{"a mistake", "//kfpgo:input a", "//kfpgo:inptu a", base + "/a.go:6: there is no directive //kfpgo:inptu; did you mean //kfpgo:input?\n" + changed},
	} {
		text := strings.Replace(fn, c.old, c.new, 1)
		if text == fn && c.old != "" {
			t.Fatalf("%s: %q isn't there", c.name, c.old)
		}
		if err := os.WriteFile(filepath.Join(src.Dir, "a.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := stepfunc.Stale(src); err != nil {
			got = filepath.ToSlash(err.Error())
		}
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// FuzzRead: whatever a comment and a signature are, they make a mistake or a Go file.
func FuzzRead(f *testing.F) {
	f.Add("//kfpgo:step a\n//kfpgo:input a name=b default=\"x\" optional `y`", "(a *string, b ...int) (c []int, err error)")
	f.Add("// `text` \u202e\n//\n//+build x\n//kfpgo:step", "(ctx context.Context, m dsl.Model, out *dsl.Dataset, in map[string][2]int)")
	f.Add("//kfpgo:step", "[T any](a struct{}, _ func()) (chan int)")
	f.Fuzz(func(t *testing.T, comment, signature string) {
		src, _ := unpack(t, "")
		text := "package p\n\nimport (\n\"context\"\n\"github.com/kfpgo/kfpgo/dsl\"\n)\n\n" + comment + "\nfunc f" + signature + " { panic(1) }\n"
		if err := os.WriteFile(filepath.Join(src.Dir, "a.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		src.Files = []string{"a.go"}
		stepfunc.Stale(src)
		p, err := stepfunc.Read(src, nil)
		if err != nil {
			return
		}
		made, err := p.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(src.Dir, stepfunc.File), made, 0o644); err != nil {
			t.Fatal(err)
		}
		src.Files = append(src.Files, stepfunc.File)
		if err := stepfunc.Stale(src); err != nil {
			t.Errorf("what was just written is stale: %v\n%s", err, made)
		}
	})
}

// thousand returns a package of 1,000 step functions in 20 files.
func thousand(b *testing.B) stepfunc.Source {
	var text strings.Builder
	for i := range 20 {
		fmt.Fprintf(&text, "-- f%d.go --\npackage p\n\nimport (\n\t\"context\"\n\n\t\"github.com/kfpgo/kfpgo/dsl\"\n)\n\n", i)
		for j := range 50 {
			fmt.Fprintf(&text, "// f%dx%d is a step.\n//\n//kfpgo:step\n//kfpgo:input lr default=0.1 \"rate\"\nfunc f%dx%d(ctx context.Context, lr float64, names []string, model dsl.Model, out *dsl.Dataset) (rows int, err error) {\n\treturn 0, nil\n}\n\n", i, j, i, j)
		}
	}
	src, _ := unpack(b, text.String())
	return src
}

// BenchmarkWrite writes 1,000 steps.
func BenchmarkWrite(b *testing.B) {
	src := thousand(b)
	for b.Loop() {
		write(b, src, nil)
	}
}

// BenchmarkStale looks at 1,000 steps that haven't changed.
func BenchmarkStale(b *testing.B) {
	src := thousand(b)
	if err := os.WriteFile(filepath.Join(src.Dir, stepfunc.File), write(b, src, nil), 0o644); err != nil {
		b.Fatal(err)
	}
	src.Files = append(src.Files, stepfunc.File)
	for b.Loop() {
		if err := stepfunc.Stale(src); err != nil {
			b.Fatal(err)
		}
	}
}
