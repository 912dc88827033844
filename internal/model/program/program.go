// Package program is the waist of kfpgo: what a pipeline is once the language it
// was written in no longer matters. Components have typed ports, DAGs have tasks
// whose arguments say where each value comes from, and leaves have an executor.
//
// It is a superset of KFP's PipelineSpec. Package lower makes programs from what
// an author wrote; the back ends, which write KFP IR and Argo Workflows and run
// pipelines on this machine, see programs only.
package program

import (
	"encoding/json"
	"iter"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/graph"
)

// Schema is the version of the JSON form.
const Schema = 1

// A Program is one pipeline and all that it is made of. Components refer to each
// other by name.
type Program struct {
	Schema     int          `json:"schema"`
	Name       string       `json:"name"`              // a valid KFP pipeline and Kubernetes object name
	Title      string       `json:"title,omitempty"`   // what the author called it, where that differs
	Doc        string       `json:"doc,omitempty"`     // description
	Package    string       `json:"package,omitempty"` // Go import path of the program with the Go steps
	Main       string       `json:"main"`              // the component that is the pipeline
	Components []*Component `json:"components"`        // Main first; callers before what they call
	Schedules  []*Schedule  `json:"schedules,omitempty"`

	Root   string  `json:"root,omitempty"`   // URI of the folder for artifacts, if not the server's
	Config *Config `json:"config,omitempty"` // settings of the whole pipeline

	// Residue is what a file said that the program has no word for, such as
	// fields of a later KFP: changes to the IR that is written.
	Residue []Change `json:"residue,omitempty"`

	// IR is set if the program was read from IR.
	IR *IR `json:"ir,omitempty"`

	index map[string]*Component
	calls map[string][]Call // of groups and pipelines
}

// IR is the kept part of the IR file that a program was read from.
type IR struct {
	SDKVersion string    `json:"sdkVersion,omitempty"`
	Manifest   *Manifest `json:"manifest,omitempty"`

	// Unread are fields that the program has no word for and somebody may act on. The
	// Residue holds them.
	Unread []Unread `json:"unread,omitempty"`
}

// An Unread is a field of a file that a program has no word for.
type Unread struct {
	Path  string    `json:"path"`            // of keys, with dots
	Known bool      `json:"known,omitempty"` // KFP's servers act on it
	Pos   graph.Pos `json:"pos"`
}

// A Manifest is the Kubernetes objects around a pipeline that is in their form.
type Manifest struct {
	Pipeline json.RawMessage `json:"pipeline,omitempty"` // if there is one
	Version  json.RawMessage `json:"version"`            // without spec.pipelineSpec and spec.platformSpec
}

// A Change sets what is at a path of a document of IR. Doc 0 is the pipeline, 1 the
// platform settings. Keys of lists are their indices.
type Change struct {
	Doc  int             `json:"doc,omitempty"`
	Path []string        `json:"path"`
	Set  json.RawMessage `json:"set,omitempty"` // absent: it is dropped
}

// What a component declares, and the settings of a whole pipeline, are as the author wrote
// them.
type (
	Port        = graph.Field
	Passthrough = graph.Passthrough
	Config      = graph.RunConfig
	Workspace   = graph.Workspace
)

// Component returns the component with a name, or nil.
func (p *Program) Component(name string) *Component {
	if len(p.index) != len(p.Components) {
		p.index = make(map[string]*Component, len(p.Components))
		for _, c := range p.Components {
			p.index[c.Name] = c
		}
	}
	return p.index[name]
}

// Tasks goes through the tasks of all DAGs, each with the component that has the DAG.
func (p *Program) Tasks() iter.Seq2[*Component, *Task] {
	return func(yield func(*Component, *Task) bool) {
		for _, c := range p.Components {
			if c.DAG == nil {
				continue
			}
			for _, t := range c.DAG.Tasks {
				if !yield(c, t) {
					return
				}
			}
		}
	}
}

// With returns a copy of the program that has other components.
func (p *Program) With(components []*Component) *Program {
	q := *p
	q.Components, q.index, q.calls = components, nil, nil
	return &q
}

// A Component is a unit with typed inputs and outputs: a DAG or an executor.
type Component struct {
	Name    string    `json:"name"`            // unique in the program, [a-z0-9-]
	Title   string    `json:"title,omitempty"` // the author's name for it, where that differs
	Doc     string    `json:"doc,omitempty"`
	Pos     graph.Pos `json:"pos"`
	Inputs  []Port    `json:"inputs,omitempty"`
	Outputs []Port    `json:"outputs,omitempty"`
	DAG     *DAG      `json:"dag,omitempty"`
	Exec    *Executor `json:"exec,omitempty"`

	// Passthroughs are the settings of a task that the step gets as a TASK_CONFIG.
	Passthroughs []Passthrough `json:"passthroughs,omitempty"`

	// Key and Label are the names of the component and of its executor in the
	// IR that it was read from. Empty: the writer names them.
	Key   string `json:"key,omitempty"`
	Label string `json:"label,omitempty"`
}

// Input returns the input with a name, or nil.
func (c *Component) Input(name string) *Port { return port(c.Inputs, name) }

// Output returns the output with a name, or nil.
func (c *Component) Output(name string) *Port { return port(c.Outputs, name) }

func port(ps []Port, name string) *Port {
	for i := range ps {
		if ps[i].Name == name {
			return &ps[i]
		}
	}
	return nil
}

// A DAG is tasks and the values that leave it.
type DAG struct {
	// Kind says what the author wrote: Pipeline, Branches (its tasks are the
	// arms, at most one of which runs), Condition (an If or an arm), Loop (the
	// body of a ParallelFor) or Guarded (what an exit handler guards).
	Kind    DAGKind           `json:"kind"`
	Tasks   []*Task           `json:"tasks"`             // in the order of writing, which is a topological order
	Outputs map[string]Export `json:"outputs,omitempty"` // for each output of the component
}

// A DAGKind says what an author wrote that became a DAG.
type DAGKind string

// The kinds of DAG.
const (
	Pipeline  DAGKind = "pipeline"
	Branches  DAGKind = "branches"
	Condition DAGKind = "condition"
	Loop      DAGKind = "loop"
	Guarded   DAGKind = "guarded"
)

// Task returns the task with a name, or nil.
func (d *DAG) Task(name string) *Task {
	for _, t := range d.Tasks {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// An Export is an output of a DAG: the first of the From that was produced. There
// is one, except where the branches of a one-of are joined.
type Export struct {
	From []From `json:"from"`
}

// From names an output of a task of the same DAG.
type From struct {
	Task   string `json:"task"`
	Output string `json:"output"`
}

// A Task is one call of a component in a DAG.
type Task struct {
	Name      string           `json:"name"`            // unique in its DAG, [a-z0-9-]
	Title     string           `json:"title,omitempty"` // display name
	Component string           `json:"component"`
	Pos       graph.Pos        `json:"pos"`
	Args      map[string]Value `json:"args,omitempty"` // by input of the component; absent: not given

	// After lists the tasks of the DAG that must end first: those whose outputs
	// the task reads and those that it must follow, sorted.
	After []string `json:"after,omitempty"`

	// When is the condition under which the task runs; its names are Args of
	// this task. Nil: always.
	When *expr.Expr `json:"when,omitempty"`

	// WhenText is a condition of the IR, as CEL, that When can't say. Only KFP
	// can evaluate it.
	WhenText string `json:"whenText,omitempty"`

	// Each repeats the task for the items of a list.
	Each *Each `json:"each,omitempty"`

	// Always runs the task however those in After ended, as exit handlers do
	// (KFP's ALL_UPSTREAM_TASKS_COMPLETED). Exit marks the tasks of an exit
	// handler itself.
	Always bool `json:"always,omitempty"`
	Exit   bool `json:"exit,omitempty"`

	Settings Settings `json:"settings,omitzero"`
}

// Each says what a loop is over. The component of the task has an input named
// Item that gets one item of the list each time.
type Each struct {
	Items       Value  `json:"items"`          // a LIST parameter, or a list of artifacts
	List        string `json:"list,omitempty"` // the input of the component that holds Items too; empty: Items is a constant
	Item        string `json:"item"`
	Artifact    bool   `json:"artifact,omitempty"`
	Parallelism int    `json:"parallelism,omitempty"` // at once; 0: no limit
	Once        bool   `json:"once,omitempty"`        // in IR it is in a loop of one iteration, as package kfp says
}

// A ValueKind says where a value comes from.
type ValueKind string

// The kinds of value.
const (
	Const    ValueKind = "const"    // Const
	Input    ValueKind = "input"    // input Name of the component that the DAG belongs to
	Output   ValueKind = "output"   // output Name of sibling Task
	Format   ValueKind = "format"   // a STRING: Text[0] Of[0] Text[1] ... Text[n]; or a LIST or STRUCT whose JSON that is: see Pieces
	Status   ValueKind = "status"   // the final status of sibling Task (guarded group)
	FireTime ValueKind = "firetime" // of the schedule that starts the run, in its zone; only in schedules
	FireDate ValueKind = "firedate" // the day of that, 2006-01-02
	Run      ValueKind = "run"      // what the run knows of itself: Name is that of KFP's placeholder, such as pipeline_job_uuid
)

// A Value says where an argument comes from, in terms of the DAG that holds the
// task. Field then selects a member of a struct, by JSON names from the outside in.
type Value struct {
	Kind  ValueKind       `json:"kind"`
	Type  graph.Type      `json:"type"`
	Const json.RawMessage `json:"const,omitempty"`
	Name  string          `json:"name,omitempty"`
	Task  string          `json:"task,omitempty"`
	Field []string        `json:"field,omitempty"`
	Text  []string        `json:"text,omitempty"`
	Of    []Value         `json:"of,omitempty"`

	// Selector is an expression of the IR, as CEL, that Field can't say.
	Selector string `json:"selector,omitempty"`
}

// Partial reports whether a value is a part of another one.
func (v *Value) Partial() bool { return len(v.Field) > 0 || v.Selector != "" }

// A Schedule starts runs of the program at its fire times.
type Schedule struct {
	Name    string           `json:"name"`
	Cron    string           `json:"cron,omitempty"`    // five fields, minute first
	Seconds bool             `json:"seconds,omitempty"` // Cron has a sixth in front, the second
	Every   time.Duration    `json:"every,omitempty"`
	Zone    string           `json:"zone,omitempty"`
	Start   *time.Time       `json:"start,omitempty"`
	End     *time.Time       `json:"end,omitempty"`
	Limit   int              `json:"limit,omitempty"` // runs at once; 0: 1
	CatchUp bool             `json:"catchUp,omitempty"`
	Paused  bool             `json:"paused,omitempty"`
	Args    map[string]Value `json:"args,omitempty"` // Const, FireTime or FireDate
}

// CleanName returns a name as KFP's Python SDK does for Kubernetes: lower case, with a
// dash for what isn't a letter or digit. It may be empty.
func CleanName(name string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		} else {
			dash = true
		}
	}
	return b.String()
}
