package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A pkg is what go list says of a package.
type pkg struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Version, Dir string
		Main               bool
	}
}

var license = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|copyright|patents)([.-].*)?$`)

// licenses returns the texts of all licences of what the command for a system is made of. A
// module without any is an error.
func (r *release) licenses(env []string) ([]byte, error) {
	cmd := exec.Command("go", "list", "-deps", "-json=Dir,Standard,Module", "./cmd/kfpgo")
	cmd.Dir, cmd.Env, cmd.Stderr = r.tree, append(append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="), env...), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	goroot, err := output(r.tree, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	found := map[string][]string{} // by module, the files
	roots := map[string]string{"Go's standard library": goroot}
	found["Go's standard library"] = texts(goroot)
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if p.Standard || p.Module == nil || p.Module.Main {
			continue
		}
		name := p.Module.Path + " " + p.Module.Version
		roots[name] = p.Module.Dir
		// A folder may have a licence of its own, for code from elsewhere.
		for dir := p.Dir; strings.HasPrefix(dir, p.Module.Dir); dir = filepath.Dir(dir) {
			found[name] = append(found[name], texts(dir)...)
		}
	}
	return written(found, roots)
}

// texts returns the files of a folder that are about licences.
func texts(dir string) (files []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Type().IsRegular() && license.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go" {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files
}

func written(found map[string][]string, roots map[string]string) ([]byte, error) {
	var text strings.Builder
	var errs []error
	text.WriteString("kfpgo contains code under these licences.\n")
	for _, name := range slices.Sorted(maps.Keys(roots)) {
		files := found[name]
		slices.Sort(files)
		files = slices.Compact(files)
		if len(files) == 0 {
			errs = append(errs, fmt.Errorf("%s has no file with its licence", name))
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			rel, err2 := filepath.Rel(roots[name], f)
			errs = append(errs, err, err2)
			fmt.Fprintf(&text, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 80), name, filepath.ToSlash(rel), strings.TrimSpace(string(b)))
		}
	}
	return []byte(text.String()), errors.Join(errs...)
}
