package raise_test

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/read/raise"
	"github.com/kfpgo/kfpgo/internal/testing/hostile"
	"github.com/kfpgo/kfpgo/internal/testing/pairs"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// TestHostile: each text of files of all kinds, replaced in turn by what would be
// code, alone and wherever the name is used. What import and gen make of them
// declares and calls no more than without it.
func TestHostile(t *testing.T) {
	for _, file := range []string{
		"testdata/hostile/function.yaml", "testdata/hostile/schematitle.yaml", "testdata/hostile/component.yaml",
		"../../target/kfp/testdata/options.yaml", "../../target/kfp/testdata/python-files.yaml", "../../target/kfp/testdata/importer.yaml",
		"../kfpread/testdata/v1/full.yaml",
		"../argoread/testdata/calc.yaml", "../argoread/testdata/hand.yaml", "../argoread/testdata/cron.yaml", "../argoread/testdata/whole.yaml",
	} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := hostile.Read(data)
			if err != nil {
				t.Fatal(err)
			}
			made, tried, seen := 0, 0, map[string]bool{}
			for _, f := range doc.Fields {
				if seen[f.Path] {
					continue
				}
				seen[f.Path] = true
				for i, text := range hostile.Few {
					for _, everywhere := range []bool{true, false}[:1+max(0, 1-i)] {
						tried++
						if sources(t, file, doc.Replace(f, text, everywhere)) {
							made++
						}
						if t.Failed() {
							t.Fatalf("%s = %q, everywhere %t", f.Path, text, everywhere)
						}
					}
				}
			}
			t.Logf("%d places, %d files, %d became Go", len(seen), tried, made)
			if made == 0 {
				t.Error("no file became Go")
			}
		})
	}
}

// TestHostileNames: names of files.
func TestHostileNames(t *testing.T) {
	data, err := os.ReadFile("testdata/hostile/component.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range hostile.Texts {
		if !sources(t, text, data) {
			t.Errorf("%q: not read", text)
		}
	}
}

// TestFilesOfSteps: files that go along with a step are in a folder that the go
// command passes over, and have names that stay in it.
func TestFilesOfSteps(t *testing.T) {
	made := func(name string) (map[string][]byte, error) {
		pair, err := pairs.Named("python-files")
		if err != nil {
			t.Fatal(err)
		}
		p := lowered(t, pair)
		for _, c := range p.Components {
			if c.Exec != nil && c.Exec.Python != nil && len(c.Exec.Python.Files) > 0 {
				c.Exec.Python.Files = slices.Clone(c.Exec.Python.Files) // others compile the pair, too
				c.Exec.Python.Files[0].Name = name
			}
		}
		return raise.Source(p, raise.Options{Package: "x"})
	}
	files, err := made("evil_test.go")
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for name := range files {
		if strings.HasSuffix(name, "/evil_test.go") {
			found = true
			if name[0] != '_' {
				t.Errorf("go test ./... would run %s", name)
			}
		}
	}
	if !found {
		t.Error("no evil_test.go")
	}
	for _, name := range []string{"../x", "/etc/x", "a/../../x", "a//x", "", ".", ".git/config", "a/.hg/hgrc", "go.mod", "a\nb", "a\u202eb", "a\"b", "a`b", "a*", "a\\b", "a:b"} {
		if _, err := made(name); err == nil {
			t.Errorf("%q: no error", name)
		}
	}
}

// sources reports whether a file can be read and said in Go, and fails the test if the
// Go of import or gen holds something that it should not.
func sources(t testing.TB, name string, data []byte) bool {
	read := func(byUse bool) *program.Program {
		p, _, err := read.From(name, bytes.NewReader(data))
		if byUse || err != nil {
			p, err = kfpread.ReadWith(name, data, kfpread.Options{ByUse: byUse})
		}
		if err != nil {
			return nil
		}
		return p
	}
	good := false
	if p := read(false); p != nil {
		files, err := raise.Source(p, raise.Options{Package: "x", From: name, Image: "x"})
		judge(t, files, err)
		good = err == nil
	}
	if p := read(true); p != nil {
		src, err := raise.Bindings([]raise.Binding{{Program: p, From: name}}, raise.Options{Package: "x"}, nil)
		judge(t, map[string][]byte{"x_gen.go": src}, err)
		good = good || err == nil
	}
	return good
}

// judge looks at made sources in a way of its own.
func judge(t testing.TB, files map[string][]byte, err error) {
	t.Helper()
	if err != nil {
		if strings.Contains(err.Error(), "the generated source") {
			t.Errorf("the check had to refuse it: %v", err)
		}
		return
	}
	for name, src := range files {
		if strings.Contains(name, "/") {
			continue
		}
		if filepath.Ext(name) != ".go" {
			if !gosrc.Plain(strings.ReplaceAll(string(src), "\r\n", "\n")) {
				t.Errorf("%s: characters that don't show\n%q", name, src)
			}
			continue
		}
		if !gosrc.Plain(string(src)) || bytes.ContainsAny(src, "\r\x00\x1b\u2028\u202e") {
			t.Errorf("%s: characters that don't show\n%q", name, src)
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments)
		if err != nil {
			t.Errorf("%v\n%s", err, src)
			continue
		}
		if err := strange(f); err != nil {
			t.Errorf("%s: %v\n%s", name, err, src)
		}
	}
}

// strange returns what no imported package has.
func strange(f *ast.File) (err error) {
	note := func(what string) { err = errors.Join(err, errors.New(what)) }
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name != "folder" && fn.Name.Name != "Schema" {
			note("func " + fn.Name.Name)
		}
	}
	for _, i := range f.Imports {
		if !slices.Contains([]string{`"embed"`, `"io/fs"`, `"fmt"`, `"time"`, `"github.com/kfpgo/kfpgo/dsl"`, `"github.com/kfpgo/kfpgo/dsl/k8s"`, `"github.com/kfpgo/kfpgo/dsl/argo"`}, i.Path.Value) {
			note("import " + i.Path.Value)
		}
	}
	for _, g := range f.Comments {
		for _, c := range g.List {
			if c.Text[1] != '/' || len(c.Text) > 2 && c.Text[2] != ' ' && c.Text[2] != '\t' && !strings.HasPrefix(c.Text, "//go:embed ") {
				note("comment " + c.Text)
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && slices.Contains([]string{"print", "println", "panic"}, id.Name) && f.Scope.Lookup("folder") == nil {
				note("call of " + id.Name)
			}
			if _, ok := n.Fun.(*ast.FuncLit); ok {
				note("call of a function literal")
			}
		case *ast.GoStmt, *ast.DeferStmt, *ast.ForStmt:
			note("statement")
		}
		return true
	})
	return err
}

// FuzzRaise: whatever is read, import and gen make Go of it that holds no more
// than it may, or an error.
func FuzzRaise(f *testing.F) {
	for _, pattern := range []string{"testdata/hostile/*.yaml", "testdata/ir/*.yaml", "../kfpread/testdata/v1/*.yaml", "../argoread/testdata/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(filepath.Base(file), data)
		}
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		if len(data) > 1<<20 {
			return
		}
		sources(t, name, data)
	})
}
