package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// The last lines of logs that a failed run shows.
const (
	endLines = 20
	endSteps = 3
)

// LogEnds writes the last lines of the logs of the steps of a run that failed, unless their
// errors have all of it.
func LogEnds(w io.Writer, r *run.Run) {
	steps := 0
	for _, t := range r.Tasks {
		if t.State != run.Failed || steps == endSteps {
			continue
		}
		lines := records.Tail(r.Dir, t, endLines)
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
