package kfp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// What KFP's servers, up to 2.17, do with an optional input that isn't given: a task
// whose parent has it as null doesn't get it, and a task inside of that one which takes
// it fails, since "parent DAG does not have input parameter" (driver, resolveInputs;
// before 2.5 the first one does). So a value that isn't there can't go through a pipeline,
// branch or loop to something inside. What a run isn't given doesn't: see Program.Known.
// The others are lists and structs of it.

// passes is the first server that passes what isn't given to a task, as the N of 2.N.
const passes = 5

// lost refuses what uses an optional input that isn't given in this run, and that a
// server would lose on the way.
func (w *writer) lost() {
	if w.o.Given == nil || !w.o.Exact {
		return
	}
	for _, c := range w.p.Components {
		if c.DAG == nil || w.never(c) {
			continue
		}
		for _, t := range c.DAG.Tasks {
			for _, v := range t.Values() {
				if v.Kind == program.Input && w.drops(c, v.Name) {
					place{w, t}.errorf("input %s isn't given, and KFP's servers up to 2.%d fail a task that takes one from a pipeline, branch or loop around it; give it a value, or the input a default", w.origin(c, v.Name), feature.Newest)
				}
			}
		}
	}
}

// once answers a question about an input of a DAG once: pipelines that call pipelines
// twice each lead to it along as many ways as there are combinations of calls.
func (w *writer) once(what string, c *program.Component, name string, answer func() bool) bool {
	key := [3]string{what, c.Name, name}
	known, ok := w.answers[key]
	if !ok {
		known = answer()
		w.answers[key] = known
	}
	return known
}

// drops reports whether a server has no value for an input of a DAG, not even null.
func (w *writer) drops(c *program.Component, name string) bool {
	if c.Name == w.p.Main {
		return w.older(passes) && w.null(c, name)
	}
	return w.once("drops", c, name, func() bool {
		return slices.ContainsFunc(w.runners(c), func(by program.Call) bool {
			arg, ok := by.Task.Args[name]
			if !ok {
				in := c.Input(name)
				return in != nil && in.Optional && in.Default == nil
			}
			return arg.Kind == program.Input && (w.null(by.In, arg.Name) || w.drops(by.In, arg.Name))
		})
	})
}

// runners are the tasks that call a DAG, without those that are known not to run.
func (w *writer) runners(c *program.Component) []program.Call {
	return slices.DeleteFunc(slices.Clone(w.p.Callers(c.Name)), func(by program.Call) bool { return by.Task.When.Is(false) })
}

// never reports whether a DAG runs only if an input has a value that isn't given.
func (w *writer) never(c *program.Component) bool {
	return w.once("never", c, "", func() bool { return w.guarded(c) })
}

func (w *writer) guarded(c *program.Component) bool {
	calls := w.p.Callers(c.Name)
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(by program.Call) bool {
		if w.never(by.In) {
			return false
		}
		if by.Task.When.Is(false) {
			return false
		}
		for name, arg := range by.Task.Args {
			if by.Task.When != nil && by.Task.When.Needs(name) && arg.Kind == program.Input && w.null(by.In, arg.Name) {
				return false
			}
		}
		return true
	})
}

// null reports whether an input of a DAG is null in this run.
func (w *writer) null(c *program.Component, name string) bool {
	in := c.Input(name)
	if in == nil || in.Default != nil {
		return false
	}
	if c.Name == w.p.Main {
		return in.Optional && !w.o.Given[name]
	}
	return w.once("null", c, name, func() bool {
		return slices.ContainsFunc(w.runners(c), func(by program.Call) bool {
			arg, ok := by.Task.Args[name]
			if !ok {
				return in.Optional
			}
			return arg.Kind == program.Input && w.null(by.In, arg.Name)
		})
	})
}

// origin is the input of the pipeline that an input of a DAG comes from.
func (w *writer) origin(c *program.Component, name string) string {
	for _, by := range w.p.Callers(c.Name) {
		if arg, ok := by.Task.Args[name]; ok && arg.Kind == program.Input {
			return w.origin(by.In, arg.Name)
		}
	}
	if c.Name == w.p.Main || c.DAG.Kind != program.Pipeline {
		return strings.TrimPrefix(name, contract.Channel)
	}
	return fmt.Sprintf("%s of %s", name, c.Titled())
}
