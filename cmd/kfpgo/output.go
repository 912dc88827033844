package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"golang.org/x/term"

	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// What is written may have been said by a server, a file or a step, and who reads it
// may be at a terminal. So all that the command writes goes through these, which leave
// nothing that a terminal acts on. TestOutputs holds who may go around them.
var (
	stdout = printable.NewWriter(os.Stdout)
	stderr = printable.NewWriter(os.Stderr)
)

// raw returns what is below: for data, which stays as it is, and for what draws on a
// terminal and cleans its texts by itself.
func raw(w io.Writer) io.Writer {
	if clean, ok := w.(interface{ Unwrap() io.Writer }); ok {
		return clean.Unwrap()
	}
	return w
}

// isTerminal reports whether what is written is seen at once.
func isTerminal(w io.Writer) bool {
	f, ok := raw(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// content returns where the content of an artifact goes: to a pipe or a file as it is,
// and to a terminal as text.
func content(w io.Writer) io.Writer {
	if isTerminal(w) {
		return w
	}
	return raw(w)
}

// logs returns where logs go: to a pipe or a file as they are, and to a terminal
// without colours and the like. The function writes what is left of the last line.
func logs(w io.Writer) (io.Writer, func() error) {
	if !isTerminal(w) {
		return raw(w), func() error { return nil }
	}
	clean := printable.NewLogWriter(raw(w))
	return clean, clean.Flush
}

// say writes one line, whatever is in the texts.
func say(w io.Writer, format string, args ...any) error {
	_, err := io.WriteString(w, printable.Line(fmt.Sprintf(format, args...))+"\n")
	return err
}

// A table has rows, and nothing in a cell begins another one.
type table struct{ w *tabwriter.Writer }

func newTable(w io.Writer) *table { return &table{tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)} }

func (t *table) row(cells ...any) {
	for i, c := range cells {
		if i > 0 {
			io.WriteString(t.w, "\t")
		}
		io.WriteString(t.w, printable.Line(fmt.Sprint(c)))
	}
	io.WriteString(t.w, "\n")
}

// lines has a row for each line of a text, the first of them with its name.
func (t *table) lines(name, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	for line := range strings.SplitSeq(printable.Text(text), "\n") {
		t.row(name, line)
		name = ""
	}
}
