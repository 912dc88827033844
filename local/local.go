// Package local runs pipelines on this machine, from a Go program: kfpgo run
// without the command line.
//
// Where the program calls dsl.Init, each Go step is a process of its own, as it
// is on a cluster. In a program that doesn't, such as a test, Go steps run in
// this process. Python steps run with python3, and containers with podman or docker.
package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/local/report"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// Options say how a pipeline runs. The zero Options run it as kfpgo run does.
type Options struct {
	Home       string // folder for runs; default $KFPGO_HOME, else kfpgo in the user's state folder
	GPUs       *int   // how many there are; nil: those that nvidia-smi lists
	IgnoreGPUs bool   // run what asks for a GPU without one
	Parallel   int    // steps at once; 0: the number of CPUs
	NoCache    bool   // run steps even if equal ones have succeeded before
	Usage      bool   // measure CPUs, memory and GPUs of steps that are processes or containers, for the report; on Linux

	// Resume is the folder of an earlier run of the pipeline, which failed or was
	// stopped: steps that succeeded in it with equal inputs are not run again.
	Resume string

	// StandIns run in place of components. With any, all Go steps run in this process.
	StandIns []StandIn

	// Observe is called when a task changes its state, one call at a time.
	Observe func(Task)
}

// A Task is one execution of a task, as it is now.
type Task struct {
	Path     string // its name below those of its groups: exit-handler-1/for-loop-3/0/train
	State    string // PENDING, RUNNING, SUCCEEDED, FAILED, SKIPPED, CACHED or CANCELED
	Error    string // why it failed
	Attempts int
	Outputs  map[string]json.RawMessage // parameters
	Started  time.Time
	Ended    time.Time
}

// A Result is what one execution of a pipeline came to.
type Result[Out any] struct {
	Out   Out    // the pipeline's outputs that were produced
	State string // SUCCEEDED, FAILED or CANCELED
	Dir   string // folder with run.json, report.html, logs and artifacts
	Tasks []Task // in the order in which they were reached

	run     *run.Run
	program *program.Program
}

// Run runs a pipeline, or any other component, with its arguments. The error says
// why it was not started, an [dsl.ErrorList] if its definition is wrong; or else
// why the run did not succeed, and there is a Result.
//
//	r, err := local.Run(ctx, calc.Pipeline, calc.CalcIn{A: dsl.Const(12.0)}, local.Options{})
func Run[In, Out any](ctx context.Context, p *dsl.Component[In, Out], in In, o Options) (*Result[Out], error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	args, err := p.Arguments(in)
	if err != nil {
		return nil, err
	}
	return start(ctx, p, recorded.Graph(p), o, func(_ *program.Program, eo *engine.Options) error {
		eo.Params = args
		return nil
	})
}

// start runs the first component of a graph, which is p, with the arguments that given sets.
func start[In, Out any](ctx context.Context, p *dsl.Component[In, Out], g *graph.Graph, o Options, given func(*program.Program, *engine.Options) error) (_ *Result[Out], err error) {
	inProcess := goSteps(record.Of(p))
	if len(o.StandIns) > 0 {
		if inProcess, err = standIn(g, o.StandIns, inProcess); err != nil {
			return nil, err
		}
	}
	prog, err := lower.Lower(g, g.Component(1))
	if err != nil {
		return nil, err
	}
	eo := engine.Options{
		Home: o.Home, GPUs: o.GPUs, IgnoreGPUs: o.IgnoreGPUs, Parallel: o.Parallel, NoCache: o.NoCache, Usage: o.Usage,
	}
	if err := given(prog, &eo); err != nil {
		return nil, err
	}
	if o.Resume != "" {
		if eo.Resume, err = run.Load(o.Resume); err != nil {
			return nil, err
		}
	}
	if o.Observe != nil {
		eo.Observe = func(t run.Task) { o.Observe(task(&t)) }
	}
	if record.Reexec && len(o.StandIns) == 0 {
		if eo.Program, err = os.Executable(); err != nil {
			return nil, err
		}
	} else {
		eo.InProcess = inProcess
	}
	r, err := engine.Run(ctx, prog, eo)
	if r == nil {
		return nil, err
	}
	out := &Result[Out]{State: string(r.State), Dir: r.Dir, run: r, program: prog}
	for _, t := range r.Tasks {
		out.Tasks = append(out.Tasks, task(t))
	}
	if err := errors.Join(err, report.Write(r.Dir), decode(&out.Out, record.Of(p), r.Outputs, r.Made)); err != nil {
		return out, err
	}
	if r.State != run.Succeeded {
		return out, fmt.Errorf("the run of %s failed: %s", p.Name(), r.Error)
	}
	return out, nil
}

func task(t *run.Task) Task {
	return Task{
		Path: t.Path, State: string(t.State), Error: t.Error, Attempts: t.Attempts,
		Outputs: t.Outputs, Started: t.Started, Ended: t.Ended,
	}
}

// goSteps runs the Go steps of a component and of all that it calls.
func goSteps(root *record.Component) inProcess {
	return func(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error) {
		c, err := record.Find([]*record.Component{root}, name)
		if err != nil {
			return nil, err
		}
		return c.Run(ctx, input)
	}
}

// decode sets the fields of the Out struct of a component.
func decode(out any, c *record.Component, params map[string]json.RawMessage, made map[string][]run.Artifact) error {
	var errs []error
	for _, f := range c.Outputs {
		b, ok := params[f.Name]
		if as := made[f.Name]; len(as) > 0 {
			ok = true
			if f.Type.List {
				b, _ = json.Marshal(as)
			} else {
				b, _ = json.Marshal(as[0])
			}
		}
		if !ok {
			continue
		}
		field := reflect.ValueOf(out).Elem().FieldByIndex(c.Index["out."+f.Name]).Addr().Interface()
		if err := json.Unmarshal(b, field); err != nil {
			errs = append(errs, fmt.Errorf("output %s: %w", f.Name, err))
		}
	}
	return errors.Join(errs...)
}
