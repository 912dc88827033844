// Package progdiff says in words what changed from one program to another.
//
// Tasks are matched across groups, so that one which moved into a branch is the
// same task, and one with another name is seen as renamed if it runs the same.
// Values are compared by where they come from: how they are led through groups is
// not part of a pipeline's meaning.
package progdiff

import (
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// An Op says what happened.
type Op string

// The operations.
const (
	Added      Op = "added"
	Removed    Op = "removed"
	Renamed    Op = "renamed"    // Old and New are names
	Renumbered Op = "renumbered" // a group whose name is KFP's own, such as condition-2
	Moved      Op = "moved"      // Old and New are groups
	Changed    Op = "changed"
)

// A Change is one difference.
type Change struct {
	Path string   `json:"path,omitempty"` // of the task, as B has it unless it was removed; empty: the pipeline
	Also []string `json:"also,omitempty"` // other tasks of which the same is true
	Kind string   `json:"kind"`           // pipeline, input, output, task, group, component or schedule
	Op   Op       `json:"change"`
	What string   `json:"what,omitempty"` // image, argument x
	Old  string   `json:"old,omitempty"`  // empty: not set
	New  string   `json:"new,omitempty"`

	unit *pair // of nested pipelines that are compared once
}

// Diff returns what changed from a to b, in a stable order: the pipeline, its
// inputs and outputs, its tasks as a has them, and those that b has beside them.
func Diff(a, b *program.Program) []Change {
	d := newDiffer(a, b)
	d.program()
	d.finish()
	return d.changes
}

// String returns the change as a line, whatever is in the names.
func (c Change) String() string { return printable.Line(c.text()) }

func (c Change) text() string {
	at := c.Path
	if at == "" {
		at = "pipeline"
	}
	if len(c.Also) > 0 {
		at += fmt.Sprintf(" (and %s)", list(c.Also, 3))
	}
	if c.Kind == "input" || c.Kind == "output" {
		at += ": " + c.Kind
	} else if c.Kind == "schedule" {
		at = "schedule"
	}
	return at + c.words()
}

func (c Change) words() string {
	what := ": " + c.What
	if c.Kind == "input" || c.Kind == "output" || c.Kind == "schedule" {
		what = " " + c.What
	}
	switch c.Op {
	case Added, Removed:
		s := c.Old + c.New
		if s != "" {
			s = " (" + s + ")"
		}
		if c.What == "" {
			return ": " + string(c.Op) + s
		}
		return what + " " + string(c.Op) + s
	case Renamed, Renumbered:
		if c.What == "" {
			return fmt.Sprintf(": %s; it was %s", c.Op, c.Old)
		}
		return fmt.Sprintf("%s %s; it was %s", what, c.Op, c.Old)
	case Moved:
		return fmt.Sprintf(": moved from %s to %s", c.Old, c.New)
	}
	return what + ": " + between(c.Old, c.New)
}

// between says how a string changed; of long ones, only the part that did.
func between(old, new string) string {
	switch {
	case old == "":
		return "now " + clip(new)
	case new == "":
		return "no longer " + clip(old)
	}
	if strings.Contains(old, "\n") || strings.Contains(new, "\n") {
		return lines(strings.Split(old, "\n"), strings.Split(new, "\n"))
	}
	return clip(old) + " -> " + clip(new)
}

// lines says where two strings differ.
func lines(a, b []string) string {
	from := 0
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	ea, eb := len(a), len(b)
	for ea > from && eb > from && a[ea-1] == b[eb-1] {
		ea, eb = ea-1, eb-1
	}
	switch {
	case ea == from:
		return fmt.Sprintf("%s added at line %d: %s", count(eb-from, "line"), from+1, clip(strings.TrimSpace(b[from])))
	case eb == from:
		return fmt.Sprintf("%s removed at line %d: %s", count(ea-from, "line"), from+1, clip(strings.TrimSpace(a[from])))
	}
	s := fmt.Sprintf("line %d: %s -> %s", from+1, clip(strings.TrimSpace(a[from])), clip(strings.TrimSpace(b[from])))
	if more := max(ea, eb) - from - 1; more > 0 {
		s += fmt.Sprintf(", and up to %s after it", count(more, "line"))
	}
	return s
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func list(names []string, most int) string {
	if len(names) > most+1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

func clip(s string) string {
	s = printable.Line(s)
	if r := []rune(s); len(r) > 200 {
		return string(r[:199]) + "…"
	}
	return s
}
