package discover

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/kfpgo/kfpgo/internal/model/graph"
)

// Unexported returns an error for each pipeline in a variable that isn't exported, for a
// package that seems to have no pipeline; nil if there are none.
func (p *Program) Unexported() error { return p.Package.unexported(p.place.wd) }

func (p *Package) unexported(wd string) error {
	var all graph.Errors
	set := token.NewFileSet()
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil // Go's compiler has reported the error
		}
		for _, id := range pipelines(f) {
			at := set.Position(id.Pos())
			first, size := utf8.DecodeRuneInString(id.Name)
			all = append(all, &graph.Error{
				Pos: graph.Pos{File: relative(wd, at.Filename), Line: at.Line},
				Msg: "the variable " + id.Name + " is not exported, so kfpgo can't see the pipeline; call it " + string(unicode.ToUpper(first)) + id.Name[size:],
			})
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

// pipelines returns the variables of a file, not exported, whose value begins with dsl.Pipeline.
func pipelines(f *ast.File) (found []*ast.Ident) {
	for _, decl := range f.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			continue
		}
		for _, spec := range d.Specs {
			s := spec.(*ast.ValueSpec)
			for i, v := range s.Values {
				call, ok := v.(*ast.CallExpr)
				if !ok || len(s.Names) != len(s.Values) || s.Names[i].IsExported() || s.Names[i].Name == "_" {
					continue
				}
				if of, ok := call.Fun.(*ast.SelectorExpr); ok && of.Sel.Name == "Pipeline" {
					if pkg, ok := of.X.(*ast.Ident); ok && pkg.Name == "dsl" {
						found = append(found, s.Names[i])
					}
				}
			}
		}
	}
	return found
}
