package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// The last lines of logs that a failed run shows, and of how many Go's stack is taken away.
const (
	endLines   = 20
	endSteps   = 3
	stackLines = 1000
)

// goroutine begins a stack that Go's runtime has written.
var goroutine = lazyregexp.New(`^goroutine \d+ \[.+\]:$`)

// LogEnds writes the last lines of the logs of the steps of a run that failed, unless their
// errors have all of it.
func LogEnds(w io.Writer, r *run.Run) {
	steps := 0
	for _, t := range r.Tasks {
		if t.State != run.Failed || steps == endSteps {
			continue
		}
		lines := endOf(t, records.Tail(r.Dir, t, stackLines))
		isNew := func(line string) bool { return !strings.Contains(t.Error, strings.TrimSpace(line)) }
		if !slices.ContainsFunc(lines, isNew) {
			continue
		}
		steps++
		Say(w, "the end of the log of %s:", t.Path)
		for _, line := range lines {
			io.WriteString(w, "  "+printable.Log(line)+"\n")
		}
	}
}

// endOf returns the last lines of a log. The stack of a panic is most of them, and its frames
// are those of the runtime and of kfpgo: the error says where the panic was.
func endOf(t *run.Task, lines []string) []string {
	if i := slices.IndexFunc(lines, goroutine.MatchString); i >= 0 && strings.Contains(t.Error, "panic") {
		lines = lines[:i]
	}
	return lines[max(0, len(lines)-endLines):]
}
