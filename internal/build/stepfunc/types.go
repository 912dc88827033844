package stepfunc

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
)

// A kind is what a type is for a step.
type kind int

const (
	value     kind = iota // of a parameter
	artifact              // of package dsl, or another name of one
	artifacts             // a dsl.List
)

// found is what a type was found to be.
type found struct {
	kind kind
	err  error
}

// artifactTypes are those of package dsl, as TestArtifactTypes holds.
var artifactTypes = []string{"Any", "Dataset", "Model", "Metrics", "ClassificationMetrics", "HTML", "SlicedClassificationMetrics", "Markdown", "Artifact"}

// valueTypes are the types of package dsl that a parameter can have.
var valueTypes = []string{"FinalStatus", "TaskConfig"}

var scalars = []string{"string", "bool", "int", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "byte", "rune", "float32", "float64"}

// A visit is where in a type the search for its kind is.
type visit struct {
	in    *file
	seen  []*namedType
	field bool // within a struct, where fields may be of types of package dsl
}

// kind returns what a type is for a step. The error says why it can't be one's.
func (p *Package) kind(e ast.Expr, v visit) (kind, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.kind(e.X, v)
	case *ast.Ident:
		return p.identKind(e, v)
	case *ast.IndexExpr:
		return p.kind(e.X, v)
	case *ast.IndexListExpr:
		return p.kind(e.X, v)
	case *ast.SelectorExpr:
		return p.otherKind(e, v)
	case *ast.ArrayType:
		if id, ok := e.Elt.(*ast.Ident); ok && (id.Name == "byte" || id.Name == "uint8") && p.types[id.Name] == nil {
			return value, errors.New("bytes can't be a parameter; use string, or an artifact")
		}
		return value, p.element(e.Elt, v)
	case *ast.MapType:
		return value, errors.Join(p.element(e.Key, v), p.element(e.Value, v))
	case *ast.StructType:
		for _, f := range e.Fields.List {
			if skipped(f) {
				continue
			}
			if err := p.element(f.Type, visit{v.in, v.seen, true}); err != nil {
				return value, fmt.Errorf("field %s: %w", fieldName(f), err)
			}
		}
		return value, nil
	case *ast.ChanType:
		return value, errors.New("a channel can't be passed between steps; pass a list")
	case *ast.FuncType:
		return value, errors.New("a function can't be passed between steps")
	case *ast.InterfaceType:
		return value, errors.New("an interface can't be passed between steps; use the type that it has, or map[string]any or []any")
	case *ast.StarExpr:
		return value, errors.New("a pointer can't be passed between steps; use its element type")
	}
	return value, errors.New("the type is not one of Go that a step can have")
}

func fieldName(f *ast.Field) string {
	if len(f.Names) == 0 {
		return types.ExprString(f.Type)
	}
	return f.Names[0].Name
}

// skipped reports whether JSON doesn't have a field.
func skipped(f *ast.Field) bool {
	if f.Tag != nil {
		tag, _ := strconv.Unquote(f.Tag.Value)
		if reflect.StructTag(tag).Get("json") == "-" {
			return true
		}
	}
	return len(f.Names) > 0 && !slices.ContainsFunc(f.Names, (*ast.Ident).IsExported)
}

// element returns why a type can't be part of a value.
func (p *Package) element(e ast.Expr, v visit) error {
	if isAny(e, p) {
		return nil
	}
	k, err := p.kind(e, v)
	if err == nil && k != value {
		err = errors.New("an artifact can't be part of a value; a list of artifacts is a parameter such as models []dsl.Model")
	}
	return err
}

func isAny(e ast.Expr, p *Package) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "any" && p.types["any"] == nil
	case *ast.InterfaceType:
		return len(e.Methods.List) == 0
	}
	return false
}

func (p *Package) identKind(id *ast.Ident, v visit) (kind, error) {
	t := p.types[id.Name]
	switch {
	case t != nil && (slices.Contains(v.seen, t) || t.TypeParams != nil):
		return value, nil // what its parameters make of a generic type is for dsl to see
	case t != nil:
		known := &t.known[map[bool]int{true: 1}[v.field]]
		if *known == nil {
			k, err := p.kind(t.Type, visit{t.in, append(slices.Clip(v.seen), t), v.field})
			if err == nil && k != value && !t.Assign.IsValid() {
				err = fmt.Errorf("%s is a new type, which isn't that of an artifact; declare it with =", id.Name)
			}
			*known = &found{k, err}
		}
		return (*known).kind, (*known).err
	case slices.Contains(scalars, id.Name):
		return value, nil
	case id.Name == "any":
		return value, errors.New("any can't be a parameter; use map[string]any or []any, or the type that it has")
	case id.Name == "error":
		return value, errors.New("an error can't be passed between steps; only the last result is one")
	case slices.Contains([]string{"uint", "uint64", "uintptr", "complex64", "complex128"}, id.Name):
		return value, fmt.Errorf("%s can't be a parameter; use int or float64", id.Name)
	}
	return value, fmt.Errorf("%s isn't declared in the package", id.Name)
}

// otherKind returns what a type of another package is.
func (p *Package) otherKind(e *ast.SelectorExpr, v visit) (kind, error) {
	pkg, ok := e.X.(*ast.Ident)
	if !ok {
		return value, errors.New("the type is not one of Go")
	}
	path, name := v.in.importPath(pkg.Name), e.Sel.Name
	switch {
	case path == "":
		return value, fmt.Errorf("%s has no import that is called %s; if a package has that name but its path ends in another one, write the name before the path", v.in.path, pkg.Name)
	case path == "C":
		return value, errors.New("a type of C can't be passed between steps")
	case path == "context" && name == "Context":
		return value, errors.New("a context can only be the first parameter")
	case path == dslPath:
		switch {
		case slices.Contains(artifactTypes, name):
			return artifact, nil
		case name == "List":
			return artifacts, nil
		case slices.Contains(valueTypes, name), v.field:
			return value, nil
		case name == "Param":
			return value, errors.New("a plain function takes the value itself; write T for dsl.Param[T]")
		}
		return value, fmt.Errorf("%s.%s can't be passed between steps", pkg.Name, name)
	}
	other, err := p.load(path)
	if err != nil {
		return value, err
	}
	if t := other.types[name]; t != nil {
		return other.kind(ast.NewIdent(name), visit{in: t.in, field: v.field})
	}
	return value, nil // declared for other systems, or without sources: dsl looks at it
}

// standard are packages of Go whose types need no look.
var standard = []string{"context", "encoding/json", "time"}

// load returns the types of an imported package.
func (p *Package) load(path string) (*Package, error) {
	if p.lookup == nil || slices.Contains(standard, path) {
		return &Package{}, nil
	}
	if p.imported[path] == nil {
		src, err := p.lookup(path)
		if err != nil {
			return nil, fmt.Errorf("its package can't be read: %w", err)
		}
		src.From = p.src.From
		other, err := parse(src, false)
		if err != nil {
			return nil, err
		}
		p.imported[path] = other // without lookup: one more name of a name is taken for a value
	}
	return p.imported[path], nil
}

// text returns a type as the written file has it.
func (p *Package) text(e ast.Expr, in *file, im *importer) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.text(e.X, in, im)
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		if id, ok := e.X.(*ast.Ident); ok {
			return im.name(in.importPath(id.Name), id.Name) + "." + e.Sel.Name
		}
	case *ast.IndexExpr:
		return p.text(e.X, in, im) + "[" + p.text(e.Index, in, im) + "]"
	case *ast.IndexListExpr:
		s := p.text(e.X, in, im)
		for i, x := range e.Indices {
			s += map[bool]string{true: "[", false: ", "}[i == 0] + p.text(x, in, im)
		}
		return s + "]"
	case *ast.StarExpr:
		return "*" + p.text(e.X, in, im)
	case *ast.ArrayType:
		if e.Len == nil {
			return "[]" + p.text(e.Elt, in, im)
		}
		return "[" + p.text(e.Len, in, im) + "]" + p.text(e.Elt, in, im)
	case *ast.MapType:
		return "map[" + p.text(e.Key, in, im) + "]" + p.text(e.Value, in, im)
	case *ast.InterfaceType:
		return "any"
	case *ast.BasicLit:
		if e.Kind == token.INT {
			return e.Value
		}
	}
	return "invalid"
}
