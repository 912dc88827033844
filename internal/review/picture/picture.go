// Package picture draws a pipeline as SVG: tasks from left to right, groups as
// boxes around theirs, and, for a run, how each of them ended.
//
// Graphviz finds the places; the drawing is our own, so that it follows the
// reader's dark or light setting and that no text of a user reaches Graphviz.
package picture

import (
	"errors"
	"fmt"
	"maps"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// limit is the number of boxes that a person may still make sense of.
const limit = 1000

// ErrTooLarge is the cause when a pipeline has too many tasks for a picture.
var ErrTooLarge = errors.New("too many tasks for a picture")

// A Mark is how a task of the picture went; those of the iterations of a loop
// are one.
type Mark struct {
	State run.State
	Runs  int    // executions that State stands for; more than 1 in loops
	Note  string // a few words: how long it took, how many failed
	Href  string // where more is said about it
}

// A Direction is where the arrows lead.
type Direction string

// The directions. Narrow is the one that needs less width.
const (
	Right  Direction = "LR"
	Down   Direction = "TB"
	Narrow Direction = ""
)

// SVG returns the picture of a program. The marks are by path of the task,
// iterations left out; nil for the program alone.
func SVG(p *program.Program, marks map[string]Mark, to Direction) ([]byte, error) {
	root, err := build(p)
	if err != nil {
		return nil, err
	}
	if len(marks) > 0 {
		marks = inherit(root, marks)
	}
	places, err := place(root, marks, to)
	if err != nil {
		return nil, fmt.Errorf("the picture of pipeline %s can't be laid out: %w", p.Name, err)
	}
	return draw(p, root, places, marks), nil
}

func place(root *node, marks map[string]Mark, to Direction) (*places, error) {
	if to != Narrow {
		return layout(root, marks, to)
	}
	down, err := layout(root, marks, Down)
	if err != nil {
		return nil, err
	}
	right, err := layout(root, marks, Right)
	if err != nil || down.width <= right.width {
		return down, err
	}
	return right, nil
}

// Words returns what the groups of a program mean, by their path: the condition
// of an If, the list of a loop.
func Words(p *program.Program) map[string]string {
	words := map[string]string{}
	root, err := build(p)
	if err != nil {
		return words
	}
	root.walk(func(n *node) {
		if n.words != "" {
			words[n.path] = n.words
			if d := detail(n); d != "" {
				words[n.path] += ", " + d
			}
		}
	})
	return words
}

// inherit marks what a run has no word of, as its group was skipped.
func inherit(root *node, marks map[string]Mark) map[string]Mark {
	marks = maps.Clone(marks)
	root.walk(func(n *node) {
		if _, ok := marks[n.path]; !ok && n.parent != root && marks[n.parent.path].State == run.Skipped {
			marks[n.path] = Mark{State: run.Skipped}
		}
	})
	return marks
}
