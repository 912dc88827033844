// Package stepcode says what the code of each Go step is made of, so that after an
// edit only those steps are run again whose code it has changed. It errs on the side
// of running again.
//
// In the package of the pipeline it goes by declarations: what a step's definition
// names, what that names, and so on; with a type all of its methods, with x.f all
// methods f. What runs when the program starts counts for all steps. All else that
// the program is built from, other packages above all, counts as one.
package stepcode

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// Sources are the files that a program is built from.
type Sources struct {
	Dir   string   // of the package with the pipeline
	From  string   // folder as seen from which positions name files
	Go    []string // its Go files, as names in Dir
	Other []string // paths of all others: of other packages, go.mod, embedded ones
}

// Digests returns a digest for each component that is a Go step, or has a Go function
// to stand in for it, by its name. One that isn't there is made of the whole program.
func Digests(p *program.Program, s Sources) (map[string]string, error) {
	pkg, err := read(s)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, c := range p.Components {
		if c.Exec == nil || c.Exec.Go == nil && !c.Exec.OnLocal {
			continue
		}
		file := c.Pos.File
		if !filepath.IsAbs(file) {
			file = filepath.Join(s.From, file)
		}
		if root := pkg.at(file, c.Pos.Line); root != nil {
			out[c.Name] = pkg.digest(root)
		}
	}
	return out, nil
}

// A decl is a declaration of the package.
type decl struct {
	text  string // without comments, formatted
	names []string
	uses  map[string]bool // identifiers
	calls map[string]bool // what comes after a dot
	isFn  bool
}

type pkg struct {
	fset    *token.FileSet
	rest    string // digest of all other files
	byName  map[string][]*decl
	methods map[string][]*decl // by name
	of      map[string][]*decl // methods by their type
	always  []*decl            // what runs when the program starts
	all     []placed
}

type placed struct {
	file        string
	first, last int
	d           *decl
}

func read(s Sources) (*pkg, error) {
	p := &pkg{fset: token.NewFileSet(), byName: map[string][]*decl{}, methods: map[string][]*decl{}, of: map[string][]*decl{}}
	h := sha256.New()
	for _, file := range slices.Sorted(slices.Values(s.Other)) {
		b, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			continue // a folder
		}
		fmt.Fprintf(h, "%s %d\n", file, len(b))
		h.Write(b)
	}
	var vars []*ast.ValueSpec
	var specs []*decl
	for _, name := range slices.Sorted(slices.Values(s.Go)) {
		path := filepath.Join(s.Dir, name)
		file, err := parser.ParseFile(p.fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				p.function(path, d)
			case *ast.GenDecl:
				switch d.Tok {
				case token.IMPORT:
					for _, spec := range d.Specs { // another package under the same name
						fmt.Fprintf(h, "%s\n", p.print(spec))
					}
				case token.CONST: // whole, for the sake of iota
					var names []string
					for _, spec := range d.Specs {
						for _, id := range spec.(*ast.ValueSpec).Names {
							names = append(names, id.Name)
						}
					}
					p.add(path, d, names)
				default:
					for _, spec := range d.Specs {
						switch spec := spec.(type) {
						case *ast.TypeSpec:
							p.add(path, spec, []string{spec.Name.Name})
						case *ast.ValueSpec:
							var names []string
							for _, id := range spec.Names {
								names = append(names, id.Name)
							}
							vars, specs = append(vars, spec), append(specs, p.add(path, spec, names))
						}
					}
				}
			}
		}
	}
	for i, spec := range vars {
		if p.acts(spec) {
			p.always = append(p.always, specs[i])
		}
	}
	p.rest = fmt.Sprintf("%x", h.Sum(nil))
	return p, nil
}

func (p *pkg) function(path string, d *ast.FuncDecl) {
	x := p.add(path, d, nil)
	x.isFn = true
	switch {
	case d.Recv == nil && d.Name.Name == "init":
		p.always = append(p.always, x)
	case d.Recv == nil:
		p.byName[d.Name.Name] = append(p.byName[d.Name.Name], x)
	default:
		p.methods[d.Name.Name] = append(p.methods[d.Name.Name], x)
		for name := range p.identifiers(d.Recv) {
			p.of[name] = append(p.of[name], x)
		}
	}
}

func (p *pkg) add(path string, n ast.Node, names []string) *decl {
	d := &decl{text: p.print(n), names: names, uses: p.identifiers(n), calls: map[string]bool{}}
	ast.Inspect(n, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			d.calls[s.Sel.Name] = true
		}
		return true
	})
	for _, name := range names {
		p.byName[name] = append(p.byName[name], d)
	}
	p.all = append(p.all, placed{path, p.fset.Position(n.Pos()).Line, p.fset.Position(n.End()).Line, d})
	return d
}

// identifiers are those in a node but for what comes after a dot.
func (p *pkg) identifiers(n ast.Node) map[string]bool {
	after := map[*ast.Ident]bool{}
	out := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			after[n.Sel] = true
		case *ast.Ident:
			if !after[n] {
				out[n.Name] = true
			}
		}
		return true
	})
	return out
}

// acts reports whether the value of a variable is made by a function of the package,
// or has no name: that may change what others hold.
func (p *pkg) acts(spec *ast.ValueSpec) (acts bool) {
	for _, id := range spec.Names {
		acts = acts || id.Name == "_"
	}
	for _, v := range spec.Values {
		ast.Inspect(v, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				switch f := ast.Unparen(n.Fun).(type) {
				case *ast.FuncLit:
					acts = true
				case *ast.Ident:
					for _, d := range p.byName[f.Name] {
						acts = acts || d.isFn
					}
				case *ast.SelectorExpr:
					acts = acts || len(p.methods[f.Sel.Name]) > 0
				}
			}
			return true
		})
	}
	return acts
}

func (p *pkg) print(n ast.Node) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), n); err != nil { // positions are left out: lines move
		return err.Error()
	}
	return b.String()
}

// at returns the declaration of the variable that a place is in: the definition of a
// step. In a function it isn't known what that was called with.
func (p *pkg) at(file string, line int) *decl {
	for _, a := range p.all {
		if a.file == file && a.first <= line && line <= a.last && !a.d.isFn {
			return a.d
		}
	}
	return nil
}

// digest returns the digest of a declaration and all that it reaches.
func (p *pkg) digest(root *decl) string {
	seen := map[*decl]bool{}
	var reach func(d *decl)
	reach = func(d *decl) {
		if seen[d] {
			return
		}
		seen[d] = true
		for name := range d.uses {
			for _, other := range p.byName[name] {
				reach(other)
			}
		}
		for name := range d.calls {
			for _, m := range p.methods[name] {
				reach(m)
			}
		}
		for _, name := range d.names {
			for _, m := range p.of[name] {
				reach(m)
			}
		}
	}
	reach(root)
	for _, d := range p.always {
		reach(d)
	}
	var texts []string
	for d := range seen {
		texts = append(texts, d.text)
	}
	slices.Sort(texts)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(p.rest+"\n"+strings.Join(texts, "\n\x00"))))
}
