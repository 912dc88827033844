package feature

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A Refusal is what a back end says about something that a row of the table says
// too, if the table is asked first.
type Refusal struct {
	Row string
	Pos graph.Pos
	Err error
}

func (r *Refusal) Error() string { return r.Err.Error() }
func (r *Refusal) Unwrap() error { return r.Err }

// Says returns what the table says that a target doesn't support at a place.
func Says(p *program.Program, target Target, id string, at graph.Pos) string {
	write, why := id, "it has no row in the table of features"
	if r := RowOf(id); r != nil {
		write, why = r.said(target, FromFile(p, at))
	}
	return says(target, why, write)
}

func says(target Target, why string, writes ...string) string {
	return fmt.Sprintf("target %s has no %s: %s", target, strings.Join(writes, " and no "), why)
}

// byID holds the rows of the table.
var byID = sync.OnceValue(func() map[string]*Row {
	m := make(map[string]*Row, len(Table))
	for i := range Table {
		m[Table[i].ID] = &Table[i]
	}
	return m
})

// RowOf returns the row of a feature, or nil.
func RowOf(id string) *Row { return byID()[id] }

// lacks reports whether a target can't do a feature. Nobody can do what has no row.
func lacks(target Target, id string) bool {
	r := RowOf(id)
	return r == nil || !r.Support[target].OK
}

// Gate returns what the table says that a target can't do of a program, and after
// it what the target's back end has found itself and the table hasn't said; or nil. Those with a line of the author's code are a graph.Errors.
// Rows in except are left to the back end.
func Gate(p *program.Program, target Target, found error, except ...string) error {
	skip := map[string]bool{}
	for _, id := range except {
		skip[id] = true
	}
	type place struct {
		task string
		pos  graph.Pos
		why  string
	}
	type said struct {
		row string
		pos graph.Pos
	}
	var places []place
	writes, known := map[place][]string{}, map[said]bool{}
	for _, u := range UsesOf(p, func(id string) bool { return !skip[id] && lacks(target, id) }) {
		known[said{u.ID, u.Pos}] = true
		at, write := place{u.Task, u.Pos, "it has no row in the table of features"}, u.ID
		if r := RowOf(u.ID); r != nil {
			write, at.why = r.said(target, FromFile(p, u.Pos))
		}
		if writes[at] == nil {
			places = append(places, at)
		}
		writes[at] = append(writes[at], u.Named(write)) // one reason may be that of several rows
	}
	var errs graph.Errors
	var all []error
	for _, at := range places {
		where := "pipeline " + p.Name
		if at.task != "" {
			where += ": task " + at.task
		}
		e := &graph.Error{Pos: at.pos, Msg: where + ": " + says(target, at.why, writes[at]...)}
		if at.pos == (graph.Pos{}) {
			all = append(all, errors.New(e.Msg)) // of a file
			continue
		}
		errs = append(errs, e)
	}
	if len(errs) > 0 {
		all = append([]error{errs}, all...)
	}
	all = append(all, rest(found, func(r *Refusal) bool { return known[said{r.Row, r.Pos}] })...)
	if len(all) == 1 {
		return all[0]
	}
	return errors.Join(all...)
}

// rest returns the errors in an error, without the refusals that were said.
func rest(err error, said func(*Refusal) bool) []error {
	switch err := err.(type) {
	case nil:
		return nil
	case *Refusal:
		if said(err) {
			return nil
		}
		return []error{err.Err}
	case interface{ Unwrap() []error }:
		if joined := errors.Join(err.Unwrap()...); joined == nil || joined.Error() != err.(error).Error() {
			break // it says more than the errors in it
		}
		var all []error
		for _, e := range err.Unwrap() {
			all = append(all, rest(e, said)...)
		}
		return all
	}
	return []error{err}
}

// Bare returns what an author writes without its article, for after "has no".
func Bare(write string) string {
	for _, article := range []string{"a ", "an ", "the "} {
		if rest, ok := strings.CutPrefix(write, article); ok {
			return rest
		}
	}
	return write
}
