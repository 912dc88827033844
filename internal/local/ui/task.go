package ui

import (
	"net/http"

	"github.com/kfpgo/kfpgo/internal/local/report"
)

// A taskView is the page of a task.
type taskView struct {
	Run, RunHref string
	Pipeline     string
	Task         any // what the templates of package report show
	Title, Where string
	State        report.State
	Path         string
	Log          *excerpt
	LogHref      string
	Attempts     []choice
	LogLive      string
	Tasks        []choice // iterations, or what is in the group
	Running      bool
}

func (s *Server) taskView(l *loaded, path string) (*taskView, error) {
	t, err := l.task(path)
	if err != nil {
		return nil, err
	}
	o := s.options(l)
	view := report.New(l.root, l.dir, l.run, nil, o)
	v := &taskView{
		Run: l.run.ID, RunHref: address(l.run.ID, ""), Pipeline: view.Title, Task: view.Task(t), Title: report.Label(t), Where: report.Where(t), State: report.NewState(t.State), Path: t.Path,
		Running: !t.State.Done(),
	}
	if len(t.Logs) > 0 {
		v.LogHref = address(l.run.ID, "log", "path", t.Path)
		if f, attempt, err := l.logFile(t, 0); err == nil {
			if v.Log, err = readText(f, -1); err == nil && v.Running {
				v.LogLive = logEvents(l.run.ID, t, attempt, v.Log.To)
			}
			f.Close()
		}
		v.Attempts = attempts(l.run.ID, t, 0)
	}
	for _, c := range l.run.Tasks {
		if len(c.Path) > len(path) && c.Path[:len(path)] == path && c.Path[len(path)] == '/' && len(v.Tasks) < tasksPerPage {
			v.Tasks = append(v.Tasks, choice{Label: c.Path[len(path)+1:], Href: o.Task(c), State: report.NewState(c.State)})
		}
	}
	return v, nil
}

func (s *Server) task(w http.ResponseWriter, r *http.Request, l *loaded) error {
	v, err := s.taskView(l, r.URL.Query().Get("path"))
	if err != nil {
		return err
	}
	p := page{Title: v.Title + ": " + v.State.Word, Section: "runs", Body: v}
	if v.Running {
		p.Live = address(l.run.ID, "task/events", "path", v.Path)
	}
	return s.render(w, r, http.StatusOK, "task", p)
}

// taskEvents sends the page of a task as it changes.
func (s *Server) taskEvents(w http.ResponseWriter, r *http.Request, l *loaded) error {
	live := s.live("task")
	attempts, shown := -1, false
	return s.stream(w, r, func(send sender) (bool, error) {
		if ok, gone := l.again(); !ok {
			return gone, nil
		}
		v, err := s.taskView(l, r.URL.Query().Get("path"))
		if err != nil {
			return true, nil
		}
		names := []string{"taskhead", "taskbody"}
		if attempts != len(v.Attempts) || !shown && v.Log != nil { // the log itself has a stream of its own
			attempts, shown = len(v.Attempts), v.Log != nil
			names = append(names, "tasklog")
		}
		err = live.send(send, v, v.Title+" "+v.State.Word, v.Title+": "+v.State.Word, names...)
		return !v.Running || err != nil, err
	})
}
