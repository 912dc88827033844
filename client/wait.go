package client

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"
)

// WaitOptions say what to do while waiting.
type WaitOptions struct {
	// Observe is called for each task whose state, error or number of attempts has
	// changed, one call at a time.
	Observe func(Task)
	// Trouble is called when the server can't be reached, or not well; waiting continues.
	Trouble func(error)
	// Interval is the time between two looks; 0: as soon as a server that can reports
	// a change, and else from one second up to ten, as the run gets older.
	Interval time.Duration
	// Patience is how long the server may be out of reach; 0: ten minutes.
	Patience time.Duration
}

// Wait waits until a run has ended and returns it. The error is not about how it
// ended: see [Run.State] and [Run.Err]. Wait continues while the server restarts and
// when a connection is lost; ending the context leaves the run alone.
func Wait(ctx context.Context, c Client, id string, o WaitOptions) (*Run, error) {
	if o.Patience == 0 {
		o.Patience = 10 * time.Minute
	}
	w := waiting{o: o, seen: map[string]Task{}, lastGood: time.Now()}
	watcher, watch := c.(Watcher)
	watch = watch && o.Interval == 0
	for began := time.Now(); ; {
		var err error
		if watch {
			for r, e := range watcher.Watch(ctx, id) {
				if err = e; e == nil && w.look(r) {
					return r, nil
				}
			}
			if code := CodeOf(err); code == Denied || code == Unsupported {
				watch = false // but it may be read
				continue
			}
		} else {
			var r *Run
			if r, err = c.Get(ctx, id); err == nil && w.look(r) {
				return r, nil
			}
		}
		switch {
		case ctx.Err() != nil:
			return w.last, context.Cause(ctx)
		case err == nil:
		case !passing(err):
			return w.last, err
		case time.Since(w.lastGood) > o.Patience:
			return w.last, fmt.Errorf("gave up waiting after %v without an answer: %w", o.Patience, err)
		case o.Trouble != nil:
			o.Trouble(err)
		}
		select {
		case <-ctx.Done():
			return w.last, context.Cause(ctx)
		case <-time.After(o.interval(time.Since(began))):
		}
	}
}

// A Watcher is a client whose server reports changes. Wait uses it.
type Watcher interface {
	// Watch returns a run as it is, and again whenever it has changed, until it is
	// done. It ends after an error.
	Watch(ctx context.Context, id string) iter.Seq2[*Run, error]
}

// waiting is what Wait knows.
type waiting struct {
	o        WaitOptions
	seen     map[string]Task
	last     *Run
	lastGood time.Time
}

// look reports changes in a run, and reports whether it is done.
func (w *waiting) look(r *Run) bool {
	w.last, w.lastGood = r, time.Now()
	for _, t := range r.Tasks {
		if was, ok := w.seen[t.ID]; ok && was.State == t.State && was.Error == t.Error && was.Attempts == t.Attempts {
			continue
		}
		w.seen[t.ID] = t
		if w.o.Observe != nil {
			w.o.Observe(t)
		}
	}
	return r.done()
}

// done reports whether a run has ended. One whose state kfpgo doesn't know has, if the
// server says when.
func (r *Run) done() bool {
	switch r.State {
	case "", Pending, Running, Paused, Cancelling:
		return false
	}
	return r.State.Done() || !r.Ended.IsZero()
}

// passing reports whether waiting for a run continues after an error. Reading a run
// changes nothing, so a server that fails is asked again.
func passing(err error) bool { return Temporary(err) || CodeOf(err) == Internal }

// interval returns the time to the next look at a run.
func (o *WaitOptions) interval(age time.Duration) time.Duration {
	if o.Interval > 0 {
		return o.Interval
	}
	return min(max(age/20, time.Second), 10*time.Second)
}

// ErrNotSucceeded is what [Run.Err] wraps.
var ErrNotSucceeded = errors.New("the run did not succeed")

// Err returns nil for a run that has succeeded, and else why not.
func (r *Run) Err() error {
	switch {
	case r.State == Succeeded:
		return nil
	case r.Error != "":
		return fmt.Errorf("%w: %s is %s: %s", ErrNotSucceeded, r.Name, r.State, r.Error)
	}
	for _, t := range r.Tasks {
		if t.State == Failed && t.Error != "" {
			return fmt.Errorf("%w: %s is %s: task %s: %s", ErrNotSucceeded, r.Name, r.State, t.Path, t.Error)
		}
	}
	return fmt.Errorf("%w: %s is %s", ErrNotSucceeded, r.Name, r.State)
}
