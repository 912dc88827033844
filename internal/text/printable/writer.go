package printable

import (
	"bytes"
	"io"
	"sync"
	"unicode/utf8"
)

// A Writer writes text as [Text] or [Log] has it. Several goroutines may use one.
type Writer struct {
	mu   sync.Mutex
	w    io.Writer
	log  bool
	rest []byte // what can't be judged before more is written
}

// longest is how much of a line of a log waits for its end, in bytes.
const longest = 64 << 10

// NewWriter returns a Writer that writes each text at once.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// NewLogWriter returns a Writer that writes each line as [Log] has it when it ends.
func NewLogWriter(w io.Writer) *Writer { return &Writer{w: w, log: true} }

// Unwrap returns the writer below, to which data goes as it is.
func (w *Writer) Unwrap() io.Writer { return w.w }

// Write writes the text. Half a character, a CR at the end and half a line of a log are
// kept for the next call, or for Flush.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rest = append(w.rest, p...)
	n := w.ready()
	if err := w.write(n); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes the kept bytes.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.write(len(w.rest))
}

func (w *Writer) write(n int) error {
	if n == 0 {
		return nil
	}
	form := Text
	if w.log {
		form = Log
	}
	_, err := io.WriteString(w.w, form(string(w.rest[:n])))
	w.rest = w.rest[:copy(w.rest, w.rest[n:])]
	return err
}

// ready returns how much can be written.
func (w *Writer) ready() int {
	n := len(w.rest)
	if w.log && n < longest {
		return bytes.LastIndexByte(w.rest, '\n') + 1
	}
	for back := 1; back < utf8.UTFMax && back <= n; back++ {
		if utf8.RuneStart(w.rest[n-back]) {
			if !utf8.FullRune(w.rest[n-back:]) {
				return n - back
			}
			break
		}
	}
	if n > 0 && w.rest[n-1] == '\r' {
		n--
	}
	return n
}
