package dsl

import (
	"fmt"
	"runtime/debug"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/source"
)

// A panicked is the panic of a step.
type panicked struct {
	value any
	at    graph.Pos
	stack []byte
}

func (p *panicked) Error() string {
	if p.at.File == "" {
		return fmt.Sprintf("panic: %v", p.value)
	}
	return fmt.Sprintf("panic at %s: %v", p.at, p.value)
}

// Unwrap returns the value of the panic, if that is an error.
func (p *panicked) Unwrap() error {
	err, _ := p.value.(error)
	return err
}

// Stack is where it panicked, for the step's log.
func (p *panicked) Stack() []byte { return p.stack }

// guard calls f and turns a panic of it into an error that names the user's line.
// [source.Guard] is its name, so that it must not be inlined.
//
//go:noinline
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &panicked{value: r, at: source.Panic(), stack: debug.Stack()}
		}
	}()
	return f()
}
