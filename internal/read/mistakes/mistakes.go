// Package mistakes joins the errors in a file into one error: in the order of
// lines, each mistake once, and no more than a person reads.
package mistakes

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// most is how many are listed.
const most = 50

// A Mistake is one thing that is wrong with a file.
type Mistake struct {
	File      string
	Line, Col int // from 1; 0: it is the file's as a whole
	Msg       string
}

func (m Mistake) Error() string {
	if m.Line == 0 {
		return m.File + ": " + m.Msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", m.File, m.Line, m.Col, m.Msg)
}

func (m Mistake) place() (line, col int) { return m.Line, m.Col }

// Join returns the mistakes of a file as one error; nil if there are none. M is
// Mistake or a struct that embeds it.
func Join[M interface {
	comparable
	error
	place() (line, col int)
}](file string, all []M) error {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b M) int {
		line, col := a.place()
		line2, col2 := b.place()
		return cmp.Or(cmp.Compare(line, line2), cmp.Compare(col, col2))
	})
	var errs []error
	seen := map[M]bool{}
	for _, m := range all {
		if seen[m] {
			continue
		}
		seen[m] = true
		if len(errs) == most {
			errs = append(errs, fmt.Errorf("%s: and more mistakes", file))
			break
		}
		errs = append(errs, m)
	}
	return errors.Join(errs...)
}
