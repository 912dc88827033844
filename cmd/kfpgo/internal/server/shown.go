package server

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/localruns"
	"github.com/kfpgo/kfpgo/internal/local/progress"
	"github.com/kfpgo/kfpgo/internal/local/records"
)

// date returns a time for a table.
func date(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04:05")
}

func took(r *client.Run) string {
	began, ended := cmp.Or(r.Started, r.Created), r.Ended
	if !r.State.Done() {
		ended = time.Now()
	}
	if began.IsZero() || ended.IsZero() {
		return "-"
	}
	return progress.Duration(ended.Sub(began), true)
}

// showRun writes a run with its tasks.
func showRun(cmd *cobra.Command, format string, r *client.Run) error {
	return cli.Display(cmd, format, r, func(w *cli.Table) {
		w.Row("run", r.Name)
		w.Row("id", r.ID)
		w.Row("state", cmp.Or(r.State, "-"))
		w.Lines("error", r.Error)
		for _, p := range [][2]string{
			{"pipeline", r.Pipeline}, {"version", r.Version}, {"experiment", r.Experiment}, {"schedule", r.Schedule},
			{"args", argsText(r.Args)}, {"outputs", argsText(r.Outputs)}, {"page", r.URL},
		} {
			if p[1] != "" {
				w.Row(p[0], p[1])
			}
		}
		w.Row("started", date(cmp.Or(r.Started, r.Created)))
		if r.State.Done() {
			w.Row("took", took(r))
		}
		for i, t := range r.Tasks {
			label := ""
			if i == 0 {
				label = "tasks"
			}
			more := ""
			if w.Wide && !t.Started.IsZero() {
				more = fmt.Sprintf(", started %s, attempts %d", date(t.Started), max(t.Attempts, 1))
			}
			w.Row(label, fmt.Sprintf("%s: %s%s%s", t.Path, cmp.Or(t.State, "-"), more, cli.Because(t.Error)))
		}
	})
}

// argsText returns arguments on one line.
func argsText(args map[string]json.RawMessage) string {
	b, err := json.Marshal(args)
	if err != nil || len(args) == 0 {
		return ""
	}
	return cli.Value(b)
}

// logEnds writes the last lines of the logs of steps that failed, for a run on this machine:
// on a server that takes a kubeconfig.
func logEnds(w io.Writer, c client.Client, id string) {
	here, ok := c.(localruns.Client)
	if !ok {
		return
	}
	if r, err := records.Find(here.Home, id); err == nil {
		cli.LogEnds(w, r)
	}
}
