// Package kfpgo_test checks what holds for the whole repository.
package kfpgo_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// skipped are folders that hold no source of ours.
var skipped = []string{".git", "bin", "out", "node_modules"}

// built is what go build leaves in the root by custom.
const built = "kfpgo"

// files returns the paths of the repository's files that end in one of the
// suffixes; of all, if there is none.
func files(t *testing.T, suffixes ...string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(skipped, d.Name()):
			return fs.SkipDir
		case !d.Type().IsRegular() || path == built:
			return nil
		}
		if len(suffixes) == 0 || slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(path, s) }) {
			found = append(found, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// parseDirs parses the Go files of each folder, test files and testdata aside.
func parseDirs(t *testing.T, mode parser.Mode) (*token.FileSet, map[string][]*ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	dirs := map[string][]*ast.File{}
	for _, path := range files(t, ".go") {
		if strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
			continue
		}
		f, err := parser.ParseFile(fset, path, nil, mode|parser.ParseComments)
		if err != nil {
			t.Error(err)
			continue
		}
		dirs[filepath.Dir(path)] = append(dirs[filepath.Dir(path)], f)
	}
	return fset, dirs
}

// TestPackageComments: each package has one comment, which starts with its name.
func TestPackageComments(t *testing.T) {
	_, dirs := parseDirs(t, parser.PackageClauseOnly)
	for dir, fs := range dirs {
		var docs []string
		for _, f := range fs {
			if f.Doc != nil {
				docs = append(docs, f.Doc.Text())
			}
		}
		if len(docs) != 1 {
			t.Errorf("%s: %d package comments, want 1", dir, len(docs))
			continue
		}
		want := "Package " + fs[0].Name.Name + " "
		if fs[0].Name.Name == "main" {
			want = "Command " + filepath.Base(dir) + " "
		}
		if !strings.HasPrefix(docs[0], want) {
			first, _, _ := strings.Cut(docs[0], "\n")
			t.Errorf("%s: the package comment starts %q, want %q", dir, first, want)
		}
	}
}

// TestExportedNamesHaveDocs is about the packages that users import. One comment
// may stand for neighbours: a group, or one-line functions right below another.
func TestExportedNamesHaveDocs(t *testing.T) {
	fset, dirs := parseDirs(t, 0)
	public := regexp.MustCompile(`^(dsl|compiler|components|local)(/|$)`)
	for dir, fs := range dirs {
		if !public.MatchString(filepath.ToSlash(dir)) {
			continue
		}
		for _, f := range fs {
			last := 0
			for _, d := range f.Decls {
				if name := undocumented(d); name != "" && fset.Position(d.Pos()).Line != last+1 {
					t.Errorf("%s: %s has no comment", fset.Position(d.Pos()), name)
				}
				last = fset.Position(d.End()).Line
			}
		}
	}
}

// undocumented returns an exported name of a declaration without any comment.
func undocumented(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && (d.Recv == nil || exportedReceiver(d.Recv)) && !wellKnown(d.Name.Name) {
			return d.Name.Name
		}
	case *ast.GenDecl:
		name := ""
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if d.Doc == nil && s.Doc == nil && s.Comment == nil && s.Name.IsExported() {
					return s.Name.Name
				}
			case *ast.ValueSpec:
				if d.Doc != nil || s.Doc != nil || s.Comment != nil {
					return ""
				}
				if s.Names[0].IsExported() {
					name = s.Names[0].Name
				}
			}
		}
		return name
	}
	return ""
}

// wellKnown are methods whose meaning their interface says.
func wellKnown(method string) bool {
	return slices.Contains([]string{"Error", "Unwrap", "MarshalJSON", "UnmarshalJSON", "Schema"}, method)
}

func exportedReceiver(recv *ast.FieldList) bool {
	exported := false
	ast.Inspect(recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			exported = id.IsExported()
			return false
		}
		return n != nil && !exported
	})
	return exported
}

// TestFilesAreSmall: a Go file that isn't generated has at most 400 lines.
func TestFilesAreSmall(t *testing.T) {
	generated := regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	for _, path := range files(t, ".go") {
		src := read(t, path)
		if n := bytes.Count(src, []byte("\n")); n > 400 && !generated.Match(src) {
			t.Errorf("%s: %d lines, want at most 400: is it still one idea?", path, n)
		}
	}
}

// TestNoMachineNames: nothing depends on where it was written, nor on a
// particular mirror of a package registry.
func TestNoMachineNames(t *testing.T) {
	var names []string
	for _, parts := range [][2]string{
		{"/wo", "rk/main"}, {"/wo", "rk/shared"}, {"/ro", "ot/go"}, {"/ro", "ot/."}, {"/home/", "runner"}, {"proxy.", "golang.org"}, {"sum.", "golang.org"},
		{"py", "pi.org"}, {"files.pytho", "nhosted"}, {"registry.", "npmjs"}, {"deb.", "debian.org"},
	} {
		names = append(names, parts[0]+parts[1]) // in two parts, so that this file passes
	}
	for _, path := range files(t) {
		for i, line := range bytes.Split(read(t, path), []byte("\n")) {
			for _, name := range names {
				if bytes.Contains(line, []byte(name)) {
					t.Errorf("%s:%d: holds %q", path, i+1, name)
				}
			}
		}
	}
}

// TestModule: go install refuses a module that replaces others.
func TestModule(t *testing.T) {
	mod := string(read(t, "go.mod"))
	if strings.Contains(mod, "replace") || strings.Contains(mod, "\ntool") || strings.Contains(mod, "exclude") {
		t.Error("go.mod has a replace, exclude or tool directive; see docs/decisions.md")
	}
	if !strings.HasPrefix(mod, "module github.com/kfpgo/kfpgo\n") {
		t.Errorf("go.mod starts %q", mod[:40])
	}
	license := string(read(t, "LICENSE"))
	if !strings.Contains(license, "Apache License") || !strings.Contains(license, "Version 2.0, January 2004") {
		t.Error("LICENSE is not the Apache License 2.0")
	}
}
