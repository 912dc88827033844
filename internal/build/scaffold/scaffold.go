// Package scaffold writes new projects for kfpgo init: a pipeline with tests, a
// Makefile and a file for CI, from templates.
package scaffold

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"golang.org/x/mod/module"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

//go:embed all:templates
var templates embed.FS

// A Template is a kind of project.
type Template struct{ Name, Doc string }

// Templates are the kinds of project, the usual one first.
var Templates = []Template{
	{"train", "a model is trained in Go with several settings, the best one is kept and published if it is good"},
	{"mnist", "handwritten digits: downloaded, trained in Go, measured on the test images"},
	{"batch", "a list of parts is worked through in parallel and summed up, every night"},
	{"python", "a Python function between Go steps, tested with both"},
}

// A Project is what a template is filled in with.
type Project struct {
	Template string
	Name     string // of the folder and the pipeline: lower case letters, digits and hyphens
	Module   string // path of the Go module
	Go       string // version for go.mod, such as 1.26
	Version  string // of kfpgo
	Checkout string // folder of kfpgo's own source, in place of a released version
}

// Package returns the name of the project's Go package.
func (p *Project) Package() string {
	name := strings.ReplaceAll(p.Name, "-", "")
	if token.IsKeyword(name) || name == "main" || name == "init" || name == "dsl" {
		name += "pipeline"
	}
	return name
}

var validName = lazyregexp.New(`^[a-z]([a-z0-9-]*[a-z0-9])?$`)

// Write makes the folder dir, which must not exist or be empty, with the project in
// it. All of it is there afterwards, or nothing.
func Write(dir string, p *Project) error {
	if !validName.MatchString(p.Name) {
		return fmt.Errorf("%q is not a name for a pipeline: lower case letters, digits and hyphens, a letter first, as in my-pipeline", p.Name)
	}
	if len(p.Name) > 60 {
		return fmt.Errorf("the name %s is too long: Kubernetes allows 63 characters, with a suffix", p.Name)
	}
	if err := p.writable(); err != nil {
		return err
	}
	switch entries, err := os.ReadDir(dir); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s has files in it already, such as %s", dir, entries[0].Name())
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(parent, ".kfpgo-init-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	for _, from := range []string{"common", p.Template} {
		if err := fill(tmp, from, p); err != nil {
			return err
		}
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(tmp, dir)
}

// words are what go.mod, a Makefile and the workflow of CI take as it is.
var words = lazyregexp.New(`^[A-Za-z0-9_./@+~-]+$`)

// writable reports what would be more than a word in the project's files.
func (p *Project) writable() error {
	if err := module.CheckImportPath(p.Module); err != nil {
		return fmt.Errorf("the module: %w; it is a path such as example.com/my-pipeline", err)
	}
	if p.Checkout != "" && !words.MatchString(p.Checkout) {
		return fmt.Errorf("the folder %q of the checkout has characters that a Makefile doesn't take: letters, digits and ./_-+~@ are allowed; move it, or make a link to it", p.Checkout)
	}
	for _, s := range []string{p.Go, p.Version} {
		if !words.MatchString(s) {
			return fmt.Errorf("%q isn't a version of Go or kfpgo", s)
		}
	}
	return nil
}

// fill writes the files of a template. Their names end in .tmpl, so that nothing
// takes them for parts of kfpgo; "dot-" in front stands for a dot.
func fill(dir, from string, p *Project) error {
	root := "templates/" + from
	return fs.WalkDir(templates, root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := templates.ReadFile(path)
		if err != nil {
			return err
		}
		t, err := template.New(path).Delims("<%", "%>").Option("missingkey=error").Parse(string(text))
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := t.Execute(&b, p); err != nil {
			return err
		}
		name := strings.TrimSuffix(strings.TrimPrefix(path, root+"/"), ".tmpl")
		name = strings.ReplaceAll(strings.ReplaceAll(name, "dot-", "."), "NAME", p.Package())
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		return os.WriteFile(file, b.Bytes(), 0o644)
	})
}
