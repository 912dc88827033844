package run

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/internal/local/progress"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// summarize prints what came of a run, and where the rest is.
func summarize(w io.Writer, r *run.Run) {
	line := func(name, format string, args ...any) {
		cli.Say(w, "%-8s %s", name, fmt.Sprintf(format, args...))
	}
	line("state", "%s in %s", r.State, progress.Duration(r.Ended.Sub(r.Started), true))
	label := "outputs"
	for _, name := range slices.Sorted(maps.Keys(r.Outputs)) {
		line(label, "%s = %s", name, cli.Value(r.Outputs[name]))
		label = ""
	}
	for _, t := range r.Tasks {
		if t.State == run.Failed && len(t.Logs) > 0 {
			line("log", "%s", filepath.Join(r.Dir, filepath.FromSlash(t.Logs[len(t.Logs)-1])))
		}
	}
	line("run", "%s", r.Dir)
	line("report", "%s", filepath.Join(r.Dir, "report.html"))
}
