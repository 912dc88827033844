package stepfunc

import (
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// madeComment starts the comment that names the function of a written step and its digest.
const madeComment = "//kfpgo:made "

// Made returns the digests in the text of a written file, by function, with their lines.
func Made(text string) (digests map[string]string, lines map[string]int) {
	digests, lines = map[string]string{}, map[string]int{}
	for i, l := range strings.Split(text, "\n") {
		if l, ok := strings.CutPrefix(l, madeComment); ok {
			fn, sum, _ := strings.Cut(l, " ")
			digests[fn], lines[fn] = strings.TrimSpace(sum), i+1
		}
	}
	return digests, lines
}

// Declares returns the names that a written file declares for a step, by how many inputs
// and outputs it has.
func Declares(variable string, inputs, outputs int) []string {
	names := []string{variable}
	if inputs > 0 {
		names = append(names, variable+"In")
	}
	if outputs > 0 {
		names = append(names, variable+"Out")
	}
	return names
}

// A Writer writes the steps of a file.
type Writer struct {
	strings.Builder
	DSL string // the package's name in the file
}

// Line writes a line.
func (w *Writer) Line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// Head writes what is above the variable of a step: what it is, its documentation, and
// the digest of what it is made of.
func (w *Writer) Head(about, doc, function, digest string) {
	w.Line("")
	w.WriteString(about)
	if doc := gosrc.Comment(doc); doc != "" {
		w.Line("//\n%s", strings.TrimSuffix(doc, "\n"))
	}
	w.Line("//\n%s%s %s", madeComment, function, digest)
}

// Structure writes the In or Out of a step, of which field returns a field, and returns
// its name: that of dsl.None if there are no ports.
func Structure[P any](w *Writer, variable, suffix, does string, ports []P, field func(P) (name, typ string, tag []string)) string {
	if len(ports) == 0 {
		return w.DSL + ".None"
	}
	w.Line("")
	w.WriteString(gosrc.Doc("%s is what %s %s.", variable+suffix, variable, does))
	w.Line("type %s struct {", variable+suffix)
	for _, p := range ports {
		name, typ, tag := field(p)
		w.Line("%s %s %s", name, typ, gosrc.Tag(tag...))
	}
	w.Line("}")
	return variable + suffix
}

// Tag returns the keys and values of the tag of a field for a port.
func Tag(field, name string, optional bool, value *string, doc string) (pairs []string) {
	if name == graph.PortName(field) {
		name = ""
	}
	if optional {
		name += ",optional"
	}
	if name != "" {
		pairs = append(pairs, "kfp", name)
	}
	if value != nil {
		pairs = append(pairs, "default", *value)
	}
	if doc != "" {
		pairs = append(pairs, "doc", doc)
	}
	return pairs
}
