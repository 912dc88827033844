package kfpread

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// most is the number of mistakes that are listed.
const most = 50

// A log gathers the mistakes of a file.
type log struct {
	name string
	errs []*mistake
}

type mistake struct {
	file      string
	line, col int
	msg       string
}

func (m *mistake) Error() string {
	if m.line == 0 {
		return m.file + ": " + m.msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", m.file, m.line, m.col, m.msg)
}

// errorf records a mistake at a node.
func (l *log) errorf(n *node, format string, args ...any) {
	m := &mistake{file: l.name, msg: fmt.Sprintf(format, args...)}
	if n != nil {
		m.line, m.col = n.line, n.col
	}
	l.errs = append(l.errs, m)
}

// err returns the mistakes in the order of their lines, each once.
func (l *log) err() error {
	slices.SortStableFunc(l.errs, func(a, b *mistake) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col))
	})
	var all []error
	seen := map[mistake]bool{}
	for _, m := range l.errs {
		if seen[*m] {
			continue
		}
		seen[*m] = true
		if len(all) == most {
			all = append(all, fmt.Errorf("%s: and more mistakes", l.name))
			break
		}
		all = append(all, m)
	}
	return errors.Join(all...)
}
