package argo

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// An argument of a template can't vanish during a run. Where only the run
// knows whether an IfPresent's input is given, the whole list is an expression, in
// a patch of the pod: Argo applies that before it wraps the command.

// depends reports whether only a run knows what elements become.
func (l *leaf) depends(elements []placeholder.Element) bool {
	for _, e := range elements {
		if e.If != nil {
			if l.ofRunTime(e.If.Input) || l.given(e.If.Input) && l.depends(e.If.Then) || !l.given(e.If.Input) && l.depends(e.If.Else) {
				return true
			}
		}
		if l.depends(e.Concat) {
			return true
		}
	}
	return false
}

// ofRunTime reports whether only a run knows whether an input is given.
func (l *leaf) ofRunTime(input string) bool {
	p := l.comp.Input(input)
	if p == nil {
		return false
	}
	v, ok := l.task.Args[input]
	return ok && p.Default == nil && l.nullable(v)
}

// isGiven returns the expression for whether an input is given.
func (l *leaf) isGiven(input string) string {
	name := input
	if l.comp.Input(input).Type.Artifact {
		name += metaSuffix
	}
	return "inputs.parameters[" + literal(name) + "] != 'null'"
}

// runList returns the expression for the JSON of a list of arguments.
func (l *leaf) runList(elements []placeholder.Element) raw {
	return raw(armour("toJson(" + l.listOf(elements) + ")"))
}

func (l *leaf) listOf(elements []placeholder.Element) string {
	var lists, texts []string
	flush := func() {
		if texts != nil {
			lists = append(lists, "["+strings.Join(texts, ", ")+"]")
		}
		texts = nil
	}
	for _, e := range elements {
		switch {
		case e.If == nil:
			texts = append(texts, "replace("+l.textOf(e)+", '$', '$$')")
		case l.ofRunTime(e.If.Input):
			flush()
			lists = append(lists, "("+l.isGiven(e.If.Input)+" ? "+l.listOf(e.If.Then)+" : "+l.listOf(e.If.Else)+")")
		default:
			flush()
			branch := e.If.Else
			if l.given(e.If.Input) {
				branch = e.If.Then
			}
			lists = append(lists, l.listOf(branch))
		}
	}
	flush()
	switch len(lists) {
	case 0:
		return "[]"
	case 1:
		return lists[0]
	}
	return "concat(" + strings.Join(lists, ", ") + ")"
}

// textOf returns the expression for a string.
func (l *leaf) textOf(e placeholder.Element) string {
	join := func(es []placeholder.Element) string {
		var all []string
		for _, e := range es {
			all = append(all, l.textOf(e))
		}
		if all == nil {
			return "''"
		}
		return strings.Join(all, " + ")
	}
	switch {
	case e.Concat != nil:
		return join(e.Concat)
	case e.If != nil && l.ofRunTime(e.If.Input):
		return "(" + l.isGiven(e.If.Input) + " ? " + join(e.If.Then) + " : " + join(e.If.Else) + ")"
	case e.If != nil && l.given(e.If.Input):
		return join(e.If.Then)
	case e.If != nil:
		return join(e.If.Else)
	}
	var all []string
	for _, p := range l.pieces(e.Parts) {
		if p.tags != "" {
			all = append(all, ofTags(p.tags))
			continue
		}
		all = append(all, p.inText())
	}
	if all == nil {
		return "''"
	}
	return strings.Join(all, " + ")
}

// ofTags returns the expression for a string with plain tags.
func ofTags(s string) string {
	var all []string
	for s != "" {
		text, rest, ok := strings.Cut(s, "{{")
		if text != "" {
			all = append(all, literal(text))
		}
		if !ok {
			break
		}
		name, after, _ := strings.Cut(rest, "}}")
		switch input, isInput := strings.CutPrefix(name, "inputs.parameters."); {
		case isInput:
			name = "inputs.parameters[" + literal(input) + "]"
		default:
			name = "(" + strings.TrimPrefix(name, "=") + ")"
		}
		all = append(all, name)
		s = after
	}
	return strings.Join(all, " + ")
}

// commandLine sets the command and arguments of a container.
func (l *leaf) commandLine(spec *program.Container) {
	c := l.t.Container
	for _, list := range []struct {
		member string
		texts  []string
		into   *[]string
	}{{"command", spec.Command, &c.Command}, {"args", spec.Args, &c.Args}} {
		var elements []placeholder.Element
		for _, text := range list.texts {
			elements = append(elements, placeholder.ParseElement(text))
		}
		if l.depends(elements) {
			if l.argv == nil {
				l.argv = map[string]any{"name": "main"}
			}
			l.argv[list.member] = l.runList(elements)
			if list.member == "command" { // without one, Argo would ask the image's registry
				*list.into = []string{"kfpgo-see-pod-spec-patch"}
			}
			continue
		}
		for _, e := range elements {
			for _, pieces := range l.expand(e) {
				*list.into = append(*list.into, l.shellPieces(pieces))
			}
		}
	}
}
