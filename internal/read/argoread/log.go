package argoread

import (
	"fmt"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/read/mistakes"
)

// A pos is a place in the file.
type pos struct{ line, col int }

// A Refusal is something in a Workflow that can't be imported.
type Refusal struct {
	Construct string // in Argo's words, such as "daemon"; empty: the file is wrong
	mistakes.Mistake
}

// A log gathers the errors in a file, and notes about it.
type log struct {
	name  string
	errs  []Refusal
	notes []string

	files []besideFile
	next  int
}

// errorf records a mistake, or a construct that can't be imported.
func (l *log) errorf(at pos, construct, format string, args ...any) {
	file, line := l.place(at.line)
	l.errs = append(l.errs, Refusal{construct, mistakes.Mistake{File: file, Line: line, Col: at.col, Msg: fmt.Sprintf(format, args...)}})
}

// refuse records a construct that can't be imported, with the reason.
func (l *log) refuse(at pos, construct, why string, args ...any) {
	l.errorf(at, construct, "%s can't be imported: "+why, append([]any{construct}, args...)...)
}

// notef records a part of the file that is left out.
func (l *log) notef(at pos, format string, args ...any) {
	file, line := l.place(at.line)
	s := fmt.Sprintf("%s:%d: ", file, line) + fmt.Sprintf(format, args...)
	if !slices.Contains(l.notes, s) {
		l.notes = append(l.notes, s)
	}
}

// err returns the mistakes as one error.
func (l *log) err() error { return mistakes.Join(l.name, l.errs) }

// source returns a place as programs have it.
func (l *log) source(at pos) graph.Pos {
	file, line := l.place(at.line)
	return graph.Pos{File: file, Line: line}
}
