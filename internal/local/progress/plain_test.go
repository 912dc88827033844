package progress

import (
	"bytes"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/run"
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

const lines = `guard/get: started
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
	p := New(&b, Options{})
	for _, c := range changes() {
		p.Observe(c)
	}
	p.Stop()
	if b.String() != lines {
		t.Errorf("got\n%s\nwant\n%s", b.String(), lines)
	}
}

// TestPlainText: nothing that a step says acts on what reads the lines.
func TestPlainText(t *testing.T) {
	var b bytes.Buffer
	p := New(&b, Options{})
	p.Observe(run.Task{Path: "a", Kind: "go", State: run.Failed, Error: "\x1b[2Jbad\rworse\x07"})
	p.Note("so\x1b]0;x\x07 it is")
	p.Log("a", "\x1b[31mred\x1b[0m\tand 1%\r2%\r")
	p.Log("a\nb", "")
	p.Stop()
	if want := `a: failed: \x1b[2Jbad\rworse\x07` + "\n" + `so\x1b]0;x\x07 it is` + "\na: 2%\n" + `a\nb:` + "\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
