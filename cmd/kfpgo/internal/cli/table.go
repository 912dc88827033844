package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/internal/text/printable"
	"github.com/kfpgo/kfpgo/internal/text/yaml"
)

// A Table has rows, and nothing in a cell begins another one.
type Table struct{ w *tabwriter.Writer }

func newTable(w io.Writer) *Table { return &Table{tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)} }

// Row writes one.
func (t *Table) Row(cells ...any) {
	for i, c := range cells {
		if i > 0 {
			io.WriteString(t.w, "\t")
		}
		io.WriteString(t.w, printable.Line(fmt.Sprint(c)))
	}
	io.WriteString(t.w, "\n")
}

// Lines has a row for each line of a string, the first of them with its name.
func (t *Table) Lines(name, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	for line := range strings.SplitSeq(printable.Text(text), "\n") {
		t.Row(name, line)
		name = ""
	}
}

// Formats are the forms of a result.
var Formats = []string{"table", "json", "yaml"}

// Display writes a result: as a table, or as the JSON or YAML of a value.
func Display(cmd *cobra.Command, format string, value any, fill func(t *Table)) error {
	if !slices.Contains(Formats, format) {
		return Usagef(cmd, "--format is one of %s, not %q", strings.Join(Formats, ", "), format)
	}
	w := cmd.OutOrStdout()
	if format == "table" {
		t := newTable(w)
		fill(t)
		return t.w.Flush()
	}
	if format == "json" {
		return WriteJSON(w, value)
	}
	b, err := yaml.Marshal(value)
	if err == nil {
		_, err = Raw(w).Write(b)
	}
	return err
}

// WriteJSON writes a value, of which nothing is lost and nothing acts on a terminal.
func WriteJSON(w io.Writer, value any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return err
	}
	_, err := Raw(w).Write(printable.JSON(b.Bytes()))
	return err
}
