package dsl

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// A Definition is any *[Component] or *[Schedule], whatever its types.
type Definition interface {
	Name() string

	// Check returns every mistake in the definition and in all that it uses,
	// as an [ErrorList]. A unit test calls it.
	Check() error

	root() record.Root
}

// Check returns the mistakes in the component and all that it uses, an [ErrorList].
func (c *Component[In, Out]) Check() error { return check(c) }

func (c *Component[In, Out]) root() record.Root {
	c.define(nil)
	return record.Root{Component: c.c}
}

func init() {
	record.Of = func(d any) *record.Component {
		if d, ok := d.(interface{ component() *record.Component }); ok {
			return d.component()
		}
		return nil
	}
	record.RootOf = func(d any) record.Root {
		if d, ok := d.(Definition); ok && !isNil(d) {
			return d.root()
		}
		return record.Root{}
	}
}

func (c *Component[In, Out]) component() *record.Component { return c.c }

func check(d Definition) error {
	g := record.Graph([]record.Root{d.root()})
	if len(g.Errors) == 0 {
		return nil
	}
	list := make(ErrorList, len(g.Errors))
	for i, e := range g.Errors {
		list[i] = &Error{e.File, e.Line, e.Msg}
	}
	return list
}

// An Error is a mistake in a definition.
type Error struct {
	File string // of the user's code
	Line int
	Msg  string
}

func (e *Error) Error() string {
	return (&graph.Error{Pos: graph.Pos{File: e.File, Line: e.Line}, Msg: e.Msg}).Error()
}

// An ErrorList is every mistake found in a definition, in source order.
type ErrorList []*Error

func (l ErrorList) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors, for [errors.As].
func (l ErrorList) Unwrap() []error {
	errs := make([]error, len(l))
	for i, e := range l {
		errs[i] = e
	}
	return errs
}
