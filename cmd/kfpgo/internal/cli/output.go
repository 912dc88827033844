package cli

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// The output may come from a server, a file or a step, and its reader
// may be at a terminal. So all output of the command goes through these, which leave
// nothing that a terminal acts on. TestOutputs holds who may go around them.
var (
	Stdout = printable.NewWriter(os.Stdout)
	Stderr = printable.NewWriter(os.Stderr)
)

// Notes is where messages go that are neither results nor errors, where no command is at hand.
var Notes io.Writer = Stderr

// Raw returns what is below: for data, which stays as it is, and for what draws on a
// terminal and cleans its strings by itself.
func Raw(w io.Writer) io.Writer {
	if clean, ok := w.(interface{ Unwrap() io.Writer }); ok {
		return clean.Unwrap()
	}
	return w
}

// isTerminal reports whether a writer is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := Raw(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Terminal returns the writer's file if that is a terminal, else nil.
func Terminal(w io.Writer) *os.File {
	if isTerminal(w) && os.Getenv("TERM") != "dumb" {
		return Raw(w).(*os.File)
	}
	return nil
}

// Content returns where the content of an artifact goes: to a pipe or a file as it is,
// and to a terminal as text.
func Content(w io.Writer) io.Writer {
	if isTerminal(w) {
		return w
	}
	return Raw(w)
}

// Logs returns where logs go: to a pipe or a file as they are, and to a terminal
// without colours and the like. The function writes the rest of the last line.
func Logs(w io.Writer) (io.Writer, func() error) {
	if !isTerminal(w) {
		return Raw(w), func() error { return nil }
	}
	clean := printable.NewLogWriter(Raw(w))
	return clean, clean.Flush
}

// Say writes one line, whatever is in the strings.
func Say(w io.Writer, format string, args ...any) error {
	_, err := io.WriteString(w, printable.Line(fmt.Sprintf(format, args...))+"\n")
	return err
}
