// Package cli holds what all commands have in common: how a command line is refused,
// how errors are reported and which exit code they have, and how results are written, so
// that nothing in them acts on a terminal.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/internal/build/discover"
	"github.com/kfpgo/kfpgo/internal/emit"
)

// A usageError is a command line that doesn't make sense.
type usageError struct {
	cmd *cobra.Command
	msg string
}

func (e *usageError) Error() string { return e.msg }

// Usagef returns an error in a command line. The exit code is 2.
func Usagef(cmd *cobra.Command, format string, args ...any) error {
	return &usageError{cmd, fmt.Sprintf(format, args...)}
}

// ErrFailed says that the work failed and that everything has been said about it.
var ErrFailed = errors.New("failed")

type troubleError struct{ error }

func (e *troubleError) Unwrap() error { return e.error }

// Trouble is a failure of a command whose exit code 1 means something else. The exit code is 2.
func Trouble(err error) error { return &troubleError{err} }

// ExitCode reports an error to the user and returns the exit code.
func ExitCode(w io.Writer, err error, interrupted bool) int {
	var usage *usageError
	var goErr *discover.GoError
	var trouble *troubleError
	switch {
	case err == nil:
		return 0
	case interrupted || errors.Is(err, context.Canceled):
		fmt.Fprintln(w, "kfpgo: interrupted")
		return 130
	case errors.Is(err, ErrFailed):
	case errors.As(err, &usage):
		fmt.Fprintf(w, "kfpgo: %s\nRun '%s --help' for how to use it.\n", usage.msg, usage.cmd.CommandPath())
		return 2
	case errors.As(err, &trouble):
		ExitCode(w, trouble.error, false)
		return 2
	case errors.As(err, &goErr):
		fmt.Fprintln(w, goErr.Output)
	default:
		for _, line := range lines(err) {
			fmt.Fprintln(w, line)
		}
	}
	return 1
}

// lines returns the mistakes that an error consists of, each as file:line and
// message, and what else it consists of.
func lines(err error) (all []string) {
	mistakes, rest := emit.Split(err)
	for _, m := range mistakes {
		if m.File == "" {
			rest = append(rest, errors.New(m.Msg))
			continue
		}
		all = append(all, m.Error())
	}
	for _, e := range rest {
		all = append(all, "kfpgo: "+strings.TrimSpace(e.Error()))
	}
	return all
}
