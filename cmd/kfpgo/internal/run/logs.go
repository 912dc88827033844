package run

import (
	"context"
	"time"

	"github.com/kfpgo/kfpgo/internal/local/progress"
	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// logsShown is --logs: whether the lines that steps write are shown as they come.
type logsShown struct{ all, given bool }

// of decides for a program: the lines of one step alone aren't mixed with others.
func (s logsShown) of(p *program.Program) bool {
	if s.given {
		return s.all
	}
	root := p.Component(p.Main)
	if root == nil || root.DAG == nil || len(root.DAG.Tasks) != 1 || root.DAG.Tasks[0].Each != nil {
		return false
	}
	c := p.Component(root.DAG.Tasks[0].Component)
	return c != nil && c.DAG == nil
}

// readEvery is how often logs are read while their steps are running.
const readEvery = 100 * time.Millisecond

// streamLogs returns an observer that shows the logs of steps too, and what stops it.
func streamLogs(ctx context.Context, dir string, shown *progress.Display) (observe func(run.Task), stop func()) {
	logs := records.NewLogs(dir, func(t *run.Task, line string) { shown.Log(t.Path, line) })
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		logs.Every(ctx, readEvery)
	}()
	observe = func(t run.Task) {
		logs.See(t) // before the line that says how the step ended
		shown.Observe(t)
	}
	return observe, func() {
		cancel()
		<-done
		logs.Close()
	}
}
