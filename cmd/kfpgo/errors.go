package main

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

func usagef(cmd *cobra.Command, format string, args ...any) error {
	return &usageError{cmd, fmt.Sprintf(format, args...)}
}

// errFailed says that the work failed and that everything has been said about it.
var errFailed = errors.New("failed")

// exitCode tells the user about an error and returns the exit code.
func exitCode(w io.Writer, err error, interrupted bool) int {
	var usage *usageError
	var goErr *discover.GoError
	var trouble *troubleError
	switch {
	case err == nil:
		return 0
	case interrupted || errors.Is(err, context.Canceled):
		fmt.Fprintln(w, "kfpgo: interrupted")
		return 130
	case errors.Is(err, errFailed):
	case errors.As(err, &usage):
		fmt.Fprintf(w, "kfpgo: %s\nRun '%s --help' for how to use it.\n", usage.msg, usage.cmd.CommandPath())
		return 2
	case errors.As(err, &trouble):
		exitCode(w, trouble.err, false)
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
