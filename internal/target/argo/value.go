package argo

import (
	"fmt"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A scope is a DAG in the making: the place where values are read.
type scope struct {
	*builder
	comp *program.Component
	root bool // the pipeline itself: its inputs are arguments of the Workflow
	exit bool // the exit handler of the Workflow
	loop bool // inside of a loop
	task *program.Task
}

// refuse reports what a row of the table of features says that Argo can't do.
func (s *scope) refuse(row string) { s.refuseAt(row, s.task.Pos, ", task "+s.task.Name) }

func (s *scope) errorf(format string, args ...any) { s.taskErrorf(s.task, format, args...) }

// carrier returns the expression for the carrier of a value.
func (s *scope) carrier(v program.Value) string {
	field := v.Field
	v.Field = nil
	base := s.whole(v)
	if len(field) == 0 {
		return base
	}
	member := "fromJSON(" + base + ")"
	for _, f := range field {
		member += "?.[" + literal(f) + "]"
	}
	switch v.Type.Name {
	case kfptype.Integer:
		// Reading JSON makes a double of it: more digits than that holds are an error.
		return fmt.Sprintf("(abs(%s ?? 0) <= 9007199254740991 ? toJson(%s) : string(int('%s is beyond 2^53')))", member, member, strings.Join(field, "."))
	case kfptype.Double, kfptype.Boolean:
		return "toJson(" + member + ")"
	case kfptype.String:
		if v.Kind == program.Status {
			break
		}
		// Nothing makes sure that it is one: KFP takes the JSON of others, and so do Argo's own tags
		return encoded("(type(" + member + ") in ['string', 'nil'] ? " + member + " : toJson(" + member + "))")
	}
	return encoded(member)
}

// whole is carrier for a value without a field.
func (s *scope) whole(v program.Value) string {
	switch v.Kind {
	case program.Const:
		return literal(constCarrier(v.Const))
	case program.Input:
		return s.input(v)
	case program.Output:
		return s.output(v.Task, v.Name)
	case program.Format:
		if v.JSON() {
			return s.composed(v)
		}
		parts := make([]string, 0, 2*len(v.Of)+1)
		for i, text := range v.Text {
			if text != "" {
				parts = append(parts, literal(text))
			}
			if i < len(v.Of) {
				parts = append(parts, s.inText(v.Of[i]))
			}
		}
		if len(parts) == 0 {
			parts = []string{"''"}
		}
		return encoded(strings.Join(parts, " + "))
	case program.Status:
		return s.status(v.Task)
	case program.Run:
		return encoded(s.ofRun(v.Name))
	}
	s.errorf("a value of kind %q can't be passed in an Argo Workflow", v.Kind)
	return "'null'"
}

// composed returns the carrier of the JSON of a list or struct.
func (s *scope) composed(v program.Value) string {
	var parts []string
	for _, p := range v.Pieces() {
		switch {
		case p.Value != nil:
			parts = append(parts, s.carrier(*p.Value))
		case p.JSON != "":
			parts = append(parts, literal(strings.NewReplacer("{{", `{\u007b`, "$", `\u0024`).Replace(p.JSON)))
		}
	}
	return "(" + strings.Join(parts, " + ") + ")"
}

// input returns the carrier of an input of the DAG.
func (s *scope) input(v program.Value) string {
	in := s.comp.Input(v.Name)
	if in == nil {
		s.errorf("there is no input %q", v.Name)
		return "'null'"
	}
	if in.Type.Artifact && s.root {
		return outputParam(importTask(v.Name), "artifact"+metaSuffix)
	}
	if in.Type.Artifact {
		return "inputs.parameters[" + literal(v.Name+metaSuffix) + "]"
	}
	if !s.root {
		return "inputs.parameters[" + literal(v.Name) + "]"
	}
	return fromArgument(in)
}

// ran returns an expression for an output of a sibling, which is null where the one
// who reads it runs though the sibling hasn't: then it has no outputs.
func (s *scope) ran(task, e string) string {
	if !s.unsure() {
		return e
	}
	return "(tasks[" + literal(TaskName(task)) + "].status == 'Succeeded' ? " + e + " : 'null')"
}

// unsure reports whether the task runs whatever became of those that it reads.
func (s *scope) unsure() bool { return s.task != nil && s.task.Always && !s.exit }

// output returns the carrier of an output of a sibling.
func (s *scope) output(task, name string) string {
	ref, port, raw := s.rawOutput(task, name)
	switch {
	case port == nil:
		return "'null'"
	case !raw:
		return s.ran(task, ref)
	}
	e := "trim(" + ref + ")"
	if port.Type.Name == kfptype.String {
		e = encoded(ref)
	} else if port.Type.Name != kfptype.Integer && port.Type.Name != kfptype.Double && port.Type.Name != kfptype.Boolean {
		e = armour(e)
	}
	if port.Optional {
		absent := "'null'"
		if s.isResource(s.p.Component(s.comp.DAG.Task(task).Component)) {
			absent = "''" // what kubectl says where there is no such field
		}
		e = "(" + ref + " == " + absent + " ? 'null' : " + e + ")"
	}
	return s.ran(task, e)
}

// rawOutput returns the text of an output parameter of a sibling, or of the
// metadata of an artifact. Raw: it is the text that a container wrote, not a carrier.
func (s *scope) rawOutput(task, name string) (ref string, port *program.Port, raw bool) {
	t := s.comp.DAG.Task(task)
	if t == nil {
		s.errorf("there is no task %q to read %s from", task, name)
		return "", nil, false
	}
	c := s.p.Component(t.Component)
	if c != nil {
		port = c.Output(name)
	}
	if port == nil {
		s.errorf("task %s has no output %q", task, name)
		return "", nil, false
	}
	param := name
	if port.Type.Artifact {
		param += metaSuffix
	}
	raw = c.Exec != nil && c.Exec.Go == nil && c.Exec.Python == nil && !port.Type.Artifact
	return outputParam(task, param), port, raw
}

func outputParam(task, param string) string {
	return "tasks[" + literal(TaskName(task)) + "].outputs.parameters[" + literal(param) + "]"
}

// inText returns the expression for a value in a string: a string as it is, others
// as JSON, and nothing for what wasn't given.
func (s *scope) inText(v program.Value) string {
	e := s.plain(v)
	if in := s.textArgument(v); in != nil && optional(in) {
		return "(" + isNotGiven(in) + " ? '' : " + e + ")"
	}
	if s.nullable(v) || len(v.Field) > 0 {
		return "(" + s.carrier(v) + " == 'null' ? '' : " + e + ")"
	}
	return e
}

// plain returns the expression for the text of a value that is there.
func (s *scope) plain(v program.Value) string {
	if text, ok := v.Constant(); ok && len(v.Field) == 0 {
		return literal(text)
	}
	if v.Type.Name != kfptype.String {
		return s.carrier(v)
	}
	if in := s.textArgument(v); in != nil {
		return argumentText(in)
	}
	if len(v.Field) == 0 {
		switch v.Kind {
		case program.Run:
			return s.ofRun(v.Name)
		case program.Output:
			if ref, port, raw := s.rawOutput(v.Task, v.Name); raw && port.Type.Name == kfptype.String {
				return ref
			}
		}
	}
	return "fromJSON(" + s.carrier(v) + ")"
}

// nullable reports whether a value may not be given.
func (s *scope) nullable(v program.Value) bool {
	return v.Kind == program.Output && s.unsure() || s.p.Nullable(s.comp, v)
}

// absent reports whether an output of a task of a DAG may have no value.
func (b *builder) absent(c *program.Component, task, name string) bool {
	return b.p.Nullable(c, program.Value{Kind: program.Output, Task: task, Name: name})
}

// argument returns the text of an argument: a carrier.
func (s *scope) argument(v program.Value, to *program.Port) string {
	if v.Kind == program.Const && len(v.Field) == 0 {
		return constCarrier(v.Const)
	}
	e := s.carrier(v)
	if to.Default != nil && (s.nullable(v) || len(v.Field) > 0) {
		e = "(" + e + " == 'null' ? " + literal(constCarrier(to.Default)) + " : " + e + ")"
	}
	return tag(e)
}

// param returns an argument.
func param(name, value string) wfv1.Parameter {
	return wfv1.Parameter{Name: name, Value: anyString(value)}
}
