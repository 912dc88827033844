package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/model/contract"
)

// newRoot returns the command with all of its verbs.
func newRoot() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "kfpgo VERB",
		Short: "Compile and run pipelines that are written in Go",
		Long: `kfpgo compiles pipelines that are written in Go, for Kubeflow Pipelines and for
Argo Workflows, and runs them on this machine.

PIPELINE is the folder of a Go package, or its import path. The pipeline is the
exported variable Pipeline, or else the only pipeline that no other one calls;
#Name picks another variable: ./mnist#Nightly. A compiled pipeline will do as well,
of kfpgo or of KFP's Python SDK: a file, or - for the standard input.`,
		Example: `  kfpgo compile ./examples/calc -o calc.yaml
  kfpgo run ./examples/calc -p a=12`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noSuchVerb, RunE: needsVerb,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := noServer(cmd); err != nil {
				return err
			}
			if err := imageFlag(cmd); err != nil {
				return err
			}
			if dir == "" {
				return nil
			}
			if err := os.Chdir(dir); err != nil {
				return fmt.Errorf("-C: %w", err)
			}
			return nil
		},
	}
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	cmd.PersistentFlags().StringVarP(&dir, "dir", "C", "", "work in `DIR`, as if kfpgo was started there")
	anywhere(cmd)
	cmd.SetFlagErrorFunc(flagError)
	cmd.SetUsageTemplate(usageTemplate)
	cmd.CompletionOptions.DisableDefaultCmd = true
	cmd.SetHelpCommand(&cobra.Command{Hidden: true, Use: "no-help"})
	cmd.AddCommand(
		newCompile(),
		newRun(),
		newReplay(),
		newBuild(),
		newGraph(),
		newDiff(),
		newDoctor(),
		newImport(),
		newInit(),
		newGen(),
		newVet(),
		newSchedule(),
		newUI(),
		newRuns(),
		newArtifacts(),
		newPipelines(),
		newExperiments(),
		newRecurringRuns(),
		newContext(),
		newVersion(),
		newCompletion(),
	)
	return cmd
}

// suggest names a verb that looks like the given one.
func suggest(cmd *cobra.Command, verb string) string {
	cmd.SuggestionsMinimumDistance = 2
	if s := cmd.SuggestionsFor(verb); len(s) > 0 {
		return fmt.Sprintf("; did you mean %s?", s[0])
	}
	return ""
}

// exactly returns a check for the number of arguments of a verb.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < n:
			return usagef(cmd, "no %s was given", what)
		case len(args) > n:
			return usagef(cmd, "unexpected argument %q", args[n])
		}
		return nil
	}
}

// imageFlag checks the image of the program, by the name of the flag or of the variable
// that stands in for it. A run on this machine has no use for it.
func imageFlag(cmd *cobra.Command) error {
	f := cmd.Flags().Lookup("image")
	if f == nil {
		return nil
	}
	name := "--image"
	if !f.Changed {
		if on := cmd.Flags().Lookup("on"); on != nil && on.Value.String() == "local" {
			return nil
		}
		name = contract.ImageVar
	}
	if err := emit.CheckImage(f.Value.String()); err != nil {
		return usagef(cmd, "%s: %v", name, err)
	}
	return nil
}
