package main

import (
	"encoding/json"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"
)

var formats = []string{"table", "json", "yaml"}

// formatFlag adds --format to a verb.
func formatFlag(cmd *cobra.Command, format *string) {
	cmd.Flags().StringVar(format, "format", "table", "`FORM` of the result: "+strings.Join(formats, ", "))
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
}

// display writes a result: as a table, whose cells are separated by tabs, or as the
// JSON or YAML of a value.
func display(cmd *cobra.Command, format string, value any, table func(w *tabwriter.Writer)) error {
	if !slices.Contains(formats, format) {
		return usagef(cmd, "--format is one of %s, not %q", strings.Join(formats, ", "), format)
	}
	if format == "table" {
		w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
		table(w)
		return w.Flush()
	}
	b, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	if b = append(b, '\n'); format == "yaml" {
		if b, err = yaml.JSONToYAML(b); err != nil {
			return err
		}
	}
	_, err = cmd.OutOrStdout().Write(b)
	return err
}
