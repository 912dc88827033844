package dsltest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
)

// Golden compiles a pipeline for KFP and compares the YAML with a file that is kept
// with the test, so that what a change does to it is seen in review. With
// KFPGO_UPDATE=1, or the test's own flag -update if it has one, the file is written
// instead.
//
//	dsltest.Golden(t, "testdata/pipeline.yaml", mnist.Pipeline, compiler.Image("example.com/mnist:1"))
func Golden(t testing.TB, file string, d dsl.Definition, opts ...compiler.Option) {
	t.Helper()
	b, err := compiler.Compile(d, compiler.KFP, opts...)
	if err != nil {
		t.Fatal(err)
	}
	GoldenBytes(t, file, b)
}

// GoldenBytes is [Golden] for any text, such as an [Outline] or what package
// compiler/argo makes.
func GoldenBytes(t testing.TB, file string, got []byte) {
	t.Helper()
	if update() {
		if err := atomicfile.WriteIn(file, 0o644, got); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; KFPGO_UPDATE=1 go test writes it", err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s has changed; if that is intended, KFPGO_UPDATE=1 go test writes it:\n%s", file, diff(string(want), string(got)))
	}
}

func update() bool {
	if os.Getenv("KFPGO_UPDATE") != "" {
		return true
	}
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// diff shows what is between the first and the last line that differ.
func diff(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	first := 0
	for first < min(len(a), len(b)) && a[first] == b[first] {
		first++
	}
	last := 0
	for last < min(len(a), len(b))-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	var out strings.Builder
	show := func(sign string, lines []string) {
		const most = 20
		for i, l := range lines {
			if i == most {
				fmt.Fprintf(&out, "%s ... and %d more lines\n", sign, len(lines)-most)
				return
			}
			fmt.Fprintf(&out, "%s %4d  %s\n", sign, first+1+i, l)
		}
	}
	show("-", a[first:len(a)-last])
	show("+", b[first:len(b)-last])
	return out.String()
}
