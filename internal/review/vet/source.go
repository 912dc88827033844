package vet

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// source is the parsed Go source of a program: syntax only.
type source struct {
	fset     *token.FileSet
	packages map[string][]*ast.File // by folder
}

func (v *vetter) source() *source {
	if v.files == nil {
		v.files = &source{token.NewFileSet(), map[string][]*ast.File{}}
	}
	return v.files
}

// folder parses the files of a package.
func (s *source) folder(dir string) []*ast.File {
	if files, ok := s.packages[dir]; ok {
		return files
	}
	s.packages[dir] = nil
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range names {
		if f, err := parser.ParseFile(s.fset, name, nil, parser.SkipObjectResolution); err == nil {
			s.packages[dir] = append(s.packages[dir], f)
		}
	}
	return s.packages[dir]
}

// outside are functions of Go's library whose result the inputs don't say, by import
// path. Of math/rand these are the ones that have no source of their own.
var outside = map[string]string{
	"time":         "Now",
	"net/http":     "Get Post PostForm Head DefaultClient Client",
	"net":          "Dial DialTimeout Dialer",
	"crypto/rand":  "Read Int Text",
	"math/rand":    "Int Intn Int31 Int31n Int63 Int63n Float32 Float64 Perm Shuffle NormFloat64 ExpFloat64",
	"math/rand/v2": "Int IntN Int32 Int32N Int64 Int64N Uint32 Uint64 Float32 Float64 Perm Shuffle N NormFloat64 ExpFloat64",
	"os":           "Hostname Getpid",
}

// reads returns what a Go step's function reads besides its inputs, such as time.Now;
// "" is nothing that is known.
func (s *source) reads(c *program.Component) string {
	return s.selects(c, func(fn ast.Node, imports map[string]string) func(*ast.SelectorExpr) string {
		measures := measure(fn)
		return func(sel *ast.SelectorExpr) string {
			x, ok := sel.X.(*ast.Ident)
			if !ok || measures && imports[x.Name] == "time" || !slices.Contains(strings.Fields(outside[imports[x.Name]]), sel.Sel.Name) {
				return ""
			}
			return x.Name + "." + sel.Sel.Name
		}
	})
}

// selects returns the first thing that a Go step's function selects and that is looked
// for. Functions of the same package that it calls count.
func (s *source) selects(c *program.Component, wanted func(fn ast.Node, imports map[string]string) func(*ast.SelectorExpr) string) (found string) {
	s.functions(c, func(fn ast.Node, imports map[string]string) {
		is := wanted(fn, imports)
		ast.Inspect(fn, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && found == "" {
				found = is(sel)
			}
			return found == ""
		})
	})
	return found
}

// functions calls visit with the function of a Go step and those of the same package that
// it calls, each with the packages that its file imports, by their names there.
func (s *source) functions(c *program.Component, visit func(fn ast.Node, imports map[string]string)) {
	if c.Pos.File == "" {
		return
	}
	files := s.folder(filepath.Dir(c.Pos.File))
	body := ast.Node(nil)
	for _, f := range files {
		if !strings.HasSuffix(filepath.ToSlash(s.fset.Position(f.Pos()).Filename), filepath.ToSlash(filepath.Base(c.Pos.File))) {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) < 2 || s.fset.Position(call.Lparen).Line != c.Pos.Line {
				return body == nil
			}
			if name, ok := call.Args[0].(*ast.BasicLit); ok && name.Kind == token.STRING && body == nil {
				body = call.Args[1]
			}
			return body == nil
		})
	}
	if body == nil {
		return
	}
	seen := map[string]bool{}
	var look func(n ast.Node, f *ast.File)
	called := func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		for _, f := range files {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name && fn.Body != nil {
					look(fn.Body, f)
				}
			}
		}
	}
	look = func(n ast.Node, f *ast.File) {
		visit(n, importsOf(f))
		ast.Inspect(n, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if fn, ok := call.Fun.(*ast.Ident); ok {
					called(fn.Name)
				}
			}
			return true
		})
	}
	if id, ok := body.(*ast.Ident); ok {
		called(id.Name)
		return
	}
	for _, f := range files {
		if f.Pos() <= body.Pos() && body.End() <= f.End() {
			look(body, f)
		}
	}
}

// importsOf returns the paths of the packages that a file imports, by their names there.
func importsOf(f *ast.File) map[string]string {
	imports := map[string]string{}
	for _, i := range f.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		name := path[strings.LastIndexByte(path, '/')+1:]
		if name == "v2" {
			name = "rand"
		}
		if i.Name != nil {
			name = i.Name.Name
		}
		imports[name] = path
	}
	return imports
}

// measure reports whether code takes the time to say how long something took, which
// is as good from a cache.
func measure(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && (sel.Sel.Name == "Since" || sel.Sel.Name == "Sub") {
			found = true
		}
		return !found
	})
	return found
}
