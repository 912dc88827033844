package atelier

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/raise"
)

// firstVar finds the variable of a binding, and whether it is a pipeline.
var firstVar = regexp.MustCompile(`(?m)^var (\w+) = dsl\.(Container|Python|Notebook|Pipeline)\b`)

// AddBinding makes a binding of a component, as kfpgo gen does, in a package with
// a pipeline of one task that passes all inputs and outputs, which must compile
// to the component's own IR.
func (a *Atelier) AddBinding(name string, p *program.Program, ir []byte) error {
	pkg := packageName(len(a.names))
	src, err := raise.Bindings([]raise.Binding{{Program: p, From: filepath.Base(name)}}, raise.Options{Package: pkg, Image: Image}, nil)
	if err != nil {
		return err
	}
	m := firstVar.FindSubmatch(src)
	if m == nil {
		return fmt.Errorf("the source has no variable for the component:\n%s", src)
	}
	text := fmt.Sprintf("package %s\n\nvar Pipeline = %s\n", pkg, m[1])
	if string(m[2]) != "Pipeline" {
		in, out := string(m[1])+"In", string(m[1])+"Out"
		for _, t := range []*string{&in, &out} {
			if !regexp.MustCompile(`(?m)^type ` + *t + ` `).Match(src) {
				*t = "dsl.None"
			}
		}
		text = fmt.Sprintf(`package %s

import "github.com/kfpgo/kfpgo/dsl"

var Pipeline = dsl.Pipeline(%q, func(s *dsl.Scope, in %s) %s {
	return %s.Call(s, in).Out
})%s
`, pkg, p.Name, in, out, m[1], defaults(src))
	}
	if string(m[1]) == "Pipeline" {
		text = "package " + pkg + "\n"
	}
	if err := raise.WriteFiles(filepath.Join(a.dir, pkg), map[string][]byte{"component_gen.go": src, "pipeline.go": []byte(text)}); err != nil {
		return err
	}
	a.names = append(a.names, name)
	a.want[name] = ir
	return nil
}

// defaults returns the call in a source that sets the defaults of a component,
// which its pipeline has too.
func defaults(src []byte) (call string) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, 0)
	if err != nil {
		return ""
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if sel, ok := c.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Defaults" {
				call = "." + string(src[fset.Position(sel.Sel.Pos()).Offset:fset.Position(c.End()).Offset])
			}
		}
		return true
	})
	return call
}
