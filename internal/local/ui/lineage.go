package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/internal/local/report"
	"github.com/kfpgo/kfpgo/internal/local/runlineage"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// patience is how long a page waits for the records of other runs.
const patience = 1500 * time.Millisecond

// A history is what the runs of this machine have done with artifacts.
type history struct {
	mu    sync.Mutex
	at    time.Time
	of    string // the run that is in it for sure
	graph *lineage.Graph
	words string // which runs it is of
}

// graph returns the lineage of all runs, or of those that can be read within a short
// time, the newest first.
func (s *Server) graph(of *run.Run) (*lineage.Graph, string) {
	h := &s.history
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	if h.graph != nil && h.of == of.ID && now.Sub(h.at) < 5*time.Second {
		return h.graph, h.words
	}
	b := lineage.NewBuilder()
	runlineage.Add(b, of)
	all, err := s.runs.All()
	if err != nil {
		all = nil // the run itself is known
	}
	all = query{}.choose(all, now)
	n := 0
	for _, x := range all {
		if time.Since(now) > patience {
			break
		}
		if n++; x.ID == of.ID || x.Problem != "" {
			continue
		}
		if l, err := s.open(x.ID); err == nil {
			runlineage.Add(b, l.run)
			l.close()
		}
	}
	h.words = "in all runs of this machine"
	if n < len(all) {
		h.words = fmt.Sprintf("in this run and the newest %d of %d on this machine", n, len(all))
	}
	h.at, h.of, h.graph = now, of.ID, b.Graph()
	return h.graph, h.words
}

// A relation is a task that made or read an artifact, or an artifact beside it.
type relation struct {
	Label, Href string
	Run         string // if it is another one
	RunHref     string
	State       report.State
	Words       string
}

// A lineageView is the past and future of an artifact.
type lineageView struct {
	Made, Read   []relation // tasks
	From, Became []relation // artifacts
	Tree         string
	Words        string
	More         int // that are not shown
}

// most is how many relations of a kind are shown.
const most = 50

func (s *Server) lineage(l *loaded, uri string) *lineageView {
	g, words := s.graph(l.run)
	v := &lineageView{Words: words}
	a := g.Artifact(lineage.URIID(uri))
	if a == nil {
		return v
	}
	t := g.Trace(a)
	if tree := t.Tree(); len(tree) < 64<<10 {
		v.Tree = tree
	}
	artifacts := map[string]*lineage.Artifact{}
	executions := map[string]*lineage.Execution{}
	for _, part := range []*lineage.Graph{t.Up, t.Down} {
		for _, a := range part.Artifacts {
			artifacts[a.ID] = a
		}
		for _, e := range part.Executions {
			executions[e.ID] = e
		}
	}
	makers, readers := map[string]bool{}, map[string]bool{}
	for _, ev := range t.Up.Events {
		if ev.Artifact == a.ID && ev.Kind != lineage.Read {
			makers[ev.Execution] = true
			words := ""
			if ev.Kind != lineage.Made {
				words = string(ev.Kind)
			}
			v.task(l, &v.Made, executions[ev.Execution], words)
		}
	}
	for _, ev := range t.Down.Events {
		if ev.Artifact == a.ID && ev.Kind == lineage.Read {
			readers[ev.Execution] = true
			v.task(l, &v.Read, executions[ev.Execution], "as "+ev.Name)
		}
	}
	for _, ev := range t.Up.Events {
		if makers[ev.Execution] && ev.Kind == lineage.Read {
			v.artifact(&v.From, artifacts[ev.Artifact], executions[ev.Execution], ev)
		}
	}
	for _, ev := range t.Down.Events {
		if readers[ev.Execution] && ev.Kind != lineage.Read {
			v.artifact(&v.Became, artifacts[ev.Artifact], executions[ev.Execution], ev)
		}
	}
	return v
}

func (v *lineageView) task(l *loaded, to *[]relation, e *lineage.Execution, words string) {
	if e == nil {
		return
	}
	if len(*to) >= most {
		v.More++
		return
	}
	r := relation{Label: e.Task[strings.LastIndexByte(e.Task, '/')+1:], Href: address(e.Run, "task", "path", e.Task), State: report.NewState(kfptype.ParseState(e.State)), Words: words}
	if _, err := strconv.Atoi(r.Label); err == nil { // an iteration
		r.Label = e.Task
	}
	if e.Run != l.run.ID {
		r.Run, r.RunHref = e.Run, address(e.Run, "")
	}
	*to = append(*to, r)
}

func (v *lineageView) artifact(to *[]relation, a *lineage.Artifact, e *lineage.Execution, ev *lineage.Event) {
	if a == nil || e == nil {
		return
	}
	r := relation{Label: ev.Name, Href: artifactAddress(e.Run, e.Task, ev.Name, ev.Index, ev.Kind != lineage.Read, ""), Words: a.Type}
	if slices.ContainsFunc(*to, func(x relation) bool { return x.Href == r.Href }) {
		return
	}
	if len(*to) >= most {
		v.More++
		return
	}
	*to = append(*to, r)
}
