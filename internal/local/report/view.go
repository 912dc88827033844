package report

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/review/picture"
)

// maxTasks is how many tasks the page shows; those that failed it always shows.
const maxTasks = 1000

// A View is what the page shows, in words.
type View struct {
	CSS         template.CSS
	Title, Name string
	ID, Doc     string
	State       State
	Started     string
	StartedISO  string
	Duration    string
	Error       string
	Counts      []count
	Failures    []*task
	Picture     template.HTML
	Narrow      template.HTML // the picture for narrow screens
	PictureNote string
	Lines       []line
	AllLines    int    // with those that are not in Lines
	Total       string // the length of the time line
	Left        int    // tasks that are not shown
	Params      []Value
	Outputs     []Value
	Metrics     *metrics
	Matrices    []*matrix
	Curves      []*curve
	Tasks       []*task

	root    *os.Root
	o       Options
	dir     string
	anchors map[string]*task
	logs    int // bytes of logs that may still be shown
}

// A State is a state as pages show it.
type State struct {
	Word, Class string
	Icon        template.HTML
}

// NewState returns the word, the sign and the colour of a state.
func NewState(s run.State) State {
	return State{kfptype.Word(s), "s-" + picture.StateClass(s), template.HTML(picture.Icon(s))} // constants of that package
}

type count struct {
	N     int
	State State
}

// A line is a row of the time line.
type line struct {
	Name, Words, Href string
	Depth             int
	Group             bool
	State             State
	Start, Duration   string
	Left, Width       float64 // percent
	Bar               bool
}

// New returns what the pages show of a run whose folder root is.
func New(root *os.Root, dir string, r *run.Run, p *program.Program, o Options) *View {
	css, _ := files.ReadFile("page.css")
	v := &View{
		CSS: template.CSS(css) + template.CSS(picture.Style), Title: cmp.Or(r.Title, r.Pipeline), Name: r.Pipeline, ID: r.ID, State: NewState(r.State), Error: r.Error,
		root: root, dir: dir, o: o, anchors: map[string]*task{}, logs: maxLogs,
	}
	if !r.Started.IsZero() {
		v.Started, v.StartedISO = Stamp(r.Started), r.Started.UTC().Format(time.RFC3339)
		v.Duration = picture.Duration(v.end(r).Sub(r.Started))
		if r.Ended.IsZero() {
			v.Duration += " so far"
		}
	}
	v.Params, v.Outputs = values(r.Params), values(r.Outputs)
	v.addTasks(r)
	v.addResults(r)
	var words map[string]string
	if p != nil {
		v.Doc = p.Doc
		words = picture.Words(p)
		draw := o.Draw
		if draw == nil {
			draw = drawn
		}
		v.Picture, v.Narrow, v.PictureNote = draw(p, picture.Marks(r, func(t *run.Task) string {
			if t := v.anchors[t.Path]; t != nil {
				return t.Href
			}
			return ""
		}))
	}
	v.addLines(r, words)
	return v
}

// Stamp is a time as pages show it.
func Stamp(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04:05 UTC") }

// end is when the run ended, or the time of the last record of it.
func (v *View) end(r *run.Run) time.Time {
	last := r.Ended
	if !last.IsZero() {
		return last
	}
	if !v.o.Now.IsZero() {
		return v.o.Now
	}
	last = r.Started
	for _, t := range r.Tasks {
		for _, at := range []time.Time{t.Started, t.Ended} {
			if at.After(last) {
				last = at
			}
		}
	}
	return last
}

// Group reports whether a task only holds others. A nested pipeline has inputs
// and outputs of its own, which a reader wants to see.
func Group(t *run.Task) bool {
	switch program.DAGKind(t.Kind) {
	case program.Branches, program.Condition, program.Loop, program.Guarded:
		return true
	}
	return false
}

func (v *View) addTasks(r *run.Run) {
	counts := map[run.State]int{}
	failedBelow := map[string]bool{} // groups in which a task has failed
	for _, t := range r.Tasks {
		if t.State == run.Failed {
			for i, c := range t.Path {
				if c == '/' {
					failedBelow[t.Path[:i]] = true
				}
			}
		}
	}
	for _, t := range r.Tasks {
		if Group(t) && t.Error == "" {
			continue
		}
		if !Group(t) {
			counts[t.State]++
		}
		if !v.o.Brief && len(v.Tasks) >= maxTasks && t.State != run.Failed {
			v.Left++
			continue
		}
		shown := v.newTask(t, len(v.Tasks)+1)
		v.Tasks = append(v.Tasks, shown)
		v.anchors[t.Path] = shown
		if t.State == run.Failed && !failedBelow[t.Path] {
			v.Failures = append(v.Failures, shown)
		}
	}
	for _, s := range []run.State{run.Failed, run.Cancelled, run.Running, run.Pending, run.Succeeded, run.Cached, run.Skipped} {
		if n := counts[s]; n > 0 {
			v.Counts = append(v.Counts, count{n, NewState(s)})
		}
	}
}

func (v *View) addLines(r *run.Run, words map[string]string) {
	total := v.end(r).Sub(r.Started)
	v.Total = picture.Duration(total)
	rows := cmp.Or(v.o.Rows, maxTasks)
	iterations := map[string]bool{}
	for _, t := range r.Tasks {
		if t.Iteration != nil {
			iterations[t.Path] = true
		}
		if only := v.o.State; only != "" && (t.State != only || Group(t)) {
			continue
		}
		if v.AllLines++; v.AllLines <= v.o.From || len(v.Lines) >= rows {
			continue
		}
		l := line{Name: Label(t), Depth: min(strings.Count(t.Path, "/"), 8), Group: Group(t), State: NewState(t.State)}
		if shown := v.anchors[t.Path]; shown != nil {
			l.Href = shown.Href
		}
		if t.Iteration != nil {
			l.Words = item(t)
		} else if l.Group {
			l.Words = words[picture.Static(t.Path, iterations)]
		}
		if !t.Started.IsZero() && t.State != run.Skipped {
			stop := t.Ended
			if stop.IsZero() {
				stop = v.end(r)
			}
			l.Start = "+" + picture.Duration(t.Started.Sub(r.Started))
			l.Duration = picture.Duration(stop.Sub(t.Started))
			if total > 0 {
				l.Bar = true
				l.Left = min(percent(t.Started.Sub(r.Started), total), 99.5)
				l.Width = min(max(percent(stop.Sub(t.Started), total), 0.4), 100-l.Left)
			}
		}
		v.Lines = append(v.Lines, l)
	}
}

func percent(d, of time.Duration) float64 {
	return float64(int(min(max(float64(d)/float64(of), 0), 0.999)*1000)) / 10
}

// Label names a task in its group.
func Label(t *run.Task) string {
	if t.Iteration != nil {
		return fmt.Sprintf("iteration %d", *t.Iteration)
	}
	return cmp.Or(t.Title, t.Name, t.Path[strings.LastIndex(t.Path, "/")+1:])
}

// item is what an iteration got of the list of its loop.
func item(t *run.Task) string {
	for _, name := range slices.Sorted(maps.Keys(t.Inputs)) {
		if strings.Contains(name, "loop-item") {
			text := compact(t.Inputs[name])
			if r := []rune(text); len(r) > 60 {
				text = string(r[:59]) + "…"
			}
			return text
		}
	}
	return ""
}

// Where says which task, where its name alone is not enough: the iterations that
// it is in.
func Where(t *run.Task) string {
	var in []string
	for s := range strings.SplitSeq(t.Path, "/") {
		if s != "" && strings.Trim(s, "0123456789") == "" {
			in = append(in, s)
		}
	}
	if len(in) == 0 {
		return ""
	}
	slices.Reverse(in)
	return "iteration " + strings.Join(in, " of ")
}
