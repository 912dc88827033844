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

	// Since is the KFP server that has it first, as the N of 2.N. 0: all of them.
	Since int
}

var yes = Support{OK: true}

func but(note string) Support { return Support{OK: true, Note: note} }
func no(why string) Support   { return Support{Note: why} }

// since is what a KFP server has from 2.n on.
func since(n int, note string) Support {
	if note != "" {
		note = "; " + note
	}
	from := fmt.Sprintf("since 2.%d", n)
	if n > Newest {
		from = fmt.Sprintf("after 2.%d", Newest)
	}
	return Support{OK: true, Note: from + note, Since: n}
}

// Newest is the newest KFP that has been released, as the N of 2.N. What came to
// KFP after it has the next number.
const Newest = 17

// CheckServer returns an Errors that names each task of p that uses what came to
// KFP after 2.minor, or nil.
func CheckServer(p *program.Program, minor int) error {
	var errs Errors
	late := func(id string) bool { r := rowOf(id); return r != nil && r.Support[KFP].Since > minor }
	for _, u := range UsesOf(p, late) {
		i := slices.IndexFunc(Table, func(r Row) bool { return r.ID == u.ID })
		if i < 0 || Table[i].Support[KFP].Since <= minor {
			continue
		}
		when := fmt.Sprintf("with 2.%d", Table[i].Support[KFP].Since)
		if Table[i].Support[KFP].Since > Newest {
			when = fmt.Sprintf("after 2.%d", Newest)
		}
		errs = append(errs, &graph.Error{Pos: u.Pos, Msg: fmt.Sprintf("pipeline %s: task %s: KFP 2.%d has no %s; it came %s", p.Name, u.Task, minor, Bare(Table[i].Write), when)})
	}
	if len(errs) == 0 {
		return nil
	}
	return errs
}

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
