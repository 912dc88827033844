package kubepods

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// Hidden is how many lines at the end of a log may be hidden ones.
const Hidden = 200

// A Follow writes the logs of all pods of a run, those that come later too.
type Follow struct {
	API       *API
	Namespace string
	Selector  string
	Name      func(*Pod) string // of the step, to go before its lines; "": this pod is no step of the user's
	Prefix    bool              // write the names
	Follow    bool
	Since     time.Time
	Tail      int                                 // lines, the last ones; 0: all
	Ended     func(context.Context) (bool, error) // whether the run has; asked when following, and again after an error that is Temporary
	Out       io.Writer

	// Hide returns what is asked of each line of a pod, in order: whether it is left out. Nil: none is.
	Hide func() func(line string) bool
}

// Run writes logs until the run has ended, or those that are there. It reports how
// many pods had any.
func (f *Follow) Run(ctx context.Context) (n int, err error) {
	out := &Prefixed{W: f.Out}
	began := map[string]bool{}
	var wait sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	one := func(p *Pod, name string) {
		prefix := ""
		if f.Prefix {
			prefix = name + ": "
		}
		r, w := io.Pipe()
		ask, keep := f.Tail, 0
		var hide func(string) bool
		if f.Hide != nil {
			hide = f.Hide()
			if f.Tail > 0 && !f.Follow { // the last lines may be hidden ones
				ask, keep = f.Tail+Hidden, f.Tail
			}
		}
		go func() { w.CloseWithError(f.API.Log(ctx, f.Namespace, p, f.Follow, f.Since, ask, w)) }()
		if err := out.Copy(prefix, r, hide, keep); err != nil && ctx.Err() == nil {
			mu.Lock()
			errs = append(errs, err)
			mu.Unlock()
		}
		r.Close()
	}
	for {
		ended := true
		if f.Follow {
			var passing interface{ Temporary() bool }
			if ended, err = f.Ended(ctx); errors.As(err, &passing) && passing.Temporary() {
				ended = false
			} else if err != nil {
				return len(began), err
			}
		}
		pods, err := f.API.Pods(ctx, f.Namespace, f.Selector)
		if err != nil {
			return len(began), err
		}
		for _, p := range pods {
			name := f.Name(p)
			if name == "" || began[p.Name] || p.Phase == "Pending" || p.Phase == "" {
				continue
			}
			began[p.Name] = true
			if f.Follow {
				wait.Go(func() { one(p, name) })
			} else {
				one(p, name)
			}
		}
		if ended {
			break
		}
		select {
		case <-ctx.Done():
			wait.Wait()
			return len(began), ctx.Err()
		case <-time.After(time.Second):
		}
	}
	wait.Wait()
	return len(began), errors.Join(errs...)
}
