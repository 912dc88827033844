// Package engine runs programs on this machine: Go steps as processes of the
// program that has them, Python steps with the machine's Python, containers with
// podman or docker, in parallel as the values that they pass allow, with the
// meaning that the pipeline has on a cluster.
//
// What a run leaves behind is described in package run.
package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/kfpgo/kfpgo/internal/host/usage"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// Options say how a program runs. The zero Options run it with the defaults.
type Options struct {
	Home   string                     // where runs are kept; default $KFPGO_HOME, else kfpgo in the XDG state folder
	Params map[string]json.RawMessage // of the pipeline; artifacts as a path or URI

	// Program is the executable that has the Go steps and stand-ins. Without
	// it InProcess runs them: it takes KFP's executor input and returns its output.
	Program   string
	InProcess func(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error)

	Python     string // default python3
	GPUs       *int   // how many there are; default: those that nvidia-smi lists
	IgnoreGPUs bool   // run what asks for a GPU without one
	Parallel   int    // steps at once; default the number of CPUs, and at least 2
	NoCache    bool   // run steps even if equal ones have succeeded before
	Usage      bool   // record the usage of CPUs, memory and GPUs by processes and containers

	Source    *run.Source // what the user named, for the record
	ID        string      // of the run, the name of its folder; default: one that is made of the pipeline and the time
	Dir       string      // the folder of the run where run.MakeDir has made it, with what was put there; its name is the ID
	Schedule  string      // that starts the run, if one does
	Scheduled time.Time   // for which it does

	// Resume is a run of the same pipeline whose steps are not run again where they
	// succeeded with equal inputs, whatever has become of their code since.
	Resume *run.Run

	// Code has digests of what Go steps are made of, by component; default: the whole
	// Program. Printed is called with what the outputs of each step depend on before it runs or
	// is found to have run, and why it is run in any case, if it is.
	Code    map[string]string
	Printed func(path string, print Print, never string)

	// Attach, if it isn't nil, is called with the command of each step before it starts,
	// and may change it: to run it in a debugger, or on the user's terminal. Shell has
	// containers start a shell in place of their command.
	Attach func(*exec.Cmd) error
	Shell  bool

	// Answers are the outputs of suspended steps, as TASK.OUTPUT=VALUE, or TASK alone for one
	// that takes the defaults. TASK is the name or the path of a task. Ask asks a person for the
	// outputs of one that has no answer; nil: there is nobody to ask.
	Answers []string
	Ask     func(context.Context, Question) (map[string]json.RawMessage, error)

	Observe func(run.Task) // called at each change of a task, by one goroutine at a time
}

// Home returns the default of Options.Home.
func Home() (string, error) { return run.Home() }

// An engine is a running run.
type engine struct {
	p       *program.Program
	o       Options
	dir     string // of the run
	slots   chan struct{}
	gpus    *gpus
	locks   locks
	volumes *volumes
	answers map[string]answer
	digest  string               // of what the steps are made of, for the cache
	earlier map[string]*run.Task // of the run that is resumed

	containerTool func() (string, error) // asked once

	mu    sync.Mutex
	rec   *run.Run
	next  time.Time   // when the record is to be saved again
	timer *time.Timer // that saves it then, if something has changed
	over  bool        // nothing more is to be saved

	tried map[string]*run.Task // by path: of tries of a pipeline before the one that is running
}

// Run runs a program. The error says why nothing was started; what went wrong
// after that is in the run, whose state is then FAILED or CANCELED.
func Run(ctx context.Context, p *program.Program, o Options) (*run.Run, error) {
	p = p.WithExits()
	main := p.Component(p.Main)
	if main == nil || main.DAG == nil {
		return nil, fmt.Errorf("program %s has no main pipeline", p.Name)
	}
	in, err := inputs(p, main, o.Params)
	if err != nil {
		return nil, gate(p, o, err)
	}
	earlier, err := resumable(p, &o)
	if err != nil {
		return nil, err
	}
	if o.Usage && usage.Supported() != nil {
		return nil, usage.Supported()
	}
	answers, err := readAnswers(p, o.Answers)
	if err != nil {
		return nil, err
	}
	e := &engine{p: p, o: o, earlier: earlier, answers: answers, containerTool: sync.OnceValues(func() (string, error) { return containerTool(ctx) })}
	if err := e.prepare(ctx, main, in); err != nil {
		return nil, err
	}
	e.rec = &run.Run{
		Schema: run.Schema, ID: filepath.Base(e.dir), Dir: e.dir, Pipeline: p.Name, Title: p.Title,
		State: run.Running, Started: time.Now().UTC(), Params: in.params, Tasks: []*run.Task{},
		Schedule: o.Schedule, Scheduled: o.Scheduled, Source: o.Source,
	}
	if held := run.Hold(e.dir); held != nil {
		defer held.Close()
	}
	if b, err := json.MarshalIndent(p, "", "  "); err != nil {
		return nil, err
	} else if err := writeFile(filepath.Join(e.dir, "program.json"), b); err != nil {
		return nil, err
	}
	if err := e.save(); err != nil {
		return nil, err
	}
	if c := p.Config; c != nil && c.Deadline > 0 {
		limit := time.Duration(c.Deadline) * time.Second
		limited, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("the run took longer than its deadline of %v", limit))
		defer cancel()
		ctx = limited
	}
	r := e.dag(ctx, main, "", in)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rec.State, e.rec.Ended, e.rec.Outputs, e.rec.Made = r.state, time.Now().UTC(), r.params, r.arts
	if r.failure != nil {
		e.rec.Error = r.failure.String()
	}
	if r.state == run.Cancelled {
		e.rec.Error = "interrupted"
	}
	if cause := context.Cause(ctx); ctx.Err() == context.DeadlineExceeded && r.state != run.Succeeded {
		e.rec.State, e.rec.Error = run.Failed, cause.Error()
	}
	e.over = true
	return e.rec, e.save()
}

// prepare fills in the defaults, checks what can be checked before anything
// runs, and makes the run's folder.
func (e *engine) prepare(ctx context.Context, main *program.Component, in env) error {
	if e.o.Home == "" {
		home, err := Home()
		if err != nil {
			return err
		}
		e.o.Home = home
	}
	home, err := filepath.Abs(e.o.Home)
	if err != nil {
		return err
	}
	e.o.Home = home
	e.o.Python = cmp.Or(e.o.Python, python())
	if e.o.Parallel <= 0 {
		e.o.Parallel = max(2, runtime.NumCPU())
	}
	e.slots = make(chan struct{}, e.o.Parallel)
	e.gpus = newGPUs(ctx, e.o.GPUs)
	if err := gate(e.p, e.o, e.check(main, in)); err != nil {
		return err
	}
	if e.digest, err = digest(e.o.Program); err != nil {
		return err
	}
	if e.o.Dir != "" {
		e.o.ID = filepath.Base(e.o.Dir)
	} else if e.o.ID == "" {
		e.o.ID = NewID(e.p)
	}
	if err := run.CheckID(e.o.ID); err != nil {
		return err
	}
	if err := run.MakeHome(home); err != nil {
		return err
	}
	if e.dir = e.o.Dir; e.dir == "" {
		if e.dir, err = run.MakeDir(home, e.o.ID); err != nil {
			return err
		}
	}
	e.volumes = newVolumes(e.dir, home)
	return nil
}

// NewID returns an ID for a run of a program.
func NewID(p *program.Program) string { return run.NewID(p.Name, time.Now()) }

// inputs returns the values of a pipeline's inputs, or all that is wrong with them.
func inputs(p *program.Program, main *program.Component, given map[string]json.RawMessage) (env, error) {
	in := env{params: map[string]json.RawMessage{}, arts: map[string][]run.Artifact{}}
	var errs []error
	errs = append(errs, params.InFile(p))
	if err := params.Check(main.Inputs, given); err != nil {
		errs = append(errs, fmt.Errorf("pipeline %s: %w", p.Name, err))
	}
	for i := range main.Inputs {
		port := &main.Inputs[i]
		v, ok := given[port.Name]
		switch {
		case !ok && port.Required():
			errs = append(errs, fmt.Errorf("pipeline %s: input %s is required", p.Name, port.Name))
		case !ok && port.Default != nil:
			in.params[port.Name] = port.Default
		case !ok:
		case port.Type.Artifact:
			as, err := givenArtifacts(port, v)
			if err != nil {
				errs = append(errs, fmt.Errorf("pipeline %s: input %s: %w", p.Name, port.Name, err))
				continue
			}
			in.arts[port.Name] = as
		default:
			in.params[port.Name] = v
		}
	}
	return in, errors.Join(errs...)
}

// update changes a task's record, notifies its observer, and saves it.
func (e *engine) update(t *run.Task, change func(*run.Task)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change(t)
	if e.o.Observe != nil {
		e.o.Observe(*t)
	}
	if time.Now().After(e.next) {
		e.save()
	} else if e.timer == nil { // who watches the run sees what is the last change for long, too
		e.timer = time.AfterFunc(time.Until(e.next), func() {
			e.mu.Lock()
			defer e.mu.Unlock()
			if e.timer = nil; !e.over {
				e.save()
			}
		})
	}
}

func (e *engine) add(t *run.Task) *run.Task {
	t.State = run.Pending
	e.mu.Lock()
	defer e.mu.Unlock()
	if old := e.tried[t.Path]; old != nil {
		t.Attempts, t.Logs = old.Attempts, old.Logs
	}
	e.rec.Tasks = append(e.rec.Tasks, t)
	if e.o.Observe != nil {
		e.o.Observe(*t)
	}
	return t
}
