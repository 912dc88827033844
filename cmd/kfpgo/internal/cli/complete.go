package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// patience is how long the shell waits for a completion.
const patience = 3 * time.Second

// Completion completes with a list that may come from a server. Without an answer in time
// nothing is completed, and nothing is written: the user is typing.
func Completion(list func(cmd *cobra.Command, args []string) ([]string, error)) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(cmd.Context(), patience)
		defer cancel()
		cmd.SetContext(ctx)
		found, err := list(cmd, args)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// Described returns a name for a completion, with words about it. Names come from servers too.
func Described(name, about string) string {
	return cobra.CompletionWithDesc(printable.Line(name), printable.Line(about))
}

// First completes the first argument only.
func First(complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete(cmd, args, typed)
	}
}
