package gosrc

import (
	"fmt"
	"go/ast"
	"go/token"
)

// of returns the package and the name of a selector of an imported package.
func (c *checker) of(e *ast.SelectorExpr) (imported, bool) {
	id, ok := e.X.(*ast.Ident)
	if !ok {
		return imported{}, false
	}
	p, ok := c.paths[id.Name]
	return imports[p], ok
}

// expr looks at a value.
func (c *checker) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
	case *ast.BasicLit:
		if e.Kind != token.INT && e.Kind != token.FLOAT && e.Kind != token.STRING {
			c.errorf(e, "the literal %s", e.Value)
		}
	case *ast.ParenExpr:
		c.expr(e.X)
	case *ast.UnaryExpr:
		if e.Op != token.SUB {
			c.errorf(e, "the operator %s", e.Op)
		}
		c.expr(e.X)
	case *ast.BinaryExpr:
		if e.Op != token.ADD && e.Op != token.MUL {
			c.errorf(e, "the operator %s", e.Op)
		}
		c.expr(e.X)
		c.expr(e.Y)
	case *ast.SelectorExpr:
		c.selector(e)
	case *ast.CallExpr:
		c.call(e)
	case *ast.CompositeLit:
		c.composite(e)
	case *ast.FuncLit:
		c.signature(e.Type)
		for _, s := range e.Body.List {
			c.stmt(s)
		}
	default:
		c.errorf(e, "an expression of the kind %T", e)
	}
}

func (c *checker) selector(e *ast.SelectorExpr) {
	p, ok := c.of(e)
	switch {
	case !ok:
		c.expr(e.X)
	case p.names != nil && !p.names[e.Sel.Name] || !e.Sel.IsExported():
		c.errorf(e, "the name %s.%s", e.X, e.Sel.Name)
	}
}

func (c *checker) composite(e *ast.CompositeLit) {
	if e.Type != nil {
		c.typ(e.Type)
	}
	for _, elt := range e.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			c.expr(kv.Key)
			elt = kv.Value
		}
		c.expr(elt)
	}
}

// call looks at a call or a conversion.
func (c *checker) call(e *ast.CallExpr) {
	fn := e.Fun
	switch x := fn.(type) {
	case *ast.IndexExpr:
		fn = x.X
		c.typ(x.Index)
	case *ast.IndexListExpr:
		fn = x.X
		for _, t := range x.Indices {
			c.typ(t)
		}
	}
	switch fn := fn.(type) {
	case *ast.SelectorExpr:
		p, ok := c.of(fn)
		switch {
		case ok && !p.calls[fn.Sel.Name] && !c.Calls[fmt.Sprintf("%s.%s", fn.X, fn.Sel.Name)]:
			c.errorf(e, "the call of %s.%s", fn.X, fn.Sel.Name)
		case !ok && !methods[fn.Sel.Name]:
			c.errorf(e, "the call of the method %s", fn.Sel.Name)
		case !ok:
			c.expr(fn.X)
		}
	case *ast.Ident:
		if !builtins[fn.Name] && (fn.Name != "folder" || c.Helper == "") {
			c.errorf(e, "the call of %s", fn.Name)
		}
	case *ast.ArrayType, *ast.MapType:
		c.typ(fn)
	default:
		c.errorf(e, "a call of an expression of the kind %T", fn)
	}
	if e.Ellipsis.IsValid() {
		c.errorf(e, "a call with ...")
	}
	for _, a := range e.Args {
		c.expr(a)
	}
}

// signature looks at the type of a function literal.
func (c *checker) signature(t *ast.FuncType) {
	lists := []*ast.FieldList{t.Params}
	if t.Results != nil {
		lists = append(lists, t.Results)
	}
	for _, l := range lists {
		for _, f := range l.List {
			c.local(f.Names...)
			c.typ(f.Type)
		}
	}
}

// local looks at names that a function declares: none hides what calls name.
func (c *checker) local(ids ...*ast.Ident) {
	for _, id := range ids {
		if _, ok := c.paths[id.Name]; ok || builtins[id.Name] || id.Name == "folder" {
			c.errorf(id, "a variable called %s", id.Name)
		}
	}
}

// stmt looks at a statement of the function of a pipeline or group.
func (c *checker) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if _, ok := s.X.(*ast.CallExpr); !ok {
			c.errorf(s, "a statement that is not a call")
		}
		c.expr(s.X)
	case *ast.ReturnStmt:
		for _, r := range s.Results {
			c.expr(r)
		}
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE && s.Tok != token.ASSIGN {
			c.errorf(s, "the assignment %s", s.Tok)
		}
		for _, l := range s.Lhs {
			id, ok := l.(*ast.Ident)
			if !ok {
				c.errorf(l, "an assignment to something else than a variable")
				continue
			}
			c.local(id)
		}
		for _, r := range s.Rhs {
			c.expr(r)
		}
	case *ast.DeclStmt:
		g, ok := s.Decl.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			c.errorf(s, "a declaration of another kind than var")
			return
		}
		for _, spec := range g.Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok || v.Type == nil || len(v.Values) > 0 {
				c.errorf(spec, "a variable with a value")
				continue
			}
			c.local(v.Names...)
			c.typ(v.Type)
		}
	default:
		c.errorf(s, "a statement of the kind %T", s)
	}
}

// typ looks at a type.
func (c *checker) typ(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
	case *ast.SelectorExpr:
		if _, ok := c.of(e); !ok {
			c.errorf(e, "a type of another package")
			return
		}
		c.selector(e)
	case *ast.StarExpr:
		c.typ(e.X)
	case *ast.ArrayType:
		if e.Len != nil {
			c.errorf(e, "an array")
		}
		c.typ(e.Elt)
	case *ast.MapType:
		c.typ(e.Key)
		c.typ(e.Value)
	case *ast.IndexExpr:
		c.typ(e.X)
		c.typ(e.Index)
	case *ast.IndexListExpr:
		c.typ(e.X)
		for _, t := range e.Indices {
			c.typ(t)
		}
	case *ast.StructType:
		for _, f := range e.Fields.List {
			if len(f.Names) != 1 {
				c.errorf(f, "a field without a name of its own")
			}
			c.typ(f.Type)
		}
	default:
		c.errorf(e, "a type of the kind %T", e)
	}
}
