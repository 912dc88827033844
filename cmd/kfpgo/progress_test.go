package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/run"
)

var start = time.Date(2026, 1, 31, 3, 0, 0, 0, time.UTC)

func changes() []run.Task {
	return []run.Task{
		{Path: "guard", Kind: "guarded", State: run.Running, Started: start},
		{Path: "guard/get", Kind: "go", State: run.Running, Attempts: 1, Started: start},
		{Path: "guard/get", Kind: "go", State: run.Running, Attempts: 2, Started: start, Error: "no network\nat all"},
		{Path: "guard/get", Kind: "go", State: run.Succeeded, Attempts: 2, Started: start, Ended: start.Add(1500 * time.Millisecond)},
		{Path: "guard/train", Kind: "python", State: run.Running, Attempts: 1, Started: start},
		{Path: "guard/train", Kind: "python", State: run.Running, Attempts: 1, Started: start, Reason: "pip installs numpy"},
		{Path: "guard/train", Kind: "python", State: run.Running, Attempts: 1, Started: start},
		{Path: "guard/train", Kind: "python", State: run.Failed, Attempts: 1, Started: start, Ended: start.Add(90 * time.Second), Error: "exit status 3"},
		{Path: "guard/serve", Kind: "condition", State: run.Skipped, Reason: "train ended FAILED"},
		{Path: "guard", Kind: "guarded", State: run.Failed},
		{Path: "again", Kind: "container", State: run.Cached, Started: start, Ended: start},
	}
}

const plain = `guard/get: started
guard/get: attempt 2: no network ...
guard/get: succeeded in 1.5s
guard/train: started
guard/train: pip installs numpy
guard/train: failed in 1m30s: exit status 3
guard/serve: skipped: train ended FAILED
again: cached in 0.0s
`

func TestPlainProgress(t *testing.T) {
	var b bytes.Buffer
	p := newProgress(&b)
	for _, c := range changes() {
		p.observe(c)
	}
	p.stop()
	if b.String() != plain {
		t.Errorf("got\n%s\nwant\n%s", b.String(), plain)
	}
}

// TestLiveProgress looks at what remains on a terminal, and that lines fit on it.
func TestLiveProgress(t *testing.T) {
	var b bytes.Buffer
	p := &progress{w: &b, states: map[string]run.State{}, tries: map[string]int{}, reasons: map[string]string{}, quit: make(chan struct{}), done: make(chan struct{})}
	p.size = func() (int, int) { return 30, 5 }
	go p.tick()
	for i := range 9 {
		p.observe(run.Task{Path: "a-long-name-of-a-task/" + strings.Repeat("x", i), Kind: "go", State: run.Running, Started: time.Now()})
	}
	for _, c := range changes() {
		p.observe(c)
		if screen := show(b.String()); len(screen) > 0 {
			for _, line := range screen {
				if strings.HasPrefix(line, "  ") && len(line) >= 30 {
					t.Errorf("%q is too long", line)
				}
			}
		}
	}
	p.stop()
	var want []string
	for line := range strings.Lines(plain) {
		if !strings.HasSuffix(line, ": started\n") {
			want = append(want, strings.TrimSuffix(line, "\n"))
		}
	}
	if got := show(b.String()); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// show returns the lines that a terminal shows after some output.
func show(out string) (lines []string) {
	for out != "" {
		if rest, up := strings.CutPrefix(out, "\x1b[1A\x1b[2K"); up {
			lines, out = lines[:len(lines)-1], rest
			continue
		}
		line, rest, _ := strings.Cut(out, "\n")
		lines, out = append(lines, line), rest
	}
	return lines
}
