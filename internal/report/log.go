package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/internal/lazyregexp"
	"github.com/kfpgo/kfpgo/internal/run"
)

// The bounds of what is shown of the logs, of one and of all.
const (
	maxLines = 100
	maxLog   = 24 << 10
	maxLogs  = 4 << 20
)

// A log is the end of what a task said in its last attempt.
type log struct {
	Text    string
	Note    string
	Files   []link
	Missing bool
}

// controls are the escape sequences of terminals, and the characters that a page
// can't show.
var controls = lazyregexp.New("\x1b\\[[0-9;?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(\x07|\x1b\\\\)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

func (v *View) newLog(t *run.Task) *log {
	if len(t.Logs) == 0 {
		return nil
	}
	l := &log{}
	for i, name := range t.Logs {
		if filepath.IsLocal(filepath.FromSlash(name)) {
			href := beside(name)
			if v.o.Log != nil {
				href = v.o.Log(t, i+1)
			}
			l.Files = append(l.Files, link{href, fmt.Sprintf("attempt %d", i+1)})
		}
	}
	last := t.Logs[len(t.Logs)-1]
	f, err := v.root.Open(filepath.FromSlash(last))
	if err != nil {
		l.Missing, l.Note = true, "its log can't be read"
		return l
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		l.Missing, l.Note = true, "its log can't be read"
		return l
	}
	size := info.Size()
	from := max(0, size-int64(min(maxLog, v.logs)))
	data, err := io.ReadAll(io.NewSectionReader(f, from, size-from))
	if err != nil {
		l.Missing, l.Note = true, "its log can't be read"
		return l
	}
	v.logs -= len(data)
	text := Clean(string(data))
	if from > 0 {
		_, text, _ = strings.Cut(text, "\n") // half a line
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > maxLines {
		from, lines = 1, lines[len(lines)-maxLines:]
	}
	l.Text = strings.Join(lines, "\n")
	switch {
	case l.Text == "" && from > 0:
		l.Note = "too long to show"
	case l.Text == "":
		l.Note = "it said nothing"
	case from > 0:
		l.Note = "the end of it"
	}
	return l
}

// Clean takes away what is for terminals; of a line that was written over, the
// last text stays.
func Clean(s string) string {
	s = controls.ReplaceAllString(strings.ToValidUTF8(s, "�"), "")
	if !strings.Contains(s, "\r") {
		return s
	}
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range lines {
		l = strings.TrimRight(l, "\r")
		lines[i] = l[strings.LastIndex(l, "\r")+1:]
	}
	return strings.Join(lines, "\n")
}
