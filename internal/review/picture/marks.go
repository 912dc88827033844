package picture

import (
	"fmt"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// Marks says how the tasks of a run went; the iterations of a loop are put
// together. Href, which may be nil, gives the address of what stands for a task.
func Marks(r *run.Run, href func(*run.Task) string) map[string]Mark {
	groups := map[string][]*run.Task{}
	iterations := map[string]bool{}
	repeated := map[string]bool{} // tasks with iterations, which stand for them
	for _, t := range r.Tasks {
		if t.Iteration != nil {
			iterations[t.Path] = true
			repeated[Static(t.Path, iterations)] = true
		}
	}
	for _, t := range r.Tasks {
		path := Static(t.Path, iterations)
		// A loop of many tasks is a group and speaks for its iterations; the
		// iterations of a single task speak for themselves.
		loop := program.DAGKind(t.Kind) == program.Loop
		if repeated[path] && loop == (t.Iteration != nil) {
			continue
		}
		groups[path] = append(groups[path], t)
	}
	marks := make(map[string]Mark, len(groups))
	for path, tasks := range groups {
		m := Mark{State: worst(tasks), Runs: len(tasks), Note: note(tasks)}
		if href != nil {
			m.Href = href(representative(tasks))
		}
		marks[path] = m
	}
	return marks
}

// Static returns the path without the iterations in it.
func Static(path string, iterations map[string]bool) string {
	parts := strings.Split(path, "/")
	kept := parts[:0:0]
	for i, p := range parts {
		if !iterations[strings.Join(parts[:i+1], "/")] {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "/")
}

// weight orders the states: what a reader has to know first is the heaviest.
var weight = map[run.State]int{
	run.Failed: 7, run.Cancelled: 6, run.Running: 5, run.Pending: 4, run.Succeeded: 3, run.Cached: 2, run.Skipped: 1,
}

func worst(tasks []*run.Task) run.State { return representative(tasks).State }

func representative(tasks []*run.Task) *run.Task {
	best := tasks[0]
	for _, t := range tasks[1:] {
		if weight[t.State] > weight[best.State] {
			best = t
		}
	}
	return best
}

func note(tasks []*run.Task) string {
	if len(tasks) == 1 {
		t := tasks[0]
		if t.Started.IsZero() || t.Ended.IsZero() || t.State == run.Skipped || t.State == run.Cached {
			return ""
		}
		return Duration(t.Ended.Sub(t.Started))
	}
	s := fmt.Sprintf("%d times", len(tasks))
	state := worst(tasks)
	n := 0
	for _, t := range tasks {
		if t.State == state {
			n++
		}
	}
	if state != run.Succeeded || n < len(tasks) {
		s += fmt.Sprintf(", %d %s", n, kfptype.Word(state))
	}
	return s
}

// Duration prints a duration with as many digits as people want to read.
func Duration(d time.Duration) string {
	if d >= 9950*time.Millisecond {
		d = d.Round(time.Second)
	}
	switch {
	case d < 0:
		return "0 s"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d days %d h", int(d.Hours())/24, int(d.Hours())%24)
}
