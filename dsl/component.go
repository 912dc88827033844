package dsl

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/source"
)

// None is the In or Out of a component that has no inputs or no outputs.
type None struct{}

// A Component is a named unit of work with typed inputs and outputs. Its In and
// Out are structs of [Param], [Artifact] and [List] fields. These tags are read:
//
//	kfp:"name,optional"   name in the pipeline (default: the field's name in
//	                      snake case), and whether a caller may leave it out
//	default:"5"           value when a caller leaves a parameter out: a string,
//	                      number or bool, [] or {}; see [Component.Defaults]
//	doc:"..."             shown by the KFP UI and by kfpgo
//	jsonpath:"{.x.y}"     output of a [Resource]: where the object has it
//	enum:"YES,NO"         output of an argo.Suspend: the values that it may have
type Component[In, Out any] struct {
	c       *record.Component
	options []Option     // that apply to every task
	define  func(*Scope) // records the body of a pipeline, once
	run     func(context.Context, In, *Out) error
	local   func(context.Context, In, *Out) error // in place of run here, if it is a Func
}

func newComponent[In, Out any](kind graph.Kind, name string, opts []Option) *Component[In, Out] {
	c := &record.Component{Index: map[string][]int{}}
	c.Name, c.Kind, c.Pos = name, kind, source.Caller()
	if err := checkName(name); err != nil {
		c.Errorf(c.Pos, "a %s %v", kind, err)
	}
	form := checkPort
	if kind == graph.Pipeline {
		form = checkPipelinePort
	}
	var errs [2][]error
	c.Inputs, errs[0] = schemaOf(reflect.TypeFor[In](), c.Index, form)
	outputs := map[string][]int{}
	c.Outputs, errs[1] = schemaOf(reflect.TypeFor[Out](), outputs, form)
	for name, index := range outputs {
		c.Index["out."+name] = index
	}
	for _, f := range c.Outputs {
		if f.Type.List && kind != graph.Pipeline {
			errs[1] = append(errs[1], fmt.Errorf("output %s is a list of artifacts, which only a pipeline returns, from dsl.CollectedArtifacts; use an artifact that is a folder", f.Name))
		}
	}
	for _, err := range slices.Concat(errs[0], errs[1]) {
		c.Errorf(c.Pos, "component %s: %v", name, err)
	}
	comp := &Component[In, Out]{c: c, options: opts, define: func(*Scope) {}}
	c.Run = comp.execute
	return comp
}

func (c *Component[In, Out]) input(in *In, f graph.Field) field { return at(in, c.c.Index[f.Name]) }
func (c *Component[In, Out]) output(out *Out, f graph.Field) field {
	return at(out, c.c.Index["out."+f.Name])
}

// Defaults sets the values of the parameters that a caller may leave out, and
// returns c, to end the declaration of a component with.
func (c *Component[In, Out]) Defaults(in In) *Component[In, Out] {
	pos := source.Caller()
	for i, f := range c.c.Inputs {
		switch v := c.input(&in, f).value(); {
		case v == nil:
		case v.Kind == record.Invalid:
			c.c.Errorf(pos, "component %s: default of %s: %s", c.c.Name, f.Name, v.Problem)
		case v.Kind != graph.Const:
			c.c.Errorf(pos, "component %s: default of %s must be a constant", c.c.Name, f.Name)
		default:
			c.c.Inputs[i].Default = v.Const
		}
	}
	return c
}

// Doc sets the description that UIs show, and returns c, to end the declaration
// of a component with. KFP takes it from the docstring of a Python function.
func (c *Component[In, Out]) Doc(text string) *Component[In, Out] {
	if !utf8.ValidString(text) {
		c.c.Errorf(source.Caller(), "component %s: the description is not valid UTF-8", c.c.Name)
	}
	c.c.Component.Doc = strings.TrimSpace(text)
	return c
}

// OnLocal sets a Go function that stands in for the component in runs on this
// machine and in [Component.Run], for what needs a cluster, an image or a GPU. The
// stand-in of a [Func], which works on a cluster for instance, may call what Func
// returned before; on KFP and Argo the function itself runs.
func (c *Component[In, Out]) OnLocal(run func(context.Context, In, *Out) error) *Component[In, Out] {
	switch c.c.OnLocal = run != nil; c.c.Kind {
	case graph.Func:
		c.local = run
	case graph.Pipeline:
		c.c.Errorf(source.Caller(), "component %s: OnLocal of a %s, which runs locally as it is", c.c.Name, c.c.Kind)
		fallthrough
	default:
		c.run = run
	}
	return c
}

// Func returns the component's Go function, or its stand-in for local runs, to
// be the stand-in of another one. It is nil if there is none.
func (c *Component[In, Out]) Func() func(context.Context, In, *Out) error {
	if c.local != nil {
		return c.local
	}
	return c.run
}

// Name returns the component's name.
func (c *Component[In, Out]) Name() string { return c.c.Name }

// Call adds a task that runs the component and returns references to its
// outputs. The options override the component's own.
func (c *Component[In, Out]) Call(s *Scope, in In, opts ...Option) *Task[Out] {
	pos := source.Caller()
	if c == nil || s == nil {
		return misplaced[Out](s, pos, c == nil)
	}
	if s.defines(c.c) {
		s.errorf(pos, "pipeline %s calls itself", c.c.Name)
	} else {
		c.define(s)
	}
	before := s.names[c.c.Name]
	t := s.task(c.c, pos)
	for _, f := range c.c.Inputs {
		if v := c.input(&in, f).value(); v != nil {
			t.Given[f.Name] = true
			if s.readable(v, pos) {
				t.Args[f.Name] = v
			}
		}
	}
	if c.c.Complete != nil {
		c.c.Complete(t)
	}
	for _, f := range c.c.Inputs {
		if f.Required() && !t.Given[f.Name] && t.Args[f.Name] == nil {
			t.Errorf("input %s is required", f.Name)
		}
	}
	for _, o := range slices.Concat(c.options, opts) {
		if o != nil {
			o(t)
		}
	}
	s.options(t)
	s.upstream(t)
	s.rekey(t, pos, before)
	task := &Task[Out]{t: t}
	for _, f := range c.c.Outputs {
		c.output(&task.Out, f).bind(&record.Value{Kind: graph.Output, Task: t, Name: f.Name, Owner: s.g.Owner, Scope: s.g})
	}
	return task
}

// misplaced returns a task that was not added, because the component or the
// scope is nil.
func misplaced[Out any](s *Scope, pos graph.Pos, noComponent bool) *Task[Out] {
	msg := fmt.Sprintf("the task at line %d has no scope", pos.Line)
	if noComponent {
		msg = fmt.Sprintf("the task at line %d has no component: the variable is nil", pos.Line)
		if s != nil {
			s.errorf(pos, "call of a component that is nil")
		}
	}
	task := &Task[Out]{}
	for _, f := range leaves(&task.Out) {
		f.bind(record.Invalidf("%s", msg))
	}
	return task
}

// Arguments returns the values of a pipeline's inputs for a run, as JSON by name.
// Each parameter must be a constant, and each artifact a [File], or a list of those:
// an object with its uri and metadata. An input that is left out takes its default.
func (c *Component[In, Out]) Arguments(in In) (map[string]json.RawMessage, error) {
	args := map[string]json.RawMessage{}
	for _, f := range c.c.Inputs {
		v := c.input(&in, f).value()
		if f.Type.Artifact && v == nil {
			if b, err := c.input(&in, f).store(); err != nil {
				return nil, fmt.Errorf("%s: input %s: %w", c.c.Name, f.Name, err)
			} else if b != nil {
				args[f.Name] = b
				continue
			}
		}
		switch {
		case v == nil && f.Required():
			return nil, fmt.Errorf("%s: input %s is required", c.c.Name, f.Name)
		case v == nil:
		case v.Kind != graph.Const:
			return nil, fmt.Errorf("%s: input %s must be a constant, not %s", c.c.Name, f.Name, v.Describe())
		default:
			args[f.Name] = v.Const
		}
	}
	return args, nil
}

// A Task is one call of a component in a pipeline. KFP v1 calls it a ContainerOp
// too; v2 calls it a PipelineTask.
type Task[Out any] struct {
	Out Out // references to the outputs
	t   *record.Task
}

// A Handle is any *Task, whatever its outputs, or what [Group] or a loop returns.
type Handle interface {
	handle() (*record.Task, *record.Scope)
}

func (t *Task[Out]) handle() (*record.Task, *record.Scope) {
	if t == nil {
		return nil, nil
	}
	return t.t, nil
}
