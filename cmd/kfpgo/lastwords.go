package main

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"io"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

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

// terminal returns what is written to if that is a terminal, else nil.
func terminal(w io.Writer) *os.File {
	if isTerminal(w) && os.Getenv("TERM") != "dumb" {
		return raw(w).(*os.File)
	}
	return nil
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	first, more, _ := strings.Cut(strings.TrimSpace(reason), "\n")
	if more != "" {
		first += " ..."
	}
	return ": " + first
}
