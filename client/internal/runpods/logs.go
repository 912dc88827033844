package runpods

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// Hidden is how many lines at the end of a log may be hidden ones.
const Hidden = 200

// Logs writes the logs of the pods that task gives the name of a step for. Done says
// whether the run had ended before: then it is an error if no pod is left.
func (r *Run) Logs(ctx context.Context, o client.LogOptions, done bool, task func(*Pod) string) error {
	op := "logs of run " + r.Name
	n, err := r.follow(ctx, o, task)
	switch {
	case err != nil:
		return &client.Error{Op: op, Code: client.Internal, Msg: err.Error(), Err: err}
	case n > 0 || !done:
		return nil
	case o.Task != "":
		return &client.Error{Op: op, Code: client.NotFound, Msg: "there is no pod of task " + o.Task, Advice: "kfpgo runs describe lists the pods"}
	}
	return &client.Error{Op: op, Code: client.NotFound, Msg: "its pods are gone", Advice: "logs are kept in the artifact store, as main.log, if Argo is configured to archive them"}
}

// follow writes logs until the run has ended, those of pods that come later too, or
// those that are there. It reports how many pods had any.
func (r *Run) follow(ctx context.Context, o client.LogOptions, task func(*Pod) string) (n int, err error) {
	out := &prefixed{w: o.Out}
	began := map[string]bool{}
	var wait sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	one := func(p *Pod, name string) {
		prefix := ""
		if o.Task == "" {
			prefix = name + ": "
		}
		from, to := io.Pipe()
		ask, keep := o.Tail, 0
		var hide func(string) bool
		if !o.All {
			hide = Engines()
			if o.Tail > 0 && !o.Follow { // the last lines may be hidden ones
				ask, keep = o.Tail+Hidden, o.Tail
			}
		}
		go func() { to.CloseWithError(r.log(ctx, p, o, ask, to)) }()
		if err := out.copy(prefix, from, hide, keep); err != nil && ctx.Err() == nil {
			mu.Lock()
			errs = append(errs, err)
			mu.Unlock()
		}
		from.Close()
	}
	for {
		ended := true
		if o.Follow {
			now, err := r.Client.Get(ctx, r.ID)
			if err != nil && !client.Temporary(err) {
				return len(began), err
			}
			ended = err == nil && now.State.Done()
		}
		pods, err := r.list(ctx)
		if err != nil {
			return len(began), err
		}
		for _, p := range pods {
			name := task(p)
			if name == "" || began[p.Name] || p.Phase == "Pending" || p.Phase == "" {
				continue
			}
			began[p.Name] = true
			if o.Follow {
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

// A prefixed is a writer that several share, each of which puts a prefix before its
// lines. A line is written whole, and one of more than 256 kB as several.
type prefixed struct {
	w  io.Writer
	mu sync.Mutex
}

// copy copies lines, without those that hide, which may be nil, reports. If tail isn't
// 0, it copies only so many, the last ones, when all are read.
func (p *prefixed) copy(prefix string, r io.Reader, hide func(line string) bool, tail int) error {
	b := web.Lines(r)
	var kept []string
	for {
		line, err := web.Line(b)
		if len(line) > 0 && (hide == nil || !hide(string(line))) {
			kept = append(kept, prefix+strings.TrimSuffix(string(line), "\n")+"\n")
			kept = kept[max(0, len(kept)-max(tail, 1)):]
		}
		if tail == 0 || err != nil {
			p.mu.Lock()
			_, werr := io.WriteString(p.w, strings.Join(kept, ""))
			p.mu.Unlock()
			if kept = nil; werr != nil {
				return werr
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
