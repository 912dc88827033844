// Package ui has kfpgo ui, which shows the runs of this machine in a browser.
package ui

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/internal/local/ui"
)

// inUse is what Windows reports for an address in use, where syscall.EADDRINUSE is a number of Go's own.
const inUse = syscall.Errno(10048)

// Command returns kfpgo ui.
func Command() *cobra.Command {
	const usual = "127.0.0.1:8421"
	var home, listen string
	cmd := &cobra.Command{
		Use:   "ui",
		Short: "Show the runs of this machine in a browser",
		Long: `Ui serves web pages about the runs of this machine: the list of runs, each run with its
graph, times, logs, artifacts and metrics while it is running and after, comparisons of
runs, and schedules. You can start a run again, with the same or other parameters, or
resume it.

The pages are only for this machine. The printed address has a token that is valid once;
after its use, ui prints the next address. From another machine, use
ssh -L 8421:127.0.0.1:8421.`,
		Example: `  kfpgo ui
  kfpgo ui --listen 127.0.0.1:9000`,
		Args: cli.Exactly(0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			home, err := flags.Home(home)
			if err != nil {
				return err
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			s, err := ui.New(ui.Options{
				Home: home, Command: []string{self},
				Tell: func(format string, args ...any) { cli.Say(cmd.OutOrStdout(), format, args...) },
			})
			if err != nil {
				return err
			}
			l, err := ui.Listen(listen)
			if (errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, inUse)) && !cmd.Flags().Changed("listen") {
				l, err = ui.Listen("127.0.0.1:0")
			}
			if err != nil {
				return fmt.Errorf("--listen: %w", err)
			}
			return s.Serve(cmd.Context(), l)
		},
	}
	f := cmd.Flags()
	f.StringVar(&home, "home", "", "`DIR` of runs, in place of KFPGO_HOME")
	f.StringVar(&listen, "listen", usual, "`ADDRESS` of this machine's own; port 0 is any that is free, as if the default one isn't")
	return cmd
}
