package report

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// The bounds of what is shown of the logs, of one and of all.
const (
	maxLines = 100
	maxLog   = 24 << 10
	maxLogs  = 4 << 20
)

// A log is the end of what a task said in its last attempt.
type log struct {
	Text  string
	Note  string
	Files []link
}

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
	data, from, err := v.tail(t.Logs[len(t.Logs)-1])
	if err != nil {
		l.Note = "its log can't be read"
		return l
	}
	v.logs -= len(data)
	text := printable.Log(string(data))
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

// tail reads the end of a file of the run's folder, and returns where that begins.
func (v *View) tail(file string) (data []byte, from int64, err error) {
	f, err := v.root.Open(filepath.FromSlash(file))
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, 0, cmp.Or(err, fs.ErrInvalid)
	}
	from = max(0, info.Size()-int64(min(maxLog, v.logs)))
	data, err = io.ReadAll(io.NewSectionReader(f, from, info.Size()-from))
	return data, from, err
}
