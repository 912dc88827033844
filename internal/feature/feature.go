// Package feature is the table of what a pipeline can use and which target can
// do it: the source of the "can't express" errors, of the table in the docs and
// of the list of conformance tests.
package feature

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/graph"
	"github.com/kfpgo/kfpgo/internal/program"
)

// A Target is what a pipeline is compiled for.
type Target string

// The targets.
const (
	KFP   Target = "kfp"
	Argo  Target = "argo"
	Local Target = "local"
)

// Support says whether a target can do something.
type Support struct {
	OK   bool
	Note string // if not OK, why not and what to do; otherwise what to know, if anything
}

var yes = Support{OK: true}

func but(note string) Support { return Support{OK: true, Note: note} }
func no(why string) Support   { return Support{Note: why} }

// A Row is one feature.
type Row struct {
	ID      string // of a [Use]
	Write   string // what an author writes
	Support map[Target]Support
}

func row(id, write string, kfp, argo, local Support) Row {
	return Row{id, write, map[Target]Support{KFP: kfp, Argo: argo, Local: local}}
}

// A Use is a place in a program that uses a feature.
type Use struct {
	ID   string
	Task string // path of names: exit-handler-1/train; none: the pipeline itself
	Pos  graph.Pos
}

// An Errors is what a target can't do, each at its line.
type Errors []*graph.Error

func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Check returns an Errors that names each task of p that uses what the target
// can't do, or nil.
func Check(p *program.Program, target Target) error {
	var errs Errors
	for _, u := range Uses(p) {
		where := "pipeline " + p.Name
		if u.Task != "" {
			where += ": task " + u.Task
		}
		i := slices.IndexFunc(Table, func(r Row) bool { return r.ID == u.ID })
		if i < 0 {
			errs = append(errs, &graph.Error{Pos: u.Pos, Msg: fmt.Sprintf("%s: no target knows %s", where, u.ID)})
			continue
		}
		r := Table[i]
		if s := r.Support[target]; !s.OK {
			errs = append(errs, &graph.Error{Pos: u.Pos, Msg: fmt.Sprintf("%s: target %s has no %s: %s", where, target, r.Write, s.Note)})
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return errs
}
