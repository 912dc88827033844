package gosrc

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Package lists the declarations that a generated package may have.
type Package struct {
	Name     string
	Declares map[string]bool // the names at package level that may be declared
	Helper   string          // the one function with a body of its own, as source; "": none
	Embeds   map[string]bool // the files and folders that go:embed may name
	Calls    map[string]bool // what it may call beside what all may: options, such as k8s.Pull
}

// maxReported is how many findings an error lists.
const maxReported = 8

// Check parses the Go files of a package and reports what wasn't meant to be
// there: an import, a declaration, a call, a statement or a directive that no
// made source has, or a character that isn't visible. It comes before anything
// is written, and before anything is compiled: what passes holds declarations,
// literals and calls of package dsl, and starts nothing by itself.
func (p Package) Check(files map[string][]byte) error {
	c := &checker{Package: p, fset: token.NewFileSet(), declared: map[string]bool{}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		switch ext := path.Ext(name); {
		case strings.Contains(name, "/"):
			c.below(name)
		case ext == ".go":
			c.source(name, files[name])
		case ext != ".py" && ext != ".ipynb":
			c.add(name, "a file of another kind than Go, Python and notebooks")
		}
	}
	if len(c.found) == 0 {
		return nil
	}
	rest := ""
	if n := len(c.found) - maxReported; n > 0 {
		c.found, rest = c.found[:maxReported], fmt.Sprintf("\nand %d more", n)
	}
	return errors.New("the generated source has unexpected declarations, and nothing was written: this is a bug in kfpgo, " +
		"or a file that was made to have code written; please report it with the file at https://github.com/kfpgo/kfpgo/issues\n" + strings.Join(c.found, "\n") + rest)
}

// Format formats a source that was made. The error has the line that isn't Go.
func Format(name string, text []byte) ([]byte, error) {
	src, err := format.Source(text)
	if err != nil {
		return nil, fmt.Errorf("%s: the generated source is not Go, and nothing was written: %w; this is a bug in kfpgo, please report it with the file at https://github.com/kfpgo/kfpgo/issues", name, err)
	}
	return src, nil
}

type checker struct {
	Package
	fset     *token.FileSet
	paths    map[string]string // of the file's imports, by name
	declared map[string]bool
	found    []string
}

func (c *checker) add(at, format string, args ...any) {
	c.found = append(c.found, at+": "+fmt.Sprintf(format, args...))
}

func (c *checker) errorf(n ast.Node, format string, args ...any) {
	c.add(c.fset.Position(n.Pos()).String(), format, args...)
}

// below looks at a file in a folder: go:embed names the folder, which the go
// command passes over when it looks for packages.
func (c *checker) below(name string) {
	dir, _, _ := strings.Cut(name, "/")
	if !c.Embeds["all:"+dir] || !strings.HasPrefix(dir, "_") {
		c.add(strconv.Quote(name), "a file in a folder that isn't embedded")
	}
	if path.Clean(name) != name || strings.HasPrefix(name, "/") {
		c.add(strconv.Quote(name), "a file outside of its folder")
	}
}

func (c *checker) source(name string, src []byte) {
	if !Plain(string(src)) {
		for i, line := range strings.Split(string(src), "\n") {
			if !Plain(line) {
				c.add(fmt.Sprintf("%s:%d", name, i+1), "a character that isn't visible: %.80q", line)
			}
		}
	}
	f, err := parser.ParseFile(c.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		c.add(name, "not Go: %v", err)
		return
	}
	if f.Name.Name != c.Name {
		c.errorf(f.Name, "package %s, and not %s", f.Name.Name, c.Name)
	}
	c.paths = map[string]string{}
	for _, d := range f.Decls {
		c.decl(d)
	}
	c.comments(f)
}

// comments looks for directives: a comment that starts without a space may be
// one of Go or of a tool.
func (c *checker) comments(f *ast.File) {
	embeds := map[*ast.Comment]bool{}
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR && g.Doc != nil && len(g.Specs) == 1 {
			for _, com := range g.Doc.List {
				pattern, ok := strings.CutPrefix(com.Text, "//go:embed ")
				embeds[com] = ok && c.Embeds[pattern] && embedded(g.Specs[0])
			}
		}
	}
	for _, group := range f.Comments {
		for _, com := range group.List {
			rest, ok := strings.CutPrefix(com.Text, "//")
			switch {
			case embeds[com]:
			case !ok, rest != "" && rest[0] != ' ' && rest[0] != '\t':
				c.errorf(com, "the comment %.80q, which may be a directive", com.Text)
			case strings.HasPrefix(strings.TrimSpace(rest), "+build"):
				c.errorf(com, "the build constraint %.80q", com.Text)
			}
		}
	}
}

// embedded reports whether a variable may hold files.
func embedded(s ast.Spec) bool {
	v, ok := s.(*ast.ValueSpec)
	return ok && len(v.Values) == 0 && len(v.Names) == 1
}
