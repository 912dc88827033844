// Package kept has a string of each kind.
package kept

import (
	"errors"
	"fmt"
)

// In is told what it has. // want
type In struct {
	N int `json:"n is no tag" doc:"how often it is mended"` // want
}

//go:generate echo is no comment

const name = "word"

const help = `Run the pipeline.

  kfpgo run ./pkg
`

func refuse(x string, n int) error {
	if n > 100 {
		return errors.New("two lines of " + // want
			x + " are no number")
	}
	// A comment in a function, with <html> and `mend`.
	return fmt.Errorf("%q is 50%% of %[2]*.[1]*f, and `%d` is code: %w", x, n, fmt.Errorf("no `end of %s", x), "a+"+fmt.Sprint("in a call")+name, n == len("in a condition")) // beside it
}

/*
A block
of two lines that is told. want
*/
var in = []string{"a", "-C", "a/b", "not ok"}

// Code in a comment is left out:
//
//	mend(in)
//
// and more.
var last = 1
