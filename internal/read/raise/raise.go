// Package raise turns a program back into Go source: a package with the pipeline
// as an author would have written it, which compiles to the program again.
//
// A program has a component for each task, explicit inputs for all that crosses
// the border of a group, and names that a compiler made. The source has one
// variable for components that are equal, bodies that read what is around them,
// and types. What the language can't say is an error that names it: nothing is
// left out.
package raise

import (
	"errors"
	"fmt"
	"maps"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// Options say how the package is to look.
type Options struct {
	Package string // its name; empty: made from the pipeline's
	From    string // the file that the program was read from, for a comment
	Image   string // of Go steps that name none
}

// Source returns the files of a package by name: Go source, and the sources of
// Python components. The error lists everything that the language can't express,
// each with its place.
func Source(p *program.Program, o Options) (files map[string][]byte, err error) {
	b := newBuilder(p, o)
	if b.o.Package == "" {
		b.o.Package = PackageName(p.Name)
	}
	root := p.Component(p.Main)
	if root == nil || root.DAG == nil {
		return nil, fmt.Errorf("pipeline %s: its main component %q is not a pipeline", p.Name, p.Main)
	}
	b.taken = newNames(reserved...)
	b.unsaid()
	b.main = b.pipeline(root, b.mainName())
	if len(b.errs) == 0 {
		b.infer()
		b.nameAll()
		b.emit()
	}
	if len(b.errs) > 0 {
		return nil, b.errors()
	}
	if err := b.check(); err != nil {
		return nil, err
	}
	return b.files, nil
}

// check formats the Go files and checks that they hold only the intended declarations.
func (b *builder) check() error {
	for _, name := range []string{"pipeline.go", "components.go", "types.go", "bindings.go"} {
		if text, ok := b.files[name]; ok {
			src, err := gosrc.Format(name, text)
			if err != nil {
				return err
			}
			b.files[name] = src
		}
	}
	meant := gosrc.Package{Name: b.o.Package, Declares: maps.Clone(b.taken.taken), Embeds: b.embeds}
	meant.Calls = map[string]bool{}
	for _, o := range program.Options() {
		for _, fn := range o.Go {
			meant.Calls[fn] = true
		}
	}
	for _, name := range reserved {
		delete(meant.Declares, name)
	}
	if b.folder && b.bound == nil {
		meant.Helper = folderFunc
		meant.Declares["folder"] = true
	}
	return meant.Check(b.files)
}

func newBuilder(p *program.Program, o Options) *builder {
	return &builder{
		p: p, o: o, files: map[string][]byte{}, hashes: map[string]string{}, classes: map[string]*class{},
		imports: map[string]bool{}, kinds: map[string]string{}, said: map[string]bool{}, sources: map[string]string{}, folders: map[string]bool{}, embeds: map[string]bool{},
	}
}

// A builder makes the source of one program.
type builder struct {
	p     *program.Program
	o     Options
	files map[string][]byte
	errs  graph.Errors
	said  map[string]bool

	hashes  map[string]string // of components, by name
	classes map[string]*class // by base name and content
	order   []*class          // callees first
	main    *class
	scopes  []*scope // all, outer ones first
	merges  []merge  // values that are given to ports
	consts  []*typ   // of lists that loops have and no port

	taken   *names            // at package level
	imports map[string]bool   // of the file that is being written
	kinds   map[string]string // Go types of artifacts that need one of their own
	decls   []string          // of types that bodies need
	sources map[string]string // variables with files, by ending and text
	folders map[string]bool
	embeds  map[string]bool // what go:embed names
	bound   *Binding        // set to write a binding, in one file
	folder  bool            // the function that returns a folder of embedded files is needed
}

// errorf records what can't be expressed.
func (b *builder) errorf(pos graph.Pos, format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	if key := pos.String() + msg; !b.said[key] {
		b.said[key] = true
		b.errs = append(b.errs, &graph.Error{Pos: pos, Msg: msg})
	}
}

// taskErrorf records what can't be expressed of a task.
func (b *builder) taskErrorf(t *program.Task, format string, args ...any) {
	b.errorf(t.Pos, "task "+t.Name+": "+format, args...)
}

func (b *builder) errors() error {
	b.errs.Sort()
	var all []error
	for _, e := range b.errs {
		all = append(all, graph.At(e.Pos, errors.New(e.Msg)))
	}
	return errors.Join(all...)
}
