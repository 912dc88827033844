package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// gate returns what the table of features says that no machine can do of a
// program, and after it the findings of this package.
func gate(p *program.Program, o Options, found error) error {
	var except []string
	if o.IgnoreGPUs {
		except = append(except, "accelerator.count") // no devices are asked for
	}
	return feature.Gate(p, feature.Local, found, except...)
}

// check reports what the tasks that will run for sure need and this machine
// doesn't have, all of it. Those behind a condition that is known only at run time
// are checked when they run.
func (e *engine) check(main *program.Component, in env) error {
	if err := sound(e.p); err != nil {
		return err
	}
	c := &checker{e: e, seen: map[string]bool{}}
	known := env{params: maps.Clone(in.params)}
	for _, port := range main.Inputs {
		if !port.Type.Artifact && !in.has(port.Name) {
			known.params[port.Name] = nil // known not to be given
		}
	}
	c.dag(main, "", known)
	if len(c.containers) > 0 {
		if _, err := e.containerTool(); err != nil {
			c.need("a container", c.containers, fmt.Errorf("%w, or %s", err, e.instead()))
		}
	}
	if len(c.python) > 0 {
		if _, err := exec.LookPath(e.o.Python); err != nil {
			c.need("Python", c.python, err)
		}
	}
	if len(c.steps) > 0 && e.o.Program == "" && e.o.InProcess == nil {
		c.need("the program with the Go steps", c.steps, errors.New("it was not given"))
	}
	for _, s := range c.suspended {
		if err := e.unanswered(s.path, s.task, s.comp); err != nil && e.earlier[s.path] == nil {
			c.errs = append(c.errs, fmt.Errorf("pipeline %s: task %s: %w", e.p.Name, s.path, err))
		}
	}
	if len(c.resources) > 0 {
		c.need("a cluster", c.resources, errors.New("there is none here; "+e.instead()))
	}
	return errors.Join(c.errs...)
}

// sound reports what would block a run forever, or worse: programs may come from
// files.
func sound(p *program.Program) error {
	var errs []error
	for _, c := range p.Components {
		if c.DAG == nil && c.Exec == nil {
			errs = append(errs, fmt.Errorf("component %s has neither tasks nor an executor", c.Name))
		}
		if c.DAG == nil {
			continue
		}
		before := map[string]bool{}
		for _, t := range c.DAG.Tasks {
			if p.Component(t.Component) == nil {
				errs = append(errs, fmt.Errorf("task %s of %s: no component %s", t.Name, c.Name, t.Component))
			}
			after := map[string]bool{}
			for _, name := range t.After {
				if after[name] = true; !before[name] {
					errs = append(errs, fmt.Errorf("task %s of %s follows %s, which is not a task before it", t.Name, c.Name, name))
				}
			}
			for _, v := range t.Values() {
				if (v.Kind == program.Output || v.Kind == program.Status) && !after[v.Task] {
					errs = append(errs, fmt.Errorf("task %s of %s reads %s, which it doesn't follow", t.Name, c.Name, v))
				}
			}
			before[t.Name] = true
		}
		for _, name := range slices.Sorted(maps.Keys(c.DAG.Outputs)) {
			for _, from := range c.DAG.Outputs[name].From {
				if !before[from.Task] {
					errs = append(errs, fmt.Errorf("output %s of %s is of task %s, which it doesn't have", name, c.Name, from.Task))
				}
			}
		}
	}
	return errors.Join(errs...)
}

type checker struct {
	e    *engine
	seen map[string]bool // components, with the known states of their inputs
	errs []error

	containers, python, steps, resources []string // tasks, by what they need

	suspended []waiting
}

// A waiting is a task that waits for a person.
type waiting struct {
	path string
	task *program.Task
	comp *program.Component
}

// need reports what tasks need and can't have.
func (c *checker) need(what string, tasks []string, why error) {
	c.errs = append(c.errs, fmt.Errorf("pipeline %s: %s is needed by %s: %w", c.e.p.Name, what, strings.Join(tasks, ", "), why))
}

// dag checks the tasks of a DAG. In has those of its inputs that are known.
func (c *checker) dag(comp *program.Component, at string, in env) {
	key, _ := json.Marshal([]any{comp.Name, in.params})
	if c.seen[string(key)] {
		return
	}
	c.seen[string(key)] = true
	for _, t := range comp.DAG.Tasks {
		sub := c.e.p.Component(t.Component)
		path := strings.TrimPrefix(at+"/"+t.Name, "/")
		known := c.known(t, sub, comp, in)
		switch {
		case !runs(t, known):
		case sub.DAG != nil:
			c.dag(sub, path, known)
		default:
			c.step(t, sub, path)
		}
	}
}

// known returns the arguments of a task that are known before the run. A nil
// value is that of an input that is known not to be given.
func (c *checker) known(t *program.Task, sub, comp *program.Component, in env) env {
	f := &frame{e: c.e, in: in}
	out := env{params: map[string]json.RawMessage{}}
	for i := range sub.Inputs {
		port := &sub.Inputs[i]
		v, given := t.Args[port.Name]
		if port.Type.Artifact || t.Each != nil && port.Name == t.Each.Item || given && !static(v, comp, in) {
			continue
		}
		if given {
			if b, ok, err := f.eval(v); err != nil {
				continue
			} else if ok {
				out.params[port.Name] = b
			}
		}
		if out.params[port.Name] == nil {
			out.params[port.Name] = port.Default
		}
	}
	return out
}

// static reports whether a value is known before the run.
func static(v program.Value, comp *program.Component, in env) bool {
	switch v.Kind {
	case program.Const:
		return true
	case program.Input:
		_, ok := in.params[v.Name]
		return ok
	case program.Format:
		for _, of := range v.Of {
			if !static(of, comp, in) {
				return false
			}
		}
		return true
	}
	return false
}

// runs reports whether it is known that a task's condition holds.
func runs(t *program.Task, known env) bool {
	if t.When == nil {
		return true
	}
	unknown := false
	holds, err := t.When.Eval(func(name string) (json.RawMessage, bool) {
		b, ok := known.params[name]
		unknown = unknown || !ok
		return b, b != nil
	})
	return holds && err == nil && !unknown
}

func (c *checker) step(t *program.Task, sub *program.Component, path string) {
	x := sub.Exec
	switch {
	case x.Go != nil && !x.OnLocal && c.e.away(x.Go):
		c.containers = append(c.containers, path)
	case x.Go != nil || x.OnLocal:
		c.steps = append(c.steps, path)
	case x.Python != nil:
		c.python = append(c.python, path)
	case x.Container != nil:
		c.containers = append(c.containers, path)
	case x.Suspend != nil:
		c.suspended = append(c.suspended, waiting{path, t, sub})
	case x.Resource != nil && x.Resource.Builtin == "":
		c.resources = append(c.resources, path)
	}
	if x.OnLocal || c.e.o.IgnoreGPUs {
		return
	}
	for _, a := range t.Settings.Accelerators {
		if a.Type != nil || a.Resource == "" {
			continue // known when the step runs, or refused by the table of features
		}
		if _, err := c.e.device(a.Resource, constantCount(a.Count)); err != nil {
			c.errs = append(c.errs, fmt.Errorf("pipeline %s: task %s: %w", c.e.p.Name, path, err))
		}
	}
}

// away reports whether the program that has a Go step isn't at hand, but its image
// is known.
func (e *engine) away(x *program.GoStep) bool {
	return e.o.Program == "" && e.o.InProcess == nil && x.Image != ""
}
