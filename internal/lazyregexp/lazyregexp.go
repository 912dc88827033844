// Package lazyregexp compiles the regular expressions of a package when they are
// first used, and not in each program that links the package: a step starts in a
// pod, and one command uses few of what all commands have.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// A Regexp is a regular expression. Its methods are those of [regexp.Regexp].
type Regexp struct{ get func() *regexp.Regexp }

// New returns the expression. A mistake in it panics at the first use, and at once in
// tests, so that no package with one passes its own.
func New(expr string) *Regexp {
	r := &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
	if len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test") {
		r.get()
	}
	return r
}

// Compiled returns the expression of package regexp.
func (r *Regexp) Compiled() *regexp.Regexp { return r.get() }

func (r *Regexp) String() string { return r.get().String() }

func (r *Regexp) Match(b []byte) bool { return r.get().Match(b) }

func (r *Regexp) MatchString(s string) bool { return r.get().MatchString(s) }

func (r *Regexp) Find(b []byte) []byte { return r.get().Find(b) }

func (r *Regexp) FindString(s string) string { return r.get().FindString(s) }

func (r *Regexp) FindIndex(b []byte) []int { return r.get().FindIndex(b) }

func (r *Regexp) FindStringIndex(s string) []int { return r.get().FindStringIndex(s) }

func (r *Regexp) FindSubmatch(b []byte) [][]byte { return r.get().FindSubmatch(b) }

func (r *Regexp) FindStringSubmatch(s string) []string { return r.get().FindStringSubmatch(s) }

func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.get().FindStringSubmatchIndex(s)
}

func (r *Regexp) FindAllString(s string, n int) []string { return r.get().FindAllString(s, n) }

func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.get().FindAllStringIndex(s, n)
}

func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.get().FindAllStringSubmatch(s, n)
}

func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.get().FindAllStringSubmatchIndex(s, n)
}

func (r *Regexp) ReplaceAll(b, by []byte) []byte { return r.get().ReplaceAll(b, by) }

func (r *Regexp) ReplaceAllString(s, by string) string { return r.get().ReplaceAllString(s, by) }

func (r *Regexp) ReplaceAllLiteralString(s, by string) string {
	return r.get().ReplaceAllLiteralString(s, by)
}

func (r *Regexp) ReplaceAllStringFunc(s string, by func(string) string) string {
	return r.get().ReplaceAllStringFunc(s, by)
}

func (r *Regexp) Split(s string, n int) []string { return r.get().Split(s, n) }
