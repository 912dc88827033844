package replay

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/kfpgo/kfpgo/internal/model/graph"
)

// Break returns where a debugger stops in the function of a Go step, in the words of
// Delve: the first line of a function that is written where the component is
// defined, or the name of one of the package. Nothing: it isn't found there.
func Break(pkg string, at graph.Pos) string {
	if at.File == "" {
		return ""
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, at.File, nil, parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	found := ""
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found != "" || fset.Position(call.Pos()).Line != at.Line && fset.Position(call.Lparen).Line != at.Line {
			return found == ""
		}
		for _, arg := range call.Args {
			switch f := arg.(type) {
			case *ast.FuncLit:
				if len(f.Body.List) > 0 {
					p := fset.Position(f.Body.List[0].Pos())
					found = fmt.Sprintf("%s:%d", p.Filename, p.Line)
				}
			case *ast.Ident:
				if f.Name != "nil" && f.Name != "true" && f.Name != "false" {
					for _, d := range file.Decls {
						if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == f.Name && fn.Body != nil && len(fn.Body.List) > 0 {
							p := fset.Position(fn.Body.List[0].Pos())
							found = fmt.Sprintf("%s:%d", p.Filename, p.Line)
						}
					}
					if found == "" && pkg != "" {
						found = pkg + "." + f.Name
					}
				}
			}
			if found != "" {
				break
			}
		}
		return found == ""
	})
	return found
}
