package gosrc

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"path"
	"strconv"
)

func (c *checker) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		c.function(d)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ImportSpec:
				c.importSpec(s)
			case *ast.ValueSpec:
				c.value(d.Tok, s)
			case *ast.TypeSpec:
				c.name(s.Name)
				if s.TypeParams != nil {
					c.errorf(s, "a type with parameters")
				}
				c.typ(s.Type)
			}
		}
	default:
		c.errorf(d, "a declaration that is not Go")
	}
}

// name looks at a name at package level.
func (c *checker) name(id *ast.Ident) {
	switch {
	case !c.Declares[id.Name]:
		c.errorf(id, "the declaration of %s", id.Name)
	case c.declared[id.Name]:
		c.errorf(id, "another declaration of %s", id.Name)
	}
	c.declared[id.Name] = true
}

func (c *checker) importSpec(s *ast.ImportSpec) {
	p, err := strconv.Unquote(s.Path.Value)
	if _, ok := imports[p]; err != nil || !ok {
		c.errorf(s, "the import of %s", s.Path.Value)
		return
	}
	switch {
	case s.Name == nil:
		c.paths[path.Base(p)] = p
	case s.Name.Name != "_" || p != "embed" && p != k8sPath:
		c.errorf(s, "the import of %s as %s", s.Path.Value, s.Name.Name)
	}
}

// value looks at a variable or constant at package level: its value is a call or
// a literal; one without a value holds an embedded file.
func (c *checker) value(tok token.Token, s *ast.ValueSpec) {
	if len(s.Names) != 1 || len(s.Values) > 1 {
		c.errorf(s, "several variables in one declaration")
	}
	for _, id := range s.Names {
		c.name(id)
	}
	if s.Type != nil {
		c.typ(s.Type)
	}
	for _, v := range s.Values {
		_, lit := v.(*ast.BasicLit)
		if _, call := v.(*ast.CallExpr); tok == token.CONST && !lit || tok == token.VAR && !call {
			c.errorf(v, "a value that is neither a call nor a literal")
		}
		c.expr(v)
	}
}

// function looks at a function at package level: the helper word for word, or a
// schema's name and version.
func (c *checker) function(d *ast.FuncDecl) {
	if d.Recv == nil && c.Helper != "" && source(d) == helper(c.Helper) {
		c.name(d.Name)
		return
	}
	if !c.schema(d) {
		c.errorf(d, "the function %s", d.Name.Name)
	}
}

// schema reports whether a function is: func (T) Schema() (title, version string) { return "a", "b" }.
func (c *checker) schema(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) != 1 || len(d.Recv.List[0].Names) != 0 || d.Name.Name != "Schema" ||
		d.Type.TypeParams != nil || len(d.Type.Params.List) != 0 || d.Body == nil || len(d.Body.List) != 1 {
		return false
	}
	id, ok := d.Recv.List[0].Type.(*ast.Ident)
	if !ok || !c.Declares[id.Name] {
		return false
	}
	ret, ok := d.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 2 {
		return false
	}
	for _, r := range ret.Results {
		if lit, ok := r.(*ast.BasicLit); !ok || lit.Kind != token.STRING {
			return false
		}
	}
	return true
}

// source returns a function as text, without its comments.
func source(d *ast.FuncDecl) string {
	plain := *d
	plain.Doc = nil
	var b bytes.Buffer
	if err := format.Node(&b, token.NewFileSet(), &plain); err != nil {
		return ""
	}
	return b.String()
}

// helper returns a declaration as source does; a line end for what is not a function.
func helper(text string) string {
	f := Parse(text)
	if len(f.Decls) == 1 {
		if d, ok := f.Decls[0].(*ast.FuncDecl); ok {
			return source(d)
		}
	}
	return "\n"
}
