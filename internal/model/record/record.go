// Package record is a graph while it is being written: the same things as in
// package graph, with pointers in place of ids. Package dsl and the packages
// with task options write it; everything else reads the graph.
package record

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/source"
)

// A Component is a graph.Component in the making. The Body and Results of its
// graph form are set from the ones here.
type Component struct {
	graph.Component
	Index   map[string][]int // of each input and output: its field in the Go struct
	Body    *Scope
	Results map[string]*Value
	Errors  []*graph.Error

	// Complete checks the arguments of a task that calls the component, and may
	// add to them, before missing arguments are reported. Nil: nothing to do.
	Complete func(*Task)

	// Run runs the component in this process, if it is a Go function or can
	// stand in for one.
	Run func(ctx context.Context, input json.RawMessage) (json.RawMessage, error)
}

// Errorf records a mistake.
func (c *Component) Errorf(pos graph.Pos, format string, args ...any) {
	c.Errors = append(c.Errors, &graph.Error{Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

// Seconds returns a setting of a pipeline in seconds, and records a mistake in it.
func (c *Component) Seconds(name string, d time.Duration) int64 {
	if d < 0 || d%time.Second != 0 || d/time.Second > math.MaxInt32 {
		c.Errorf(c.Pos, "pipeline %s: %s is %v; it must be whole seconds, from 0 to %v", c.Name, name, d, math.MaxInt32*time.Second)
	}
	return int64(d / time.Second)
}

// A Scope is a graph.Scope in the making.
type Scope struct {
	Kind   graph.ScopeKind
	Owner  *Component
	Parent *Scope
	Pos    graph.Pos
	Nodes  []any // *Task or *Scope
	Cond   *Cond
	Items  *Value
	Limit  int
	Title  string

	depth int
	jump  *Scope // one of those around it, so that each can be reached in few steps
	tasks bool   // there are some in it
}

// NewScope returns a scope in another one, or of a pipeline.
func NewScope(kind graph.ScopeKind, owner *Component, parent *Scope, pos graph.Pos) *Scope {
	s := &Scope{Kind: kind, Owner: owner, Parent: parent, Pos: pos}
	if parent == nil {
		return s
	}
	s.depth, s.jump = parent.depth+1, parent
	if up := parent.jump; up != nil && up.jump != nil && parent.depth-up.depth == up.depth-up.jump.depth {
		s.jump = up.jump
	}
	return s
}

// Within reports whether s is outer or nested in it. Scopes may be nested by the
// thousand, and a value of the outermost be read in all of them, so it jumps.
func (s *Scope) Within(outer *Scope) bool {
	if outer == nil {
		return s == nil
	}
	for s != nil && s.depth > outer.depth {
		if s.jump.depth >= outer.depth {
			s = s.jump
		} else {
			s = s.Parent
		}
	}
	return s == outer
}

// Add adds a task.
func (s *Scope) Add(t *Task) {
	s.Nodes = append(s.Nodes, t)
	for ; s != nil && !s.tasks; s = s.Parent {
		s.tasks = true
	}
}

// HasTask reports whether there is a task in s.
func (s *Scope) HasTask() bool { return s.tasks }

// A Task is a graph.Task in the making.
type Task struct {
	Name        string
	Key         string // the name that the author asked for
	Component   *Component
	Scope       *Scope
	Pos         graph.Pos
	Args        map[string]*Value
	Given       map[string]bool // inputs that the author set, mistaken ones too
	After       []*Task
	AfterScopes []*Scope
	Options     []Option

	at graph.Pos // of the option that is being applied
}

// An Option is the name of a task option and its operands: Go values, and
// Params where a reference was given.
type Option struct {
	Name     string
	Operands []any
}

// Set records an option.
func (t *Task) Set(name string, operands ...any) {
	t.Options = append(t.Options, Option{name, operands})
}

// Errorf reports a bad option, at its line.
func (t *Task) Errorf(format string, args ...any) {
	t.Scope.Owner.Errorf(cmp.Or(t.at, t.Pos), "task "+t.Name+": "+format, args...)
}

// At returns a function that applies an option, and remembers the line of user code that
// asked for it: a call of a task may span many lines.
func At(apply func(*Task)) func(*Task) {
	pos := source.Caller()
	return func(t *Task) {
		was := t.at
		t.at = pos
		apply(t)
		t.at = was
	}
}

// A Cond is a graph.Cond in the making.
type Cond struct {
	Op     string
	Values []*Value
	Conds  []*Cond
	Depth  int // of And, Or and Not in each other
}

// A Schedule is a graph.Schedule in the making.
type Schedule struct {
	graph.Schedule
	Pipeline *Component
	Args     map[string]*Value
	Errors   []*graph.Error
}

// Errorf records a mistake.
func (s *Schedule) Errorf(format string, args ...any) {
	msg := fmt.Sprintf("schedule %s: ", s.Name) + fmt.Sprintf(format, args...)
	s.Errors = append(s.Errors, &graph.Error{Pos: s.Pos, Msg: msg})
}

// The kinds of value that a graph doesn't have.
const (
	Placeholder graph.ValueKind = "placeholder" // inside a container's arguments
	Invalid     graph.ValueKind = "invalid"     // reported when it is used
)

// A Value is a graph.Value in the making.
type Value struct {
	Kind     graph.ValueKind
	Type     string
	List     bool
	Owner    *Component // whose definition it belongs to; nil for constants
	Scope    *Scope
	Task     *Task
	Name     string
	Of       []*Value
	Const    json.RawMessage
	Text     []string
	Path     string // of a Placeholder: the text for a file, if it has one
	Optional bool   // an input that may have no value
	Output   bool   // of a Placeholder
	Problem  string // of Invalid
}

// Invalidf returns a value that is reported where it is used.
func Invalidf(format string, args ...any) *Value {
	return &Value{Kind: Invalid, Problem: fmt.Sprintf(format, args...)}
}

// Marks start strings that stand for a reference, or for a mistake, in a string.
// Finding one in a constant means that package fmt was used on a reference.
const (
	refMark = "{{kfpgo.ref "
	badMark = "{{kfpgo.error "
	runMark = "{{kfpgo.run "
)

// WorkspacePath is the name, as of KFP's placeholder, of where a run's workspace is.
const WorkspacePath = "workspace_path"

// RunText replaces what stands for things that a run knows of itself by KFP's
// placeholders, in a string in which a run replaces those.
func RunText(text string) string {
	for {
		before, after, ok := strings.Cut(text, runMark)
		name, rest, end := strings.Cut(after, "}}")
		if !ok || !end {
			return text
		}
		text = before + "{{$." + name + "}}" + rest
	}
}

// Bad returns text that is reported where it is used.
func Bad(msg string) string { return badMark + msg + "}}" }

// Misused returns the error in a string that holds a mark.
func Misused(text string) (string, bool) {
	if _, after, ok := strings.Cut(text, badMark); ok {
		msg, _, _ := strings.Cut(after, "}}")
		return msg, true
	}
	if _, after, ok := strings.Cut(text, refMark); ok {
		ref, _, _ := strings.Cut(after, "}}")
		return "a string holds a reference, " + ref + "; use dsl.Sprintf in place of fmt.Sprintf", true
	}
	if _, after, ok := strings.Cut(text, runMark); ok {
		name, _, _ := strings.Cut(after, "}}")
		return "a string holds the " + name + " of the run; use dsl.Sprintf in place of fmt.Sprintf, or pass it as an input", true
	}
	return "", false
}

// String returns the text that stands for v in a string.
func (v *Value) String() string {
	if v.Kind == Placeholder {
		return v.Text[0]
	}
	if v.Kind == graph.Run {
		return runMark + v.Name + "}}"
	}
	return refMark + v.Describe() + "}}"
}

// Describe returns a short, readable form of v.
func (v *Value) Describe() string { return v.describe(0) }

func (v *Value) describe(depth int) string {
	of := make([]string, len(v.Of))
	for i, v := range v.Of {
		if of[i] = "..."; depth < graph.MaxDescribed && i < graph.MaxOperands {
			of[i] = v.describe(depth + 1)
		}
	}
	name := v.Name
	if v.Kind == graph.Output {
		name = v.Task.Name + "." + v.Name
	}
	if v.Kind == Invalid {
		return v.Problem
	}
	return v.Kind.Describe(name, v.Const, v.Text, of)
}
