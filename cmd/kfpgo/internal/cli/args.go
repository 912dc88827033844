package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// Exactly returns a check for the number of arguments of a command.
func Exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < n:
			return Usagef(cmd, "no %s was given", what)
		case len(args) > n:
			return Usagef(cmd, "unexpected argument %q", args[n])
		}
		return nil
	}
}

// AtLeast returns a check that there is one argument or more.
func AtLeast(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return Usagef(cmd, "no %s was given", what)
		}
		return nil
	}
}

// Noun returns a command that only has subcommands. Without one it prints their list.
func Noun(use, short, long string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use + " COMMAND", Short: short, Long: long,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			cmd.SuggestionsMinimumDistance = 2
			hint := habit(cmd, args[0])
			if s := cmd.SuggestionsFor(args[0]); hint == "" && len(s) > 0 {
				hint = fmt.Sprintf("; did you mean %s?", s[0])
			}
			return Usagef(cmd, "unknown command %q%s", args[0], hint)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.SetOut(cmd.ErrOrStderr())
			cmd.Help()
			return Usagef(cmd, "no command was given")
		},
	}
	cmd.AddCommand(commands...)
	return cmd
}

// Alone is the annotation of a command that has subcommands and also runs without one.
const Alone = "alone"

// Confirm asks before something is lost. Without a terminal to ask at it takes --yes.
func Confirm(cmd *cobra.Command, yes bool, what string) error {
	if yes {
		return nil
	}
	in, ok := cmd.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return Usagef(cmd, "%s: say --yes, since nobody can be asked", what)
	}
	fmt.Fprintf(cmd.Root().ErrOrStderr(), "%s? [y/N] ", printable.Line(what))
	line, err := bufio.NewReader(in).ReadString('\n')
	if s := strings.ToLower(strings.TrimSpace(line)); err == nil && (s == "y" || s == "yes") {
		return nil
	}
	return errors.New("nothing was deleted")
}
