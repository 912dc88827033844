package stepfunc

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
)

// format is that of written steps. A change of it makes those that were written before stale.
const format = 1

// Stale returns an error for each function whose step in File isn't made of what the
// function says now, with the command to run. It looks at syntax only, and at packages
// without steps hardly at all.
func Stale(src Source) error {
	var made map[string]string
	var line map[string]int
	var files []string // that have a directive
	for _, name := range src.Files {
		text, err := os.ReadFile(filepath.Join(src.Dir, name))
		switch {
		case err != nil:
			return nil // the Go compiler says it
		case name == File:
			made, line = Made(string(text))
		case bytes.Contains(text, []byte("//kfpgo:")):
			files = append(files, name)
		}
	}
	if len(files) == 0 && len(made) == 0 {
		return nil
	}
	src.Files = files
	p, err := parse(src, true)
	if err != nil {
		return nil // likewise
	}
	p.find()
	for _, s := range p.steps {
		switch fn := s.fn.Name.Name; made[fn] {
		case s.digest():
		case "":
			p.errorf(s.fn.Pos(), "%s has no step for function %s; run: %s", File, fn, src.Command(""))
		default:
			p.errorf(s.fn.Pos(), "function %s or its comment has changed since its step was written to %s; run: %s", fn, File, src.Command(""))
		}
		delete(made, s.fn.Name.Name)
	}
	for fn := range made {
		p.errs = append(p.errs, &graph.Error{Pos: graph.Pos{File: src.Rel(filepath.Join(src.Dir, File)), Line: line[fn]},
			Msg: fmt.Sprintf("there is no function %s with //kfpgo:step any more; run: %s", fn, src.Command(""))})
	}
	if len(p.errs) == 0 {
		return nil
	}
	p.errs.Sort()
	return p.errs
}

// digest returns a digest of all that a written step is made of.
func (s *step) digest() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d\n%s\n%s\n%q\n%s\n", format, s.fn.Name.Name, s.name, s.doc, strings.Join(s.lines, "\n"))
	for _, list := range []*ast.FieldList{s.fn.Recv, s.fn.Type.TypeParams, s.fn.Type.Params, s.fn.Type.Results} {
		fmt.Fprintln(&b, "-")
		if list == nil {
			continue
		}
		for _, f := range list.List {
			for _, id := range f.Names {
				b.WriteString(id.Name + " ")
			}
			fmt.Fprintf(&b, "%d %s\n", len(f.Names), types.ExprString(f.Type))
			ast.Inspect(f.Type, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					if id, ok := sel.X.(*ast.Ident); ok {
						fmt.Fprintln(&b, s.in.importPath(id.Name))
					}
				}
				return true
			})
		}
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(b.String())))[:16]
}
