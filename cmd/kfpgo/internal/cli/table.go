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
type Table struct {
	Wide bool // there is room for more columns
	w    *tabwriter.Writer
	rows [][]any
}

func newTable(w io.Writer) *Table { return &Table{w: tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)} }

// Row writes one.
func (t *Table) Row(cells ...any) {
	t.rows = append(t.rows, cells)
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

// names returns what the rows are about: the IDs or names in a table with a head, the ID or
// name in one of properties, and the cells of one that has nothing else.
func (t *Table) names() (names []string) {
	if len(t.rows) == 0 {
		return nil
	}
	head := t.rows[0]
	for _, label := range []string{"ID", "NAME"} {
		if i := slices.Index(head, any(label)); i >= 0 {
			for _, row := range t.rows[1:] {
				if i < len(row) {
					names = append(names, fmt.Sprint(row[i]))
				}
			}
			return names
		}
	}
	for _, label := range []string{"id", "name"} {
		for _, row := range t.rows {
			if len(row) == 2 && row[0] == any(label) {
				return []string{fmt.Sprint(row[1])}
			}
		}
	}
	for _, row := range t.rows {
		if len(row) > 0 {
			names = append(names, fmt.Sprint(row[0]))
		}
	}
	return names
}

// Formats are the forms of a result: name is only the IDs or names, for scripts, and wide a
// table with more columns.
var Formats = []string{"table", "json", "yaml", "name", "wide"}

// FormsKey annotates the flag --output with the forms that a command has.
const FormsKey = "kfpgo-forms"

// Display writes a result: as a table, or as the JSON or YAML of a value.
func Display(cmd *cobra.Command, format string, value any, fill func(t *Table)) error {
	forms := cmd.Flags().Lookup("output").Annotations[FormsKey]
	if !slices.Contains(forms, format) {
		return Usagef(cmd, "--output is one of %s, not %q", strings.Join(forms, ", "), format)
	}
	w := cmd.OutOrStdout()
	switch format {
	case "table", "wide":
		t := newTable(w)
		t.Wide = format == "wide"
		fill(t)
		return t.w.Flush()
	case "name":
		t := newTable(io.Discard)
		fill(t)
		for _, name := range t.names() {
			Say(w, "%s", name)
		}
		return nil
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
