// Package lazyregexp has regular expressions that are compiled when they are first used. Each
// step of a pipeline starts a program, and would otherwise compile all of them before its work.
package lazyregexp

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// A Regexp is a regular expression that is compiled when it is first used.
type Regexp struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

// Tests compile at once, so that a wrong expression fails the tests of its package.
var testing = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe"), ".test")

// New returns the regular expression of a constant. A wrong one panics when it is used.
func New(text string) *Regexp {
	r := &Regexp{text: text}
	if testing {
		r.compiled()
	}
	return r
}

func (r *Regexp) compiled() *regexp.Regexp {
	r.once.Do(func() { r.re = regexp.MustCompile(r.text) })
	return r.re
}

// String returns the source of the expression.
func (r *Regexp) String() string { return r.text }
