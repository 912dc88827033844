package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"strconv"
	"sync"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// A frame is one execution of a DAG.
type frame struct {
	e       *engine
	in      env
	path    string
	who     string // path of the task that the frame is for, if it is settled
	done    map[string]chan struct{}
	mu      sync.Mutex
	results map[string]*result // of tasks that are done
}

// dag runs the tasks of a DAG, each as soon as those that it waits for are done.
func (e *engine) dag(ctx context.Context, c *program.Component, at string, in env) *result {
	f := &frame{e: e, in: in, path: at, done: map[string]chan struct{}{}, results: map[string]*result{}}
	for _, t := range c.DAG.Tasks {
		f.done[t.Name] = make(chan struct{})
	}
	recs := make([]*run.Task, len(c.DAG.Tasks))
	for i, t := range c.DAG.Tasks {
		recs[i] = e.add(&run.Task{
			Path: path.Join(at, t.Name), Name: t.Name, Title: t.Title, Component: t.Component, Kind: kind(e.p.Component(t.Component)), After: t.After,
		})
	}
	var wg sync.WaitGroup
	for i, t := range c.DAG.Tasks {
		wg.Go(func() {
			r := f.task(ctx, t, e.p.Component(t.Component), recs[i])
			f.mu.Lock()
			f.results[t.Name] = r
			f.mu.Unlock()
			close(f.done[t.Name])
		})
	}
	wg.Wait()
	return f.outcome(c)
}

func kind(c *program.Component) string {
	if c.DAG != nil {
		return string(c.DAG.Kind)
	}
	return c.Exec.Kind()
}

// outcome is the state and outputs of a DAG whose tasks are done.
func (f *frame) outcome(c *program.Component) *result {
	r := &result{state: run.Succeeded, env: env{params: map[string]json.RawMessage{}, arts: map[string][]run.Artifact{}}}
	for _, t := range c.DAG.Tasks {
		r.after(f.results[t.Name])
	}
	for name, x := range c.DAG.Outputs {
		for _, from := range x.From {
			tr := f.results[from.Task]
			if b, ok := tr.params[from.Output]; ok {
				r.params[name] = b
				break
			}
			if a, ok := tr.arts[from.Output]; ok {
				r.arts[name] = a
				break
			}
		}
	}
	return r
}

// result returns how a task that is done ended.
func (f *frame) result(name string) *result {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.results[name]
}

// task waits for what t follows, and runs it.
func (f *frame) task(ctx context.Context, t *program.Task, c *program.Component, rec *run.Task) *result {
	for _, name := range t.After {
		<-f.done[name]
	}
	snapshot := f.settled(t)
	if t.Exit {
		ctx = context.WithoutCancel(ctx)
	}
	if ctx.Err() != nil {
		return f.e.end(rec, &result{state: run.Cancelled}, "interrupted")
	}
	if !t.Always {
		for _, name := range t.After {
			r := f.result(name)
			if r.ok() {
				continue
			}
			if r.state == run.Cancelled {
				return f.e.end(rec, &result{state: run.Cancelled}, "interrupted")
			}
			return f.e.end(rec, &result{state: run.Skipped}, fmt.Sprintf("%s ended %s", name, r.state))
		}
	}
	in, err := snapshot.args(t, c)
	if err != nil {
		return f.e.fail(rec, err)
	}
	if t.When != nil {
		holds, err := t.When.Eval(func(name string) (json.RawMessage, bool) {
			if a, ok := in.arts[name]; ok {
				b, _ := json.Marshal(a)
				return b, true
			}
			b, ok := in.params[name]
			return b, ok
		})
		if err != nil {
			return f.e.fail(rec, err)
		}
		if !holds {
			return f.e.end(rec, &result{state: run.Skipped}, "its condition does not hold")
		}
	}
	f.e.update(rec, func(rec *run.Task) {
		if rec.Inputs, rec.Reads = in.params, in.arts; t.Each != nil || c.DAG != nil { // a step may have to wait
			rec.State, rec.Started = run.Running, time.Now().UTC()
		}
	})
	switch {
	case t.Each != nil:
		return f.e.end(rec, snapshot.loop(ctx, t, c, in), "")
	case c.DAG != nil:
		return f.e.end(rec, snapshot.pipeline(ctx, t, c, in, rec), "")
	}
	return snapshot.step(ctx, t, c, in, rec)
}

// settled returns the frame with the results that t may read, which don't change
// any more: those of the tasks that it follows.
func (f *frame) settled(t *program.Task) *frame {
	s := &frame{e: f.e, in: f.in, path: f.path, who: path.Join(f.path, t.Name), results: map[string]*result{}}
	for _, name := range t.After {
		s.results[name] = f.result(name)
	}
	return s
}

// atOnce is how many iterations of a loop are under way at least, if it has so many
// and doesn't say: most of them wait for the few steps that run.
const atOnce = 64

// loop runs a DAG, or a step, for each item of a list.
func (f *frame) loop(ctx context.Context, t *program.Task, c *program.Component, in env) *result {
	items, err := f.items(t)
	if err != nil {
		return &result{state: run.Failed, failure: &failure{path.Join(f.path, t.Name), err.Error()}}
	}
	limit := t.Each.Parallelism
	if limit == 0 { // what waits for one of the engine's slots takes memory, and a list may be long
		limit = max(atOnce, 4*f.e.o.Parallel)
	}
	limit = max(1, min(limit, len(items)))
	slots := make(chan struct{}, limit)
	results := make([]*result, len(items))
	recs := make([]*run.Task, len(items))
	at := path.Join(f.path, t.Name)
	for i := range items {
		recs[i] = f.e.add(&run.Task{Path: path.Join(at, strconv.Itoa(i)), Name: strconv.Itoa(i), Component: t.Component, Kind: kind(c), Iteration: &i})
	}
	var wg sync.WaitGroup
	for i, item := range items {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			body := env{params: with(in.params, t.Each.Item, item.params["item"]), arts: with(in.arts, t.Each.Item, item.arts["item"])}
			if ctx.Err() != nil {
				results[i] = f.e.end(recs[i], &result{state: run.Cancelled}, "interrupted")
				return
			}
			f.e.update(recs[i], func(rec *run.Task) {
				// Only the item: the loop's record has the rest, the list among it,
				// and to repeat that for each item takes the square of its size.
				rec.Inputs, rec.Reads = with(nil, t.Each.Item, item.params["item"]), with(nil, t.Each.Item, item.arts["item"])
				if c.DAG != nil {
					rec.State, rec.Started = run.Running, time.Now().UTC()
				}
			})
			if c.DAG == nil {
				results[i] = f.step(ctx, t, c, body, recs[i])
				return
			}
			results[i] = f.e.end(recs[i], f.e.dag(ctx, c, recs[i].Path, body), "")
		})
	}
	wg.Wait()
	return collect(c, results)
}

// items returns the items of a loop's list, each under the name item.
func (f *frame) items(t *program.Task) ([]env, error) {
	if t.Each.Artifact {
		arts, _ := f.artifacts(t.Each.Items)
		items := make([]env, len(arts))
		for i, a := range arts {
			items[i].arts = map[string][]run.Artifact{"item": {a}}
		}
		return items, nil
	}
	b, ok, err := f.eval(t.Each.Items)
	if err != nil || !ok {
		return nil, err
	}
	var list []json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, fmt.Errorf("the loop is over %.100s, which is not a list", b)
	}
	items := make([]env, len(list))
	for i, v := range list {
		items[i].params = map[string]json.RawMessage{"item": v}
	}
	return items, nil
}

// with returns a copy of m with a key, unless its value is nil.
func with[S ~[]V, V any](m map[string]S, key string, v S) map[string]S {
	out := maps.Clone(m)
	if out == nil {
		out = map[string]S{}
	}
	if v != nil {
		out[key] = v
	}
	return out
}

// collect joins the outputs of a loop's iterations into lists, in the items' order.
// An iteration in which a value wasn't made adds nothing, as on KFP and Argo.
func collect(c *program.Component, results []*result) *result {
	r := &result{state: run.Succeeded, env: env{params: map[string]json.RawMessage{}, arts: map[string][]run.Artifact{}}}
	for _, ir := range results {
		r.after(ir)
	}
	for _, out := range c.Outputs {
		list := []json.RawMessage{}
		arts := []run.Artifact{}
		for _, ir := range results {
			if b, ok := ir.params[out.Name]; ok {
				list = append(list, b)
			}
			arts = append(arts, ir.arts[out.Name]...)
		}
		if out.Type.Artifact {
			r.arts[out.Name] = arts
		} else {
			r.params[out.Name], _ = json.Marshal(list)
		}
	}
	return r
}

// end records how a task ended.
func (e *engine) end(rec *run.Task, r *result, reason string) *result {
	e.update(rec, func(rec *run.Task) {
		rec.State, rec.Reason, rec.Outputs, rec.Writes = r.state, reason, r.params, r.arts
		if r.failure != nil && rec.Error == "" {
			rec.Error = r.failure.String()
		}
		if !rec.Started.IsZero() {
			rec.Ended = time.Now().UTC()
		}
	})
	return r
}

func (e *engine) fail(rec *run.Task, err error) *result {
	msg := clip(err.Error())
	r := &result{state: run.Failed, failure: &failure{rec.Path, msg}}
	e.update(rec, func(rec *run.Task) { rec.Error = msg })
	return e.end(rec, r, "")
}
