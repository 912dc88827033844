package engine

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// tries say how often a task is run again, and how long after each try.
type tries struct {
	retries     int
	first, most time.Duration
	factor      float64
}

// tries evaluates the retries of a task.
func (f *frame) tries(r *program.Retry) (tries, error) {
	t := tries{factor: 2}
	if r == nil {
		return t, nil
	}
	n, err := f.count(r.Max, "retry")
	if err != nil {
		return t, err
	}
	t.retries = n
	t.first, _ = time.ParseDuration(r.Initial)
	t.most, _ = time.ParseDuration(r.MaxBackoff)
	if r.Factor > 0 {
		t.factor = r.Factor
	}
	return t, nil
}

// pause waits before the try that follows one of the number n. It reports false if
// the run is ended meanwhile.
func (t tries) pause(ctx context.Context, n int) bool {
	wait := t.first
	for range n - 1 {
		wait = time.Duration(float64(wait) * t.factor)
		if t.most > 0 {
			wait = min(wait, t.most)
		}
	}
	select {
	case <-time.After(wait):
		return true
	case <-ctx.Done():
		return false
	}
}

// pipeline runs a DAG that is called as a task, all of it again if it fails and may
// be retried.
func (f *frame) pipeline(ctx context.Context, t *program.Task, c *program.Component, in env, rec *run.Task) *result {
	again, err := f.tries(t.Settings.Retry)
	if err != nil {
		return &result{state: run.Failed, failure: &failure{rec.Path, err.Error()}}
	}
	for n := 1; ; n++ {
		r := f.e.dag(ctx, c, rec.Path, in)
		if r.failure == nil || n > again.retries || ctx.Err() != nil {
			return r
		}
		f.e.update(rec, func(rec *run.Task) { rec.Reason = fmt.Sprintf("attempt %d: %s", n, r.failure.String()) })
		if !again.pause(ctx, n) {
			return &result{state: run.Cancelled}
		}
		f.e.forget(rec.Path)
	}
}

// forget takes the records of the tasks below a path out of the run: they run
// again. Their numbers of attempts continue, so that no log is written over.
func (e *engine) forget(at string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.tried == nil {
		e.tried = map[string]*run.Task{}
	}
	e.rec.Tasks = slices.DeleteFunc(e.rec.Tasks, func(t *run.Task) bool {
		below := strings.HasPrefix(t.Path, path.Clean(at)+"/")
		if below {
			e.tried[t.Path] = t
		}
		return below
	})
}
