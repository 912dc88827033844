package raise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// leaf writes the declaration of a component that runs something.
func (b *builder) leaf(w *strings.Builder, c *class) {
	x := *c.Exec
	w.WriteString(b.structs(c))
	switch {
	case x.Container != nil:
		b.container(w, c, x.Container)
	case x.Go != nil:
		image := x.Go.Image
		if image == "" {
			image = b.o.Image
		}
		b.container(w, c, &program.Container{Image: image, Command: contract.Command(x.Go.Name), Args: []string{contract.ExecutorInput}})
	case x.Python != nil:
		b.python(w, c, x.Python)
	case x.Resource != nil && x.Resource.Builtin == "":
		b.resource(w, c, x.Resource)
	case x.Suspend != nil:
		b.suspend(w, c, x.Suspend)
	default:
		b.errorf(c.Pos, "component %s: an executor of the kind %s: the language can't say it without the program that it came from", c.base, x.Kind())
	}
	if len(c.Passthroughs) > 0 && x.Python == nil {
		b.errorf(c.Pos, "component %s: settings of the task that are passed to the step (taskConfigPassthroughs)", c.base)
	}
}

func stringList(list []string) string {
	var parts []string
	for _, s := range list {
		parts = append(parts, gosrc.Quote(s))
	}
	return braces("[]string", parts)
}

func (b *builder) container(w *strings.Builder, c *class, k *program.Container) {
	t := &leaf{builder: b, c: c}
	parts := []string{"Image: " + t.image(k.Image)}
	if len(k.Command) > 0 {
		parts = append(parts, "Command: "+t.list(k.Command))
	}
	if len(k.Args) > 0 {
		parts = append(parts, "Args: "+t.list(k.Args))
	}
	var outs []string
	for i := range c.Outputs {
		if p := &c.Outputs[i]; p.Path != "" {
			t.out = true
			outs = append(outs, fmt.Sprintf("dsl.OutputAt(out.%s, %s)", c.outs[p.Name].field, gosrc.Quote(p.Path)))
		}
	}
	if len(outs) > 0 {
		parts = append(parts, "Outputs: "+braces("[]dsl.OutputFile", outs))
	}
	w.WriteString(b.about(c) + gosrc.Doc("%s runs a command in %s.", c.stem, cmp.Or(gosrc.Line(strings.Join(literals(k.Image), "")), "an image that its tasks name")))
	t.declare(w, "Container", parts)
}

// declare writes the variable of a component whose kind has a function that returns its
// specification.
func (t *leaf) declare(w *strings.Builder, kind string, parts []string) {
	in, out := "_", "_"
	if t.in {
		in = "in"
	}
	if t.out {
		out = "out"
	}
	c := t.c
	fmt.Fprintf(w, "var %s = dsl.%[2]s(%s, func(%s %s, %s %s) dsl.%[2]sSpec {\nreturn dsl.%[2]sSpec{\n%[8]s,\n}\n})%[9]s\n\n",
		c.stem, kind, gosrc.Quote(c.name), in, c.inType, out, c.outType, strings.Join(parts, ",\n"), t.ending(c, c.Doc))
}

// literals returns what in a string is not a placeholder.
func literals(s string) (out []string) {
	for _, p := range placeholder.Parse(s) {
		if p.Kind == placeholder.Text {
			out = append(out, p.Text)
		}
	}
	return out
}

// eachImage stands for the image of a component of which each task names its own.
const eachImage = "each-task/names-its-own"

// replaced reports whether the tasks of a component replace its image.
func (b *builder) replaced(c *class, image string) bool {
	for _, p := range placeholder.Parse(image) {
		if p.Kind == placeholder.InputParam && c.ins[p.Name] == nil {
			return true
		}
	}
	return false
}

func (t *leaf) image(image string) string {
	if t.replaced(t.c, image) {
		return gosrc.Quote(eachImage)
	}
	return t.text(placeholder.Parse(image))
}

// A leaf writes the strings of a container component.
type leaf struct {
	*builder
	c       *class
	in, out bool // used
}

// list returns a command line: []string where nothing is filled in.
func (t *leaf) list(elems []string) string {
	dynamic := slices.ContainsFunc(elems, func(s string) bool {
		e := placeholder.ParseElement(s)
		ref := func(p placeholder.Part) bool {
			return p.Kind != placeholder.Text && p.Kind != placeholder.Executor && p.Kind != placeholder.OutputFile
		}
		return e.Concat != nil || e.If != nil || slices.ContainsFunc(e.Parts, ref)
	})
	var parts []string
	for _, s := range elems {
		parts = append(parts, t.element(placeholder.ParseElement(s)))
	}
	if !dynamic {
		return braces("[]string", parts)
	}
	s := braces("", parts)
	return "dsl.Args(" + s[1:len(s)-1] + ")"
}

// element returns an argument of dsl.Args.
func (t *leaf) element(e placeholder.Element) string {
	switch {
	case e.Concat != nil:
		return "dsl.Concat(" + t.elements(e.Concat) + ")"
	case e.If != nil:
		t.in = true
		p := t.c.ins[e.If.Input]
		if p == nil {
			t.errorf(t.c.Pos, "component %s: an IfPresent of %q, which is not an input", t.c.base, e.If.Input)
			return `""`
		}
		s := "dsl.IfPresent(" + strings.TrimSuffix("in."+p.field+", "+t.elements(e.If.Then), ", ") + ")"
		if len(e.If.Else) > 0 {
			s += ".Else(" + t.elements(e.If.Else) + ")"
		}
		return s
	}
	if len(e.Parts) == 1 && e.Parts[0].Kind == placeholder.Run && runFuncs[e.Parts[0].Name] != "" {
		return "dsl." + runFuncs[e.Parts[0].Name] + "()"
	}
	if len(e.Parts) == 1 && (e.Parts[0].Kind == placeholder.InputArtifact || e.Parts[0].Kind == placeholder.OutputArtifact) {
		p := e.Parts[0]
		if s, ok := t.port(p); ok && p.Field == "" {
			return s // a whole list
		} else if ok && p.Field == "metadata" && p.Key != "" {
			return s + ".Metadata(" + gosrc.Quote(p.Key) + ")"
		}
	}
	if len(e.Parts) == 1 && e.Parts[0].Kind == placeholder.InputParam {
		if s, ok := t.port(e.Parts[0]); ok {
			return s
		}
	}
	return t.text(e.Parts)
}

func (t *leaf) elements(list []placeholder.Element) string {
	var parts []string
	for _, e := range list {
		parts = append(parts, t.element(e))
	}
	return strings.Join(parts, ", ")
}

// port returns the field that a placeholder stands for.
func (t *leaf) port(p placeholder.Part) (string, bool) {
	ports, v := t.c.ins, "in."
	if p.Kind == placeholder.OutputParam || p.Kind == placeholder.OutputArtifact {
		ports, v = t.c.outs, "out."
	}
	port := ports[p.Name]
	artifact := p.Kind == placeholder.InputArtifact || p.Kind == placeholder.OutputArtifact
	if port == nil || artifact != (port.typ == nil) {
		t.errorf(t.c.Pos, "component %s: the text %s, which is not one of its inputs and outputs", t.c.base, p)
		return `""`, false
	}
	t.in, t.out = t.in || v == "in.", t.out || v == "out."
	return v + port.field, true
}

// text returns a string as a Go string.
func (t *leaf) text(parts []placeholder.Part) string {
	if len(parts) == 0 {
		return `""`
	}
	var out []string
	for _, p := range parts {
		out = append(out, t.part(p))
	}
	return strings.Join(out, " + ")
}

func (t *leaf) part(p placeholder.Part) string {
	bad := func() string {
		if p.Kind == placeholder.Run && !placeholder.Known(p.Name) {
			t.errorf(t.c.Pos, "component %s: the placeholder %s"+unknown, t.c.base, p.Name)
			return `""`
		}
		t.errorf(t.c.Pos, "component %s: the text %s, which the language can't say", t.c.base, p)
		return `""`
	}
	switch p.Kind {
	case placeholder.Text:
		return gosrc.Quote(p.Text)
	case placeholder.Executor:
		return "dsl.ExecutorInput"
	case placeholder.OutputFile:
		return "dsl.ExecutorOutput"
	case placeholder.Run:
		if f := runFuncs[p.Name]; f != "" {
			return "dsl." + f + "().String()"
		}
		return bad()
	case placeholder.InputParam:
		s, _ := t.port(p)
		return s + ".String()"
	case placeholder.OutputParam:
		s, ok := t.port(p)
		if ok && p.Field != "output_file" {
			return bad()
		}
		return s + ".Path()"
	case placeholder.InputArtifact, placeholder.OutputArtifact:
		s, ok := t.port(p)
		switch {
		case !ok:
			return s
		case p.Field == "path" && p.Key == "":
			return s + ".Path()"
		case p.Field == "uri" && p.Key == "":
			return s + ".URI()"
		case p.Field == "metadata" && p.Key == "":
			return s + ".MetadataJSON()"
		case p.Field == "metadata":
			t.imports["fmt"] = true
			return "fmt.Sprint(" + s + ".Metadata(" + gosrc.Quote(p.Key) + "))"
		}
		return bad()
	}
	return bad()
}
