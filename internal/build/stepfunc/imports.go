package stepfunc

import (
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/freename"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

func (f *file) addImport(s *ast.ImportSpec) {
	p, err := strconv.Unquote(s.Path.Value)
	switch {
	case err != nil:
	case s.Name == nil:
		f.unnamed = append(f.unnamed, p)
	case s.Name.Name != "_" && s.Name.Name != ".":
		f.imports[s.Name.Name] = p
	}
}

// importPath returns the path that a name before a dot stands for in a file, or "".
func (f *file) importPath(name string) string {
	if p := f.imports[name]; p != "" {
		return p
	}
	for _, names := range []func(string) []string{func(p string) []string { return []string{path.Base(p)} }, assumed} {
		for _, p := range f.unnamed {
			if slices.Contains(names(p), name) {
				return p
			}
		}
	}
	return ""
}

var version = lazyregexp.New(`^v[0-9]+$`)

// assumed returns the names that the package of a path may well have: its last element,
// without a version, and without what repositories add to it.
func assumed(p string) []string {
	base := path.Base(p)
	if version.MatchString(base) && path.Dir(p) != "." {
		base = path.Base(path.Dir(p))
	}
	if i := strings.LastIndex(base, ".v"); i > 0 {
		base = base[:i]
	}
	names := []string{base, strings.TrimPrefix(base, "go-"), strings.TrimSuffix(strings.TrimSuffix(base, "-go"), ".go"), strings.ReplaceAll(base, "-", "")}
	return append(names, strings.ReplaceAll(base, "-", "_"), base[strings.LastIndexByte(base, '-')+1:])
}

// An importer gives the packages that a written file needs names in it: those that
// the package hasn't declared.
type importer struct {
	taken map[string]bool   // by the package, and by what is in written functions
	names map[string]string // by path
}

func (p *Package) newImporter() *importer {
	im := &importer{taken: map[string]bool{"ok": true, "v": true}, names: map[string]string{}}
	for _, name := range types.Universe.Names() {
		im.taken[name] = true
	}
	for name := range p.declared {
		im.taken[name] = true
	}
	return im
}

// name returns the name of a package, which is wanted to be like in the user's file.
func (im *importer) name(path, wanted string) string {
	if name, ok := im.names[path]; ok {
		return name
	}
	im.names[path] = freename.TakeWith(im.taken, wanted, "")
	return im.names[path]
}

// source returns the declaration of the imports.
func (im *importer) source() string {
	var std, other []string
	for p, name := range im.names {
		line := strconv.Quote(p)
		if name != path.Base(p) {
			line = name + " " + line
		}
		if first, _, _ := strings.Cut(p, "/"); strings.Contains(first, ".") {
			other = append(other, line)
		} else {
			std = append(std, line)
		}
	}
	byPath := func(a, b string) int {
		return strings.Compare(a[strings.IndexByte(a, '"'):], b[strings.IndexByte(b, '"'):])
	}
	slices.SortFunc(std, byPath)
	slices.SortFunc(other, byPath)
	text := "import (\n" + strings.Join(std, "\n") + "\n"
	if len(std) > 0 && len(other) > 0 {
		text += "\n"
	}
	return text + strings.Join(other, "\n") + "\n)\n"
}
