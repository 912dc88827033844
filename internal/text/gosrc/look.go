package gosrc

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// Parse parses declarations that are not a file yet. If they have errors, the part that
// could be parsed is returned.
func Parse(decls string) *ast.File {
	f, _ := parser.ParseFile(token.NewFileSet(), "", "package p\n"+decls, parser.SkipObjectResolution) // Format has the error
	if f == nil {
		f = &ast.File{}
	}
	return f
}

// Packages returns the names that declarations have before a dot: the packages
// that they use are among them. Strings in literals are not.
func Packages(decls string) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(Parse(decls), func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				names[id.Name] = true
			}
		}
		return true
	})
	return names
}

// Declared returns the names that a file declares at package level.
func Declared(f *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, id := range s.Names {
						names[id.Name] = true
					}
				}
			}
		}
	}
	return names
}
