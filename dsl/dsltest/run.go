// Package dsltest tests components and pipelines: it runs them on this machine with
// other functions in place of the steps that a test can't run, looks at how tasks
// are connected, and keeps compiled YAML as golden files.
//
//	r := dsltest.Run(t, mnist.Pipeline, mnist.PipelineIn{Epochs: dsl.Const(1)},
//		dsltest.Fake(mnist.TrainPython, func(_ context.Context, in mnist.TrainIn, out *mnist.TrainOut) error {
//			out.Accuracy.Set(0.5)
//			return os.WriteFile(out.Model.Path(), nil, 0o644)
//		}))
//	if r.Ran("publish") || dsltest.Output(r, mnist.Evaluate).Accuracy.Get() > 0.9 { ... }
//
// Everything that a run writes is in the test's own temporary folder.
package dsltest

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/local"
)

// Fake returns a function that takes the place of a component, of any kind, in a
// run of a test. The component's image, requirements and tasks are then not needed.
func Fake[In, Out any](c *dsl.Component[In, Out], run func(context.Context, In, *Out) error) local.StandIn {
	return local.StandFor(c, run)
}

// A Result is what a run came to.
type Result[Out any] struct {
	local.Result[Out]
	Err error // of [RunFails]: why the run failed

	t     testing.TB
	paths []string // of the tasks of the definition
}

// Run runs a component or a pipeline, and ends the test unless it succeeds. Steps
// that ask for a GPU run without one, and nothing comes from a cache.
func Run[In, Out any](t testing.TB, c *dsl.Component[In, Out], in In, fakes ...local.StandIn) *Result[Out] {
	t.Helper()
	r, err := run(t, c, in, fakes)
	if err != nil {
		t.Fatalf("%v%s", err, failures(r))
	}
	return r
}

// RunFails runs a component or a pipeline, and ends the test unless it starts and fails.
func RunFails[In, Out any](t testing.TB, c *dsl.Component[In, Out], in In, fakes ...local.StandIn) *Result[Out] {
	t.Helper()
	r, err := run(t, c, in, fakes)
	switch {
	case r == nil:
		t.Fatalf("%s did not start: %v", c.Name(), err)
	case err == nil:
		t.Fatalf("the run of %s succeeded", c.Name())
	}
	r.Err = err
	return r
}

func run[In, Out any](t testing.TB, c *dsl.Component[In, Out], in In, fakes []local.StandIn) (*Result[Out], error) {
	t.Helper()
	r, err := local.Run(t.Context(), c, in, options(t, fakes))
	return result(t, c, r), err
}

func options(t testing.TB, fakes []local.StandIn) local.Options {
	return local.Options{Home: t.TempDir(), IgnoreGPUs: true, NoCache: true, StandIns: fakes}
}

// result returns the result of a run, or nil of one that didn't start.
func result[In, Out any](t testing.TB, c *dsl.Component[In, Out], r *local.Result[Out]) *Result[Out] {
	t.Helper()
	if r == nil {
		return nil
	}
	of := &Result[Out]{Result: *r, t: t}
	for _, task := range Tasks(t, c) {
		of.paths = append(of.paths, task.Path)
	}
	return of
}

// known ends the test unless the definition has a task of that name: a test that asks
// for no run of a task that isn't there would always pass. Numbers in a path are those
// of a loop's items, which only a run has.
func (r *Result[Out]) known(name string) {
	r.t.Helper()
	parts := slices.DeleteFunc(strings.Split(name, "/"), func(part string) bool {
		_, err := strconv.Atoi(part)
		return err == nil
	})
	if len(matching(r.paths, strings.Join(parts, "/"))) == 0 {
		r.t.Fatalf("there is no task %s; there are %s", name, strings.Join(r.paths, ", "))
	}
}

// failures lists the tasks that failed, for a message.
func failures[Out any](r *Result[Out]) string {
	if r == nil {
		return ""
	}
	var b strings.Builder
	for _, t := range r.Tasks {
		if t.State == dsl.Failed {
			b.WriteString("\n" + t.Path + ": " + t.Error)
			if strings.Contains(t.Error, "no cluster to take it from") { // the folder that it names is gone after the test
				b.WriteString("\nin a test, give the component a dsltest.Fake, which needs no secrets and config maps, or set the variable with t.Setenv")
			}
		}
	}
	return b.String()
}

// Task returns the only execution of a task, which is named by its path, such as
// for-loop-1/2/train, or by the end of it. The test ends if there is none, or more
// than one.
func (r *Result[Out]) Task(name string) local.Task {
	r.t.Helper()
	switch ts := r.executions(name); len(ts) {
	case 1:
		return ts[0]
	case 0:
		var paths []string
		for _, t := range r.Tasks {
			paths = append(paths, t.Path)
		}
		r.t.Fatalf("no task %s was reached; there are %s", name, strings.Join(paths, ", "))
	default:
		var paths []string
		for _, t := range ts {
			paths = append(paths, t.Path)
		}
		r.t.Fatalf("there are %d tasks %s: %s; use Executions, or more of the path", len(ts), name, strings.Join(paths, ", "))
	}
	return local.Task{}
}

// Executions returns the executions of a task in the order in which they were
// reached; the list may be empty. In a loop there is one for each item. The test ends if the
// definition has no task of that name.
func (r *Result[Out]) Executions(name string) []local.Task {
	r.t.Helper()
	r.known(name)
	return r.executions(name)
}

func (r *Result[Out]) executions(name string) []local.Task {
	var found []local.Task
	for _, t := range r.Tasks {
		if t.Path == name || strings.HasSuffix(t.Path, "/"+name) {
			found = append(found, t)
		}
	}
	return found
}

// Ran reports whether a task, named as for [Result.Task], was executed at all, not
// skipped: which branch was taken, for instance. The test ends if the definition has no
// task of that name.
func (r *Result[Out]) Ran(name string) bool {
	r.t.Helper()
	for _, t := range r.Executions(path.Clean(name)) {
		if t.State != string(kfptype.Skipped) && t.State != string(kfptype.Pending) {
			return true
		}
	}
	return false
}

// Outputs returns the outputs of each execution of a component that succeeded, in the
// order in which they were reached; the list may be empty. Of a task in a loop there is one
// for each item. The test ends if the definition doesn't call the component.
//
//	for _, check := range dsltest.Outputs(r, Check) {
//		if check.Rate.Get() > 0.1 { ... }
//	}
func Outputs[R, In, Out any](r *Result[R], c *dsl.Component[In, Out]) []Out {
	r.t.Helper()
	outs, err := local.Outputs(&r.Result, c)
	if err != nil {
		r.t.Fatal(err)
	}
	return outs
}

// Output returns the outputs of the only execution of a component that succeeded. The
// test ends if there is none, or more than one.
func Output[R, In, Out any](r *Result[R], c *dsl.Component[In, Out]) Out {
	r.t.Helper()
	outs := Outputs(r, c)
	if len(outs) != 1 {
		r.t.Fatalf("%d executions of %s succeeded, not one; use Outputs", len(outs), c.Name())
	}
	return outs[0]
}
