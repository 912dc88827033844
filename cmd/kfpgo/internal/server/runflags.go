package server

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/localruns"
	"github.com/kfpgo/kfpgo/internal/local/records"
)

// runFlags say whose runs are meant.
type runFlags struct {
	flags.Server
	home string
}

// open returns the client that has the runs: a server, or this machine if none is named.
func (f *runFlags) open(cmd *cobra.Command) (client.Client, error) {
	if f.On == "" && f.home != "" {
		f.On = "local"
	}
	here, err := f.Here(cmd)
	switch {
	case err != nil:
		return nil, err
	case here:
		home, err := flags.Home(f.home)
		return localruns.Client{Home: home}, err
	case f.home != "":
		return nil, cli.Usagef(cmd, "--home is for --on local")
	}
	return f.Connect(cmd)
}

// again returns the flags that lead to the same runs once more, for a shell.
func (f *runFlags) again() string {
	if f.home != "" {
		return f.Again() + " --home " + cli.ShellWord(f.home)
	}
	return f.Again()
}

// named opens a client for a command whose arguments name runs, and replaces @latest by an ID.
func named[C client.Client](connect func(*cobra.Command) (C, error), do func(*cobra.Command, C, []string) error) func(*cobra.Command, []string) error {
	return with(connect, func(cmd *cobra.Command, c C, args []string) error {
		ids := slices.Clone(args)
		for i := range ids {
			var err error
			if ids[i], err = Latest(cmd.Context(), c, ids[i]); err != nil {
				return err
			}
		}
		return do(cmd, c, ids)
	})
}

// Latest returns the ID of the run that was started last for @latest, and other IDs as they are.
func Latest(ctx context.Context, c client.Client, id string) (string, error) {
	if id != records.Latest {
		return id, nil
	}
	p, err := c.List(ctx, client.ListOptions{Size: 1})
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", id, err)
	case len(p.Runs) == 0:
		return "", fmt.Errorf("%s: there are no runs", id)
	}
	return p.Runs[0].ID, nil
}
