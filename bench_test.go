package kfpgo_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const usesCalc = `// Command calc compiles examples/calc by itself.
package main

import (
	"fmt"
	"os"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/calc"
)

func main() {
	dsl.Init(calc.Pipeline)
	yaml, err := compiler.Compile(calc.Pipeline, compiler.KFP, compiler.Image("example.com/calc:1"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Stdout.Write(yaml)
}
`

// BenchmarkProcess is the time from a command to the IR of examples/calc on disk:
// whole processes, all caches warm. KFP's own SDK compiles the same pipeline in
// the same run, if KFP_PYTHON names a Python that has it.
func BenchmarkProcess(b *testing.B) {
	tmp := b.TempDir()
	root, err := filepath.Abs(".")
	if err != nil {
		b.Fatal(err)
	}
	command := func(dir, name string, args ...string) {
		b.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), offline...)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
	}
	kfpgo, out := filepath.Join(tmp, "kfpgo"), filepath.Join(tmp, "calc.yaml")
	compile := []string{"compile", "./examples/calc", "--image", "example.com/calc:1", "-o", out}
	command(root, "go", "build", "-o", kfpgo, "./cmd/kfpgo")

	b.Run("kfpgo/unchanged", func(b *testing.B) {
		command(root, kfpgo, compile...)
		for b.Loop() {
			command(root, kfpgo, compile...)
		}
	})
	b.Run("kfpgo/edited", func(b *testing.B) {
		dir := filepath.Join(tmp, "edited")
		if err := os.CopyFS(filepath.Join(dir, "examples", "calc"), os.DirFS("examples/calc")); err != nil {
			b.Fatal(err)
		}
		mod := "module example.com/edited\n\ngo 1.26.0\n\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + root + "\n"
		edit(b, filepath.Join(dir, "go.mod"), mod)
		command(dir, "go", "mod", "tidy")
		command(dir, kfpgo, compile...)
		n := 0
		for b.Loop() {
			n++
			edit(b, filepath.Join(dir, "examples", "calc", "edited.go"), fmt.Sprintf("package calc\n\nconst edited = %d\n", n))
			command(dir, kfpgo, compile...)
		}
	})
	b.Run("program", func(b *testing.B) {
		dir := filepath.Join(tmp, "program")
		edit(b, filepath.Join(dir, "main.go"), usesCalc)
		overlay := filepath.Join(tmp, "overlay.json")
		virtual := filepath.Join(root, "examples", "calc", "kfpgo_bench", "main.go")
		edit(b, overlay, fmt.Sprintf("{%q: {%q: %q}}", "Replace", virtual, filepath.Join(dir, "main.go")))
		program := filepath.Join(dir, "calc")
		command(root, "go", "build", "-overlay", overlay, "-o", program, "./examples/calc/kfpgo_bench")
		for b.Loop() {
			command(dir, program)
		}
	})
	b.Run("kfp", func(b *testing.B) {
		python := os.Getenv("KFP_PYTHON")
		if python == "" {
			b.Skip("KFP_PYTHON names no Python with kfp; .ci/run installs one")
		}
		for b.Loop() {
			command(root, filepath.Join(filepath.Dir(python), "kfp"), "dsl", "compile", "--py", "internal/pairs/python/calc.py", "--output", out)
		}
	})
}

func edit(b *testing.B, path, text string) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
}
