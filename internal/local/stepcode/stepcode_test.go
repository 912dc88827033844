package stepcode_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/local/stepcode"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

const source = `package p

import "example.com/dsl"

const (
	first = iota
	second
)

type shape struct{ n int }

func (s shape) area() int { return side(s.n) }

func side(n int) int { return n * second }

var table = map[string]int{"a": 1}

type In struct{ X int }

var One = dsl.Func("one", func(in In) int { return in.X + table["a"] })

var Two = dsl.Func("two", two)

func two(in In) int {
	var i interface{ area() int } = shape{in.X}
	return i.area()
}

func make(n int) any { return dsl.Func("made", func() int { return n }) }

var Made = make(3)

var Pipeline = dsl.Pipeline("p", func() { One.Call(1); Two.Call(2) })
`

// digests are those of the steps of a source, and of other files.
func digests(t *testing.T, text, other string) map[string]string {
	t.Helper()
	dir := filepath.Join(os.TempDir(), "kfpgo-stepcode-test")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for name, text := range map[string]string{"p.go": text, "words.txt": other} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := &program.Program{}
	for name, def := range map[string]string{"one": `dsl.Func("one"`, "two": `dsl.Func("two"`, "made": `dsl.Func("made"`} {
		line := 1 + strings.Count(text[:strings.Index(text, def)], "\n")
		p.Components = append(p.Components, &program.Component{Name: name, Pos: graph.Pos{File: filepath.Join(dir, "p.go"), Line: line}, Exec: &program.Executor{Go: &program.GoStep{Name: name}}})
	}
	d, err := stepcode.Digests(p, stepcode.Sources{Dir: dir, Go: []string{"p.go"}, Other: []string{filepath.Join(dir, "words.txt"), dir}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestDigests: which steps an edit changes.
func TestDigests(t *testing.T) {
	was := digests(t, source, "words")
	if len(was) != 2 || was["one"] == was["two"] {
		t.Fatalf("got %v, want one of each step that is defined as a variable", was)
	}
	for _, tt := range []struct{ name, old, now, want string }{
		{"the function", "in.X + table", "in.X - table", "one"},
		{"a variable that it reads", `{"a": 1}`, `{"a": 2}`, "one"},
		{"a type of both", "In struct{ X int }", "In struct{ X, Y int }", "one two"},
		{"a function by name", "shape{in.X}", "shape{in.X + 1}", "two"},
		{"a method by an interface", "return side(s.n)", "return side(s.n + 1)", "two"},
		{"a function that a method calls", "n * second", "n * first", "two"},
		{"a constant of a group", "first = iota", "zero = iota\n\tfirst", "two"},
		{"the wiring", "Two.Call(2)", "Two.Call(3)", ""},
		{"a comment and a blank line", "var table", "// a table\n\nvar table", ""},
		{"the form", "in.X + table", "in.X+ table", ""},
		{"another step", `var Pipeline`, "var Three = dsl.Func(\"three\", func() {})\n\nvar Pipeline", ""},
		{"what runs at the start", `var Pipeline`, "func init() { table[\"a\"] = 3 }\n\nvar Pipeline", "one two"},
		{"a variable that is made by a call", "make(3)", "make(4)", "one two"},
		{"an import", `"example.com/dsl"`, `dsl "example.com/other"`, "one two"},
	} {
		text := strings.Replace(source, tt.old, tt.now, 1)
		if text == source {
			t.Fatalf("%s: nothing was edited", tt.name)
		}
		if got := changed(was, digests(t, text, "words")); got != tt.want {
			t.Errorf("%s: changed %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := changed(was, digests(t, source, "other words")); got != "one two" {
		t.Errorf("another file: changed %q", got)
	}
}

func changed(was, is map[string]string) string {
	var names []string
	for name := range was {
		if was[name] != is[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}
