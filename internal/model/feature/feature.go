// Package feature is the table of what a pipeline can use and which target can
// do it: the source of the "can't express" errors, of the table in the docs and
// of the list of conformance tests.
package feature

import (
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
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

	// Wrong is what KFP's servers make of it that is not what the pipeline says, though
	// they take the IR, which KFP's SDK writes too. Nil: nothing.
	Wrong *Wrong
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

// CheckServer returns a graph.Errors that names each task of p that uses what came to
// KFP after 2.minor, or what 2.minor gets wrong, or nil.
func CheckServer(p *program.Program, minor int) error {
	var errs graph.Errors
	on := func(id string) Support {
		if r := RowOf(id); r != nil {
			return r.Support[KFP]
		}
		return yes
	}
	late := func(s Support) bool { return s.Since > minor }
	fails := func(s Support) bool { return s.Wrong != nil && s.Wrong.Since <= minor }
	for _, u := range UsesOf(p, func(id string) bool { s := on(id); return late(s) || fails(s) }) {
		s := on(u.ID)
		if !late(s) {
			errs = append(errs, &graph.Error{Pos: u.Pos, Msg: fmt.Sprintf("pipeline %s: task %s: KFP 2.%d takes %s and would %s; %s", p.Name, u.Task, minor, RowOf(u.ID).Write, s.Wrong.Does, s.Wrong.Instead)})
			continue
		}
		when := fmt.Sprintf("with 2.%d", s.Since)
		if s.Since > Newest {
			when = fmt.Sprintf("after 2.%d", Newest)
		}
		errs = append(errs, &graph.Error{Pos: u.Pos, Msg: fmt.Sprintf("pipeline %s: task %s: KFP 2.%d has no %s; it came %s", p.Name, u.Task, minor, Bare(RowOf(u.ID).Write), when)})
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

// option is the row of options of a task.
func option(id string, kfp, argo, local Support) Row { return optionWith(id, "", kfp, argo, local) }

// optionWith is the row of options with a value of a kind. Its ID begins with that of
// the options.
func optionWith(id, kind string, kfp, argo, local Support) Row {
	of := id
	if kind != "" {
		of, _, _ = strings.Cut(id, ".")
		kind = " " + kind
	}
	var names []string
	for _, o := range program.Options() {
		if o.Row == of {
			names = append(names, o.Go...)
		}
	}
	pkg, _, _ := strings.Cut(names[0], ".") // once, before the first
	return row(id, pkg+"."+strings.ReplaceAll(strings.Join(names, ", "), pkg+".", "")+kind, kfp, argo, local)
}

// A Use is a place in a program that uses a feature.
type Use struct {
	ID   string
	Of   string // which one, of those that the row is about; none: there is one only
	Task string // path of names: exit-handler-1/train; none: the pipeline itself
	Pos  graph.Pos
}

// Named returns what an author writes with which one it is.
func (u Use) Named(write string) string {
	if u.Of != "" {
		return write + ", " + u.Of
	}
	return write
}
