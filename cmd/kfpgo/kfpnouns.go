package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client/kfp"
)

type ctx = context.Context

// kfpVerb returns a verb that only KFP has.
func kfpVerb(f *serverFlags, use, short string, n int, do func(cmd *cobra.Command, c *kfp.Client, args []string) error) *cobra.Command {
	_, what, _ := strings.Cut(use, " ")
	args := exactly(n, what)
	if n == 0 {
		args = cobra.NoArgs
	}
	return &cobra.Command{
		Use: use, Short: short, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.kfpClient(cmd)
			if err != nil {
				return err
			}
			return do(cmd, c, args)
		},
	}
}

// deletes makes a verb ask before it deletes.
func deletes(cmd *cobra.Command, what string) *cobra.Command {
	var yes bool
	do := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := confirm(cmd, yes, "delete "+what+" "+strings.Join(args, " ")); err != nil {
			return err
		}
		return do(cmd, args)
	}
	yesFlag(cmd, &yes)
	return cmd
}
