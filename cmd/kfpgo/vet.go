package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/vet"
)

func newVet() *cobra.Command {
	var target, format string
	var o emit.Options
	cmd := &cobra.Command{
		Use:   "vet PIPELINE",
		Short: "Find what is likely to go wrong in a pipeline",
		Long: `Vet finds what compiles but is likely to go wrong: images that change under their
name, tasks on GPU nodes that ask for no GPU, requests above their limits, secrets
in plain sight, inputs that nothing reads, old names of time zones, and pipelines
that are near the sizes which a cluster stores, with what takes the most.

What a target can't express is found too, as by compile. No cluster is asked for
anything. The exit code is 1 if there is an error among the findings; warnings leave
it at 0.`,
		Example: `  kfpgo vet ./examples/mnist
  kfpgo vet pipeline.yaml --target argo
  kfpgo vet pipeline.yaml --format json`,
		Args: exactly(1, "PIPELINE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "table" && format != "json" {
				return usagef(cmd, "there is no format %q; the formats are table and json", format)
			}
			if err := emit.Check(target, o); err != nil {
				return usagef(cmd, "%v", err)
			}
			p, _, err := load(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			found := vet.Program(p)
			if o.Image == "" { // which one it is changes no finding
				o.Image = "example.com/program:1"
			}
			_, sizes, err := emit.Measured(p, target, o)
			mistakes, rest := emit.Split(err)
			for _, m := range mistakes {
				found = append(found, vet.Finding{Level: vet.Error, Check: "compile", Pos: m.Pos, Msg: m.Msg})
			}
			for _, e := range rest {
				found = append(found, vet.Finding{Level: vet.Error, Check: "compile", Msg: e.Error()})
			}
			found = append(found, sizes...)
			return printFindings(cmd, found, format)
		},
		ValidArgsFunction: completePipeline,
	}
	f := cmd.Flags()
	f.StringVarP(&target, "target", "t", emit.KFP, "whose limits count: "+strings.Join(emit.Targets, ", "))
	f.StringVar(&format, "format", "table", "`FORM` of what is printed: table or json")
	f.StringVar(&o.Image, "image", os.Getenv("KFPGO_IMAGE"), "container image `REF` of the program, for its Go components")
	f.StringVar(&o.ArtifactRoot, "artifact-root", "", "with --target argo: `URI` of the folder that holds artifacts, such as s3://bucket")
	f.Lookup("image").DefValue = ""
	cmd.RegisterFlagCompletionFunc("target", cobra.FixedCompletions(emit.Targets, cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"table", "json"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func printFindings(cmd *cobra.Command, found []vet.Finding, format string) (err error) {
	w := cmd.OutOrStdout()
	errors := 0
	for _, f := range found {
		if f.Level == vet.Error {
			errors++
		}
		if format == "table" && err == nil {
			_, err = fmt.Fprintln(w, f)
		}
	}
	if format == "json" {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		err = e.Encode(map[string]any{"findings": append([]vet.Finding{}, found...), "errors": errors, "warnings": len(found) - errors})
	}
	if err == nil && errors > 0 {
		return errFailed
	}
	return err
}

// warnSizes tells of what is near or above the limits of a target.
func warnSizes(cmd *cobra.Command, found []vet.Finding) {
	for _, f := range found {
		f.Level = vet.Warning // it is compiled: whether the cluster takes it is the cluster's
		fmt.Fprintf(cmd.ErrOrStderr(), "kfpgo: %s\n", f)
	}
}
