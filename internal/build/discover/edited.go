package discover

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
)

// edited returns the manifest of the program as it is to become, if only the code in Go files
// has changed since it was built last, and not their imports, build constraints or embedded
// files. Then it has the same packages, and go need not list them again, which takes as long
// as the build. Nil: more has changed, or it isn't known. The error is that of steps of
// functions that have changed since.
func (e entry) edited() (_ *manifest, stale error) {
	m, ok := e.manifest()
	if !ok || m.Env != environment() {
		return nil, nil
	}
	changed := map[string]bool{} // folders
	for i, s := range m.Inputs {
		if s.holds() {
			continue
		}
		now := stampOf(s.Path, s.All)
		if now.Head = head(s.Path); now.Head == "" || now.Head != s.Head {
			return nil, nil
		}
		m.Inputs[i] = now
		changed[filepath.Dir(s.Path)] = true
	}
	if m.Package.parse() != nil || len(m.Package.Vars) == 0 {
		return nil, nil
	}
	for _, p := range m.Packages {
		if p.Dir == m.Package.Dir { // listed with files that exist for the build only
			p = *m.Package
		}
		if changed[p.Dir] {
			stale = errors.Join(stale, p.stale(e.wd))
		}
	}
	return &m, stale
}

// head returns a digest of what a Go file says of its package, as opposed to its code: all up
// to the imports, and which files it embeds. Empty: the file isn't Go or can't be read.
func head(file string) string {
	if filepath.Ext(file) != ".go" {
		return ""
	}
	src, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.ImportsOnly|parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	end := f.Name.End()
	for _, d := range f.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			end = d.End()
		}
	}
	at := fset.Position(end).Offset
	said := bytes.Clone(src[:at])
	for line := range bytes.Lines(src[at:]) {
		if bytes.Contains(line, []byte("//go:embed")) {
			said = append(said, line...)
		}
	}
	return digest(string(said))[:16]
}
