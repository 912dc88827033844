package graph

import (
	"cmp"
	"slices"
	"strings"
)

// An Error is a mistake in a definition.
type Error struct {
	Pos
	Msg string `json:"msg"`
}

func (e *Error) Error() string {
	if e.File == "" {
		return e.Msg
	}
	return e.Pos.String() + ": " + e.Msg
}

// At returns an error with the line of user code that it is about, if that is known.
func At(pos Pos, err error) error {
	if pos == (Pos{}) {
		return err
	}
	return &Error{Pos: pos, Msg: err.Error()}
}

// Errors are the errors in a definition, or its features that a target doesn't support.
type Errors []*Error

func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Sort puts the errors in the order of their lines.
func (es Errors) Sort() {
	slices.SortStableFunc(es, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
}
