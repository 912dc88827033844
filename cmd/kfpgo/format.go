package main

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/internal/text/printable"
	"github.com/kfpgo/kfpgo/internal/text/yaml"
)

var formats = []string{"table", "json", "yaml"}

// formatFlag adds --format to a verb.
func formatFlag(cmd *cobra.Command, format *string) {
	cmd.Flags().StringVar(format, "format", "table", "`FORM` of the result: "+strings.Join(formats, ", "))
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
}

// display writes a result: as a table, or as the JSON or YAML of a value.
func display(cmd *cobra.Command, format string, value any, fill func(t *table)) error {
	if !slices.Contains(formats, format) {
		return usagef(cmd, "--format is one of %s, not %q", strings.Join(formats, ", "), format)
	}
	w := cmd.OutOrStdout()
	if format == "table" {
		t := newTable(w)
		fill(t)
		return t.w.Flush()
	}
	if format == "json" {
		return writeJSON(w, value)
	}
	b, err := yaml.Marshal(value)
	if err == nil {
		_, err = raw(w).Write(b)
	}
	return err
}

// writeJSON writes a value, of which nothing is lost and nothing acts on a terminal.
func writeJSON(w io.Writer, value any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return err
	}
	_, err := raw(w).Write(printable.JSON(b.Bytes()))
	return err
}
