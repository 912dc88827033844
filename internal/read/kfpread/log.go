package kfpread

import (
	"fmt"

	"github.com/kfpgo/kfpgo/internal/read/mistakes"
)

// A log gathers the mistakes of a file.
type log struct {
	name string
	errs []mistakes.Mistake

	unread map[*node]string // keys that the types have no field for: TYPE.KEY
}

// errorf records a mistake at a node.
func (l *log) errorf(n *node, format string, args ...any) {
	m := mistakes.Mistake{File: l.name, Msg: fmt.Sprintf(format, args...)}
	if n != nil {
		m.Line, m.Col = n.line, n.col
	}
	l.errs = append(l.errs, m)
}

// err returns the mistakes as one error.
func (l *log) err() error { return mistakes.Join(l.name, l.errs) }
