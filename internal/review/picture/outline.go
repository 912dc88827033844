package picture

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// A Box is one box of the picture in words.
type Box struct {
	Path      string            // names of its groups and its own, by slashes
	Component string            // what it runs
	Kind      string            // go, python, container, resource, importer or a program.DAGKind
	Words     string            // of a group, or a box with a condition: what it means
	After     []string          // names of the siblings that it waits for, without those that they wait for
	Args      map[string]string // of a box: where each input comes from, through all groups
}

// Boxes returns all boxes of a program, groups before what they hold.
func Boxes(p *program.Program) ([]Box, error) {
	root, err := build(p)
	if err != nil {
		return nil, err
	}
	var all []Box
	root.walk(func(n *node) { all = append(all, box(n)) })
	return all, nil
}

func box(n *node) Box {
	b := Box{Path: n.path, Component: n.task.Component, Kind: n.kind(), Words: n.words}
	for _, a := range n.needed() {
		b.After = append(b.After, a.task.Name)
	}
	if n.group() && n.component.DAG.Kind != program.Pipeline {
		return b
	}
	b.Args = map[string]string{}
	for arg, v := range n.task.Args {
		if n.component != nil && n.component.Input(arg) != nil && !strings.HasPrefix(arg, contract.Channel) {
			b.Args[arg] = name(n.parent, v)
		}
	}
	if n.task.Each != nil {
		b.Args[n.task.Each.Item] = "item of " + name(n.parent, n.task.Each.Items)
	}
	return b
}

// Outline returns the picture as plain text, for a terminal or a reader who doesn't see
// it: a line a box, what a group holds below it.
func Outline(p *program.Program, _ Direction) ([]byte, error) {
	boxes, err := Boxes(p)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	line := func(text string) { b.WriteString(printable.Line(text) + "\n") }
	line(title(p))
	for _, x := range boxes {
		at := strings.LastIndexByte(x.Path, '/') + 1
		text := strings.Repeat("  ", 1+strings.Count(x.Path, "/")) + x.Path[at:]
		if x.Component != x.Path[at:] && x.Words == "" {
			text += " runs " + x.Component
		}
		if x.Words != "" {
			text += ": " + x.Words
		}
		if x.After != nil {
			text += " after " + strings.Join(x.After, ", ")
		}
		for i, arg := range slices.Sorted(maps.Keys(x.Args)) {
			sep := ", "
			if i == 0 {
				sep = "; "
			}
			text += fmt.Sprintf("%s%s = %s", sep, arg, x.Args[arg])
		}
		line(text)
	}
	return []byte(b.String()), nil
}
