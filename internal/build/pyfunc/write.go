package pyfunc

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
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
	w := &writer{dsl: freename.TakeWith(all, "dsl", "")}
	w.line("%s\npackage %s\n\nimport (\n_ \"embed\"\n", Header(f.name), pkg)
	if w.dsl != "dsl" {
		w.WriteString(w.dsl + " ")
	}
	w.line("%s\n)\n", strconv.Quote(dslPath))
	w.line("//go:embed %s\nvar %s string", f.name, f.source())
	for _, s := range f.steps {
		w.step(f, s)
	}
	return gosrc.Format(GoFile(f.name), []byte(w.String()))
}

type writer struct {
	strings.Builder
	dsl string // the package's name in the file
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

func (w *writer) step(f *File, s *step) {
	in, out := w.dsl+".None", w.dsl+".None"
	if len(s.inputs) > 0 {
		in = w.structure(s, "In", "takes", s.inputs)
	}
	if len(s.outputs) > 0 {
		out = w.structure(s, "Out", "returns", s.outputs)
	}
	w.line("")
	w.WriteString(gosrc.Doc("%s is the step %s, which calls the Python function %s.", s.variable, s.name, s.fn.Name))
	if doc := gosrc.Comment(s.doc); doc != "" {
		w.line("//\n%s", strings.TrimSuffix(doc, "\n"))
	}
	w.line("//\n//kfpgo:made %s %s", s.fn.Name, s.digest())
	w.line("var %s = %s.Python[%s, %s](%s, %s.PythonSource{", s.variable, w.dsl, in, out, gosrc.Quote(s.name), w.dsl)
	w.line("Source: %s, Function: %s, Image: %s,", f.source(), gosrc.Quote(s.fn.Name), gosrc.Quote(s.settings.image))
	w.list("Packages", s.settings.packages)
	w.list("IndexURLs", s.settings.indexURLs)
	w.list("TrustedHosts", s.settings.hosts)
	if s.settings.venv {
		w.line("Venv: true,")
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
		w.line("%s: []string{%s},", field, strings.Join(parts, ", "))
	}
}

// defaults writes those that a tag can't have.
func (w *writer) defaults(s *step, in string) {
	var parts []string
	for _, q := range s.inputs {
		if q.literal != "" {
			parts = append(parts, fmt.Sprintf("%s: %s.Const(%s)", q.field, w.dsl, q.literal))
		}
	}
	if parts != nil {
		fmt.Fprintf(w, ".Defaults(%s{%s})", in, strings.Join(parts, ", "))
	}
}

// structure writes the In or Out of a step and returns its name.
func (w *writer) structure(s *step, suffix, does string, ports []*port) string {
	name := s.variable + suffix
	w.line("")
	w.WriteString(gosrc.Doc("%s is what %s %s.", name, s.variable, does))
	w.line("type %s struct {", name)
	for _, q := range ports {
		w.line("%s %s %s", q.field, w.fieldType(q.typ), gosrc.Tag(q.tag()...))
	}
	w.line("}")
	return name
}

// tag returns the keys and values of a field's tag.
func (q *port) tag() (pairs []string) {
	called := q.name
	if called == graph.PortName(q.field) {
		called = ""
	}
	if q.optional {
		called += ",optional"
	}
	if called != "" {
		pairs = append(pairs, "kfp", called)
	}
	if q.value != nil {
		pairs = append(pairs, "default", *q.value)
	}
	if q.doc != "" {
		pairs = append(pairs, "doc", q.doc)
	}
	return pairs
}

func (w *writer) fieldType(t typ) string {
	switch t.kind {
	case artifact:
		return w.dsl + "." + t.text
	case artifacts:
		return w.dsl + ".List[" + w.dsl + "." + t.text + "]"
	case special:
		return w.dsl + ".Param[" + w.dsl + "." + t.text + "]"
	}
	return w.dsl + ".Param[" + t.text + "]"
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
