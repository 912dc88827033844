package pyfunc

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/build/stepfunc"
	"github.com/kfpgo/kfpgo/internal/text/freename"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

const dslPath = "github.com/kfpgo/kfpgo/dsl"

// format is that of written steps. A change of it makes those that were written before stale.
const format = 1

// Bytes returns the Go file for a package with a name, which has other names already.
func (f *File) Bytes(pkg string, taken map[string]string) ([]byte, error) {
	all := map[string]bool{}
	for name := range taken {
		all[name] = true
	}
	for _, s := range f.steps {
		for _, name := range s.declares() {
			all[name] = true
		}
	}
	w := &writer{stepfunc.Writer{DSL: freename.TakeWith(all, "dsl", "")}}
	w.Line("%s\npackage %s\n\nimport (\n_ \"embed\"\n", Header(f.name), pkg)
	if w.DSL != "dsl" {
		w.WriteString(w.DSL + " ")
	}
	w.Line("%s\n)\n", strconv.Quote(dslPath))
	w.Line("//go:embed %s\nvar %s string", f.name, f.source())
	for _, s := range f.steps {
		w.step(f, s)
	}
	return gosrc.Format(GoFile(f.name), []byte(w.String()))
}

type writer struct{ stepfunc.Writer }

func (w *writer) step(f *File, s *step) {
	field := func(q *port) (name, typ string, tag []string) { return q.field, w.fieldType(q.typ), q.tag() }
	in := stepfunc.Structure(&w.Writer, s.variable, "In", "takes", s.inputs, field)
	out := stepfunc.Structure(&w.Writer, s.variable, "Out", "returns", s.outputs, field)
	w.Head(gosrc.Doc("%s is the step %s, which calls the Python function %s.", s.variable, s.name, s.fn.Name), s.doc, s.fn.Name, s.digest())
	w.Line("var %s = %s.Python[%s, %s](%s, %s.PythonSource{", s.variable, w.DSL, in, out, gosrc.Quote(s.name), w.DSL)
	w.Line("Source: %s, Function: %s, Image: %s,", f.source(), gosrc.Quote(s.fn.Name), gosrc.Quote(s.settings.image))
	w.list("Packages", s.settings.packages)
	w.list("IndexURLs", s.settings.indexURLs)
	w.list("TrustedHosts", s.settings.hosts)
	if s.settings.venv {
		w.Line("Venv: true,")
	}
	w.WriteString("})")
	if s.doc != "" {
		fmt.Fprintf(w, ".Doc(%s)", gosrc.Quote(s.doc))
	}
	w.defaults(s, in)
	w.WriteString("\n")
}

func (w *writer) list(field string, texts []string) {
	var parts []string
	for _, text := range texts {
		parts = append(parts, gosrc.Quote(text))
	}
	if parts != nil {
		w.Line("%s: []string{%s},", field, strings.Join(parts, ", "))
	}
}

// defaults writes those that a tag can't have.
func (w *writer) defaults(s *step, in string) {
	var parts []string
	for _, q := range s.inputs {
		if q.literal != "" {
			parts = append(parts, fmt.Sprintf("%s: %s.Const(%s)", q.field, w.DSL, q.literal))
		}
	}
	if parts != nil {
		fmt.Fprintf(w, ".Defaults(%s{%s})", in, strings.Join(parts, ", "))
	}
}

// tag returns the keys and values of a field's tag.
func (q *port) tag() []string { return stepfunc.Tag(q.field, q.name, q.optional, q.value, q.doc) }

func (w *writer) fieldType(t typ) string {
	switch t.kind {
	case artifact:
		return w.DSL + "." + t.text
	case artifacts:
		return w.DSL + ".List[" + w.DSL + "." + t.text + "]"
	case special:
		return w.DSL + ".Param[" + w.DSL + "." + t.text + "]"
	}
	return w.DSL + ".Param[" + t.text + "]"
}

// digest returns a digest of all that a written step is made of.
func (s *step) digest() string {
	var b strings.Builder
	set := s.settings
	fmt.Fprintf(&b, "%d\n%q %q %q\n%q %q %q %q %t\n", format, s.fn.Name, s.name, s.doc, set.image, set.packages, set.indexURLs, set.hosts, set.venv)
	for _, ports := range [][]*port{s.inputs, s.outputs} {
		fmt.Fprintln(&b, "-")
		for _, q := range ports {
			fmt.Fprintf(&b, "%q %d %q %q %q\n", q.field, q.typ.kind, q.typ.text, q.tag(), q.literal)
		}
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(b.String())))[:16]
}
