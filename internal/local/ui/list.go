package ui

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/local/report"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/review/picture"
)

// perPage is how many runs are on a page of the list.
const perPage = 50

// A listView is the list of runs.
type listView struct {
	query
	Home      string
	Rows      []row
	Found     int
	All       int
	Pages     pager
	Pipelines []string
	States    []choice
	Orders    []choice
	Counts    []choice
}

// A choice is one of a form's field.
type choice struct {
	Value, Label string
	Chosen       bool
	Href         string
	N            int
	State        report.State
}

// A row is a run in the list.
type row struct {
	ID, Name, Title string
	Href            string
	State           report.State
	Error           string
	Schedule        string
	Started         time.Time
	Took            string
	Params          []report.Value
	More            int // parameters that are not shown
}

// A pager leads from page to page.
type pager struct {
	Page, Pages    int
	Previous, Next string
	Words          string
}

// with returns an address with another value in its query.
func with(u *url.URL, key, value string) string {
	q := u.Query()
	q.Set(key, value)
	return (&url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: q.Encode()}).String()
}

// newPager returns the part of a list that a page shows.
func newPager(u *url.URL, page, per, n int) (p pager, from, to int) {
	p.Pages = max(1, (n+per-1)/per)
	p.Page = min(max(page, 1), p.Pages)
	if p.Page > 1 {
		p.Previous = with(u, "page", strconv.Itoa(p.Page-1))
	}
	if p.Page < p.Pages {
		p.Next = with(u, "page", strconv.Itoa(p.Page+1))
	}
	from = (p.Page - 1) * per
	to = min(from+per, n)
	if n > 0 {
		p.Words = fmt.Sprintf("%d to %d of %d", from+1, to, n)
	}
	return p, from, to
}

var states = []run.State{run.Running, run.Succeeded, run.Failed, run.Cancelled}

func (s *Server) list(w http.ResponseWriter, r *http.Request) error {
	all, err := s.runs.All()
	if err != nil {
		return err
	}
	form := r.URL.Query()
	v := &listView{Home: s.o.Home, All: len(all)}
	v.query = query{Text: form.Get("q"), Pipeline: form.Get("pipeline"), State: kfptype.ParseState(form.Get("state")), Sort: form.Get("sort")}
	v.Page, _ = strconv.Atoi(form.Get("page"))
	pipelines, counts := map[string]bool{}, map[run.State]int{}
	for _, x := range all {
		pipelines[x.Pipeline] = true
		counts[x.State]++
	}
	v.Pipelines = slices.Sorted(maps.Keys(pipelines))
	for _, st := range states {
		v.States = append(v.States, choice{Value: string(st), Label: kfptype.Word(st), Chosen: v.State == st})
		if counts[st] > 0 {
			v.Counts = append(v.Counts, choice{N: counts[st], State: report.NewState(st), Href: "/?state=" + string(st)})
		}
	}
	for _, o := range orders {
		v.Orders = append(v.Orders, choice{Value: o.Name, Label: o.Label, Chosen: v.Sort == o.Name})
	}
	now := s.o.Now()
	found := v.query.choose(all, now)
	v.Found = len(found)
	pages, from, to := newPager(r.URL, v.Page, perPage, len(found))
	v.Pages = pages
	for _, x := range found[from:to] {
		v.Rows = append(v.Rows, newRow(x, now))
	}
	live := ""
	if counts[run.Running] > 0 {
		live = "reload"
	}
	return s.render(w, r, http.StatusOK, "list", page{Title: "Runs", Section: "runs", Live: live, Body: v})
}

func newRow(x *records.Summary, now time.Time) row {
	o := row{
		ID: x.ID, Name: x.Pipeline, Title: cmp.Or(x.Title, x.Pipeline), Href: "/runs/" + url.PathEscape(x.ID), State: report.NewState(x.State), Error: firstLine(x.Error), Schedule: x.Schedule,
		Started: x.Started, Took: picture.Duration(x.Took(now)),
	}
	if x.Problem != "" {
		o.State, o.Error, o.Took = report.State{Word: "unreadable", Class: "s-none"}, firstLine(x.Problem), ""
	}
	for _, name := range slices.Sorted(maps.Keys(x.Params)) {
		v := report.NewValue(name, x.Params[name])
		if v.Block || len(v.Text) > 32 || v.Text == "" || len(o.Params) == 4 {
			o.More++
			continue
		}
		o.Params = append(o.Params, v)
	}
	return o
}

// firstLine is what a list shows of a message.
func firstLine(s string) string {
	for i, c := range s {
		if c == '\n' {
			return s[:i] + " …"
		}
		if i > 160 {
			return s[:i] + "…"
		}
	}
	return s
}
