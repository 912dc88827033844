package ui

import (
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/local/report"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/review/picture"
)

// tasksPerPage is how many lines of the table of tasks a page has.
const tasksPerPage = 200

// A loaded run is its folder and the files read from there.
type loaded struct {
	root  *os.Root
	dir   string
	run   *run.Run
	p     *program.Program // nil if it has none
	note  string           // why
	stamp records.Stamp    // of run.json
}

func (l *loaded) close() { l.root.Close() }

// open reads a run. Who asks closes it.
func (s *Server) open(id string) (*loaded, error) {
	root, err := s.openRun(id)
	if err != nil {
		return nil, err
	}
	l := &loaded{root: root, dir: root.Name()}
	if err := l.read(); err != nil {
		l.close()
		return nil, err
	}
	l.plan(s)
	return l, nil
}

// plan sets the program.
func (l *loaded) plan(s *Server) {
	k := s.plans.get(l.run.ID, l.root)
	l.p, l.note = k.p, k.note
}

// read reads run.json.
func (l *loaded) read() error {
	info, err := l.root.Stat("run.json")
	if err != nil {
		return missing("there is no record of this run: %v", err)
	}
	if !info.Mode().IsRegular() || info.Size() > records.MaxRecord {
		return bad("run.json is not a file of at most %s", bytesOf(records.MaxRecord))
	}
	r, err := report.ReadRun(l.root)
	if err != nil {
		return &problem{http.StatusUnprocessableEntity, "run.json: " + err.Error()}
	}
	r.ID, r.Dir = filepath.Base(l.dir), l.dir
	l.run, l.stamp = r, records.StampOf(info)
	records.BreakOff(r)
	return nil
}

// again reads run.json again. If that fails, the previous contents stay, and
// gone says whether there will be no more.
func (l *loaded) again() (ok, gone bool) {
	if l.read() == nil {
		return true, false
	}
	_, err := l.root.Stat("run.json")
	return false, errors.Is(err, fs.ErrNotExist)
}

// task returns a task by its path.
func (l *loaded) task(path string) (*run.Task, error) {
	if i := slices.IndexFunc(l.run.Tasks, func(t *run.Task) bool { return t.Path == path }); i >= 0 {
		return l.run.Tasks[i], nil
	}
	return nil, missing("run %s has no task %q", l.run.ID, path)
}

// plans keeps the programs of runs, and where their boxes are.
type plans struct {
	mu   sync.Mutex
	kept map[string]*plan
}

type plan struct {
	stamp records.Stamp
	p     *program.Program
	note  string
	draw  [2]func() (*picture.Plan, error) // folded, and all of it
}

// allBoxes is how many a picture has at the most where its reader asks for each task.
const allBoxes = 1000

// keep is how many programs are kept.
const keep = 32

func (x *plans) get(id string, root *os.Root) *plan {
	info, err := root.Stat("program.json")
	if err != nil || !info.Mode().IsRegular() || info.Size() > records.MaxRecord {
		return &plan{note: "There is no picture: the folder of the run has no program.json."}
	}
	now := records.StampOf(info)
	x.mu.Lock()
	defer x.mu.Unlock()
	if k := x.kept[id]; k != nil && k.stamp == now {
		return k
	}
	k := &plan{stamp: now}
	k.p, k.note = report.ReadProgram(root)
	for i, most := range []int{picture.Readable, allBoxes} {
		k.draw[i] = sync.OnceValues(func() (*picture.Plan, error) { return picture.NewPlan(k.p, most) })
	}
	if x.kept == nil || len(x.kept) >= keep {
		x.kept = map[string]*plan{}
	}
	x.kept[id] = k
	return k
}

// draw draws the picture of a run in places that stay.
func (s *Server) draw(l *loaded, all bool, drawn *picture.Folding) func(*program.Program, map[string]picture.Mark) (wide, narrow template.HTML, note string) {
	return func(_ *program.Program, marks map[string]picture.Mark) (wide, narrow template.HTML, note string) {
		k := s.plans.get(l.run.ID, l.root)
		if k.p == nil {
			return "", "", k.note
		}
		p, err := k.draw[b2i(all)]()
		if err != nil {
			return "", "", "There is no picture: " + err.Error()
		}
		*drawn = *p.Folding
		return template.HTML(p.SVG(marks, picture.Right)), template.HTML(p.SVG(marks, picture.Narrow)), "" // package picture has escaped all text in them
	}
}

// address returns that of a page of a run.
func address(id, page string, query ...string) string {
	u := url.URL{Path: "/runs/" + id}
	if u.RawPath = "/runs/" + url.PathEscape(id); page != "" {
		u.Path, u.RawPath = u.Path+"/"+page, u.RawPath+"/"+page
	}
	q := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		q.Set(query[i], query[i+1])
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// options say where the parts of the pages of a run lead.
func (s *Server) options(l *loaded) report.Options {
	id := l.run.ID
	o := report.Options{
		Task: func(t *run.Task) string { return address(id, "task", "path", t.Path) },
		Artifact: func(t *run.Task, port string, i int, written bool) string {
			return artifactAddress(id, t.Path, port, i, written, "")
		},
		Log: func(t *run.Task, attempt int) string {
			return address(id, "log", "path", t.Path, "attempt", strconv.Itoa(attempt))
		},
		Page:  address(id, ""),
		Brief: true, Rows: tasksPerPage, Draw: s.draw(l, false, new(picture.Folding)),
	}
	if !l.run.State.Done() {
		o.Now = s.o.Now()
	}
	return o
}

// A runView is the page of a run.
type runView struct {
	*report.View
	Back      string
	Running   bool
	CanStart  string // why it can't be started again; empty: it can
	Resumable bool
	Start     string
	Compare   string
	Files     string
	Pages     pager
	Filters   []choice
	Status    string
	Scheduled string
	Folding   *picture.Folding
	Open      string // the address with each task drawn
	Shut      string // that without
}

// parts are the templates of the page that change while the run is running.
var parts = []string{"facts", "failure", "graph", "times", "ends", "results"}

func (s *Server) runView(l *loaded, u *url.URL) *runView {
	o := s.options(l)
	q := u.Query()
	o.State = kfptype.ParseState(q.Get("state"))
	all := q.Get("graph") == "all"
	var drawn picture.Folding
	o.Draw = s.draw(l, all, &drawn)
	at, _ := strconv.Atoi(q.Get("page"))
	o.From = (max(at, 1) - 1) * tasksPerPage
	r := l.run
	v := &runView{
		View: report.New(l.root, l.dir, r, l.p, o), Running: !r.State.Done(), Start: address(r.ID, "start"), Compare: "/compare?" + url.Values{"run": {r.ID}}.Encode(),
		Files: address(r.ID, "files/run.json"), CanStart: s.cannotStart(l), Resumable: r.State == run.Failed || r.State == run.Cancelled,
	}
	page := *u
	page.Path, page.RawPath = "/runs/"+r.ID, "/runs/"+url.PathEscape(r.ID)
	v.Pages, _, _ = newPager(&page, at, tasksPerPage, v.AllLines)
	if v.Folding = &drawn; all {
		v.Shut = address(r.ID, "") + "#graph"
	} else if drawn.Folded() {
		v.Open = address(r.ID, "", "graph", "all") + "#graph"
	}
	if v.PictureNote == "" && v.Picture == "" {
		v.PictureNote = l.note
	}
	if r.Schedule != "" {
		v.Scheduled = r.Schedule
		if !r.Scheduled.IsZero() {
			v.Scheduled += ", for " + report.Stamp(r.Scheduled)
		}
	}
	v.filters(r, o.State)
	v.Status = status(r)
	return v
}

func (v *runView) filters(r *run.Run, chosen run.State) {
	counts, leaves := map[run.State]int{}, 0
	for _, t := range r.Tasks {
		if !report.Group(t) {
			counts[t.State]++
			leaves++
		}
	}
	v.Filters = append(v.Filters, choice{Label: "all", N: len(r.Tasks), Href: address(r.ID, "") + "#times", Chosen: chosen == ""})
	for _, st := range []run.State{run.Running, run.Failed, run.Pending, run.Succeeded, run.Cached, run.Skipped, run.Cancelled} {
		if counts[st] > 0 && counts[st] < leaves || chosen == st {
			v.Filters = append(v.Filters, choice{Label: kfptype.Word(st), N: counts[st], Href: address(r.ID, "", "state", string(st)) + "#times", Chosen: chosen == st, State: report.NewState(st)})
		}
	}
}

// status says in a sentence how far a run is, for those who hear it.
func status(r *run.Run) string {
	done, running, failed, all := 0, 0, 0, 0
	for _, t := range r.Tasks {
		if report.Group(t) {
			continue
		}
		all++
		switch {
		case t.State == run.Failed:
			failed++
			done++
		case t.State.Done():
			done++
		case t.State == run.Running:
			running++
		}
	}
	text := fmt.Sprintf("The run %s. %d of %d tasks are done", map[run.State]string{
		run.Running: "is running", run.Succeeded: "succeeded", run.Failed: "failed", run.Cancelled: "was cancelled",
	}[r.State], done, all)
	if running > 0 {
		text += fmt.Sprintf(", %d running", running)
	}
	if failed > 0 {
		text += fmt.Sprintf(", %d failed", failed)
	}
	return text + "."
}

func (s *Server) run(w http.ResponseWriter, r *http.Request, l *loaded) error {
	v := s.runView(l, r.URL)
	p := page{Title: v.Title + ": " + v.State.Word, Section: "runs", Body: v}
	if v.Running {
		p.Live = address(l.run.ID, "events") + query1(r.URL)
	}
	return s.render(w, r, http.StatusOK, "run", p)
}

// query1 is the query of an address with its mark.
func query1(u *url.URL) string {
	if u.RawQuery == "" {
		return ""
	}
	return "?" + u.Query().Encode()
}

// runEvents sends the parts of a run's page as they change.
func (s *Server) runEvents(w http.ResponseWriter, r *http.Request, l *loaded) error {
	live := s.live("run")
	return s.stream(w, r, func(send sender) (bool, error) {
		if info, err := l.root.Stat("run.json"); err == nil && records.StampOf(info) != l.stamp || !l.run.State.Done() {
			if ok, gone := l.again(); !ok {
				return gone, nil
			}
		}
		if l.p == nil {
			l.plan(s)
		}
		v := s.runView(l, r.URL)
		err := live.send(send, v, v.Status, v.Title+": "+v.State.Word, append(slices.Clone(parts), "actions")...)
		return !v.Running || err != nil, err
	})
}
