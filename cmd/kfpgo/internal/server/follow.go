package server

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/internal/local/progress"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// follow waits for a run with progress. The error says if it has not succeeded. Again is the
// flags of the same server.
func follow(cmd *cobra.Command, c client.Client, id string, timeout time.Duration, format, again string) error {
	ctx := cmd.Context()
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	screen := cli.Raw(cmd.ErrOrStderr())
	view := progress.For(screen, id)
	if view.Size != nil {
		words := newLastWords(ctx, c, id)
		defer words.stop()
		view.Last = words.of
	}
	shown := progress.New(screen, view)
	var troubled time.Time
	r, err := client.Wait(ctx, c, id, client.WaitOptions{
		Observe: func(t client.Task) { shown.Observe(progressOf(t)) },
		Trouble: func(err error) {
			if time.Since(troubled) > time.Minute {
				troubled = time.Now()
				shown.Note("still waiting: " + err.Error())
			}
		},
	})
	shown.Stop()
	if ctx.Err() != nil && (r == nil || !r.State.Done()) {
		cli.Say(cmd.ErrOrStderr(), "the run is still running; to wait for it again: kfpgo runs wait %s%s", cli.ShellWord(id), again)
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return fmt.Errorf("run %s has not ended in %v", id, timeout)
		}
		return context.Canceled
	}
	if err != nil {
		return err
	}
	logEnds(cmd.ErrOrStderr(), c, id)
	if err := showRun(cmd, format, r); err != nil {
		return err
	}
	return r.Err()
}

// progressOf returns a task of a server as the progress of local runs shows it.
func progressOf(t client.Task) run.Task {
	return run.Task{Path: t.Path, Kind: "container", State: t.State, Error: t.Error, Attempts: t.Attempts, Started: t.Started, Ended: t.Ended}
}

// lastWords asks a server for what the steps that are seen running have said last:
// few of them at a time, and each only now and then.
type lastWords struct {
	c    client.Client
	id   string
	quit context.CancelFunc
	done chan struct{}

	mu   sync.Mutex
	said map[string]string
	want map[string]time.Time // when a step was last seen
	got  map[string]time.Time // when it was last asked for
}

func (l *lastWords) stop() {
	l.quit()
	<-l.done
}

// of returns what a task has said last, as far as that is known by now.
func (l *lastWords) of(t run.Task) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.want[t.Path] = time.Now()
	return l.said[t.Path]
}

func (l *lastWords) loop(ctx context.Context) {
	defer close(l.done)
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wordsEvery):
		}
		for _, path := range l.next() {
			var b bytes.Buffer
			call, end := context.WithTimeout(ctx, 2*wordsEvery)
			err := l.c.Logs(call, l.id, client.LogOptions{Out: &b, Task: path, Tail: 1})
			end()
			switch client.CodeOf(err) {
			case client.Unsupported, client.Denied, client.Unauthenticated:
				return // who may not see logs is shown the rest
			}
			l.mu.Lock()
			if l.got[path] = time.Now(); b.Len() > 0 {
				l.said[path] = b.String()
			}
			l.mu.Unlock()
		}
	}
}

// next returns the steps to ask for: of those that were seen just now the ones that
// were asked for least recently.
func (l *lastWords) next() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.DeleteFunc(l.want, func(_ string, seen time.Time) bool { return time.Since(seen) > wordsEvery })
	paths := slices.SortedFunc(maps.Keys(l.want), func(a, b string) int {
		return cmp.Or(l.got[a].Compare(l.got[b]), strings.Compare(a, b))
	})
	return paths[:min(len(paths), wordsAtOnce)]
}

const (
	wordsAtOnce = 6
	wordsEvery  = 3 * time.Second
)

func newLastWords(ctx context.Context, c client.Client, id string) *lastWords {
	ctx, quit := context.WithCancel(ctx)
	l := &lastWords{c: c, id: id, quit: quit, done: make(chan struct{}), said: map[string]string{}, want: map[string]time.Time{}, got: map[string]time.Time{}}
	go l.loop(ctx)
	return l
}
