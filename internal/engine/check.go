package engine

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/kfpgo/kfpgo/internal/program"
)

// check reports what the tasks that will run for sure need and this machine
// doesn't have, all of it. Those behind a condition are checked when they run.
func (e *engine) check(context.Context) error {
	c := &checker{e: e, seen: map[string]bool{}}
	c.dag(e.p.Component(e.p.Main), "")
	if len(c.containers) > 0 {
		if _, err := e.containerTool(); err != nil {
			c.need("a container", c.containers, err)
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
	if len(c.resources) > 0 {
		c.need("a cluster", c.resources, errors.New("there is none here; give their components an OnLocal function"))
	}
	return errors.Join(c.errs...)
}

type checker struct {
	e    *engine
	seen map[string]bool
	errs []error

	containers, python, steps, resources []string // tasks, by what they need
}

// need reports what tasks need and can't have.
func (c *checker) need(what string, tasks []string, why error) {
	c.errs = append(c.errs, fmt.Errorf("pipeline %s: %s is needed by %s: %w", c.e.p.Name, what, strings.Join(tasks, ", "), why))
}

func (c *checker) dag(comp *program.Component, at string) {
	if c.seen[comp.Name] {
		return
	}
	c.seen[comp.Name] = true
	for _, t := range comp.DAG.Tasks {
		sub := c.e.p.Component(t.Component)
		path := strings.TrimPrefix(at+"/"+t.Name, "/")
		switch {
		case sub == nil:
			c.errs = append(c.errs, fmt.Errorf("task %s: no component %s", path, t.Component))
		case t.When != nil:
		case sub.DAG != nil:
			c.dag(sub, path)
		default:
			c.step(t, sub, path)
		}
	}
}

func (c *checker) step(t *program.Task, sub *program.Component, path string) {
	x := sub.Exec
	switch {
	case x.Go != nil || x.OnLocal:
		c.steps = append(c.steps, path)
	case x.Python != nil:
		c.python = append(c.python, path)
	case x.Container != nil:
		c.containers = append(c.containers, path)
	case x.Resource != nil && x.Resource.Builtin == "":
		c.resources = append(c.resources, path)
	}
	if x.OnLocal || c.e.o.IgnoreGPUs {
		return
	}
	for _, a := range t.Settings.Accelerators {
		if err := c.e.device(a.Resource, constantCount(a.Count)); err != nil {
			c.errs = append(c.errs, fmt.Errorf("pipeline %s: task %s: %w", c.e.p.Name, path, err))
		}
	}
}
