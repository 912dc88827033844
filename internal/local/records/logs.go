package records

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/run"
)

// longest is how much of a line of a log waits for its end, in bytes.
const longest = 64 << 10

// Logs reads the logs of the steps of a run line by line, also while they are written.
type Logs struct {
	dir  string
	line func(t *run.Task, line string)

	mu    sync.Mutex
	files map[string]*logFile
	order []*logFile // those that may get more lines
	err   error
}

// A logFile is the log of one attempt of a step.
type logFile struct {
	name string
	of   run.Task
	at   int64  // up to where it was read
	rest []byte // of a line that has no end yet
}

// NewLogs returns what calls line for each line of the logs of a run, without its end, one
// call at a time.
func NewLogs(dir string, line func(t *run.Task, line string)) *Logs {
	return &Logs{dir: dir, line: line, files: map[string]*logFile{}}
}

// See takes note of a task as it is now, and reads what is new of its logs, so that the
// lines of an attempt come before the report that it failed. The logs of attempts that have
// ended are read to their end.
func (l *Logs) See(t run.Task) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, name := range t.Logs {
		f := l.files[name]
		if f == nil {
			f = &logFile{name: name}
			l.files[name] = f
			l.order = append(l.order, f)
		}
		if f.of = t; i < len(t.Logs)-1 || t.State.Done() {
			if j := slices.Index(l.order, f); j >= 0 {
				l.order = slices.Delete(l.order, j, j+1)
				l.read(f)
				l.end(f)
			}
		} else {
			l.read(f)
		}
	}
}

// Read reads what is new of all logs.
func (l *Logs) Read() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.order {
		l.read(f)
	}
}

// Every reads what is new at each interval until the context ends.
func (l *Logs) Every(ctx context.Context, interval time.Duration) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			l.Read()
		}
	}
}

// Close reads all logs to their end. The error is the first one of reading.
func (l *Logs) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.order {
		l.read(f)
		l.end(f)
	}
	l.order = nil
	return l.err
}

// read reads the new lines of a log. One that isn't there yet has none.
func (l *Logs) read(f *logFile) {
	err := l.chunks(f)
	if err != nil && !os.IsNotExist(err) && l.err == nil {
		l.err = err
	}
}

func (l *Logs) chunks(f *logFile) error {
	file, err := openLog(l.dir, f.name)
	if err != nil {
		return err
	}
	defer file.Close()
	b := make([]byte, 32<<10)
	for {
		n, err := file.ReadAt(b, f.at)
		f.at += int64(n)
		f.rest = append(f.rest, b[:n]...)
		l.lines(f)
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// lines calls line for the lines that have ended.
func (l *Logs) lines(f *logFile) {
	at := 0
	for {
		i := bytes.IndexByte(f.rest[at:], '\n')
		if i < 0 {
			break
		}
		l.line(&f.of, string(f.rest[at:at+i]))
		at += i + 1
	}
	f.rest = f.rest[:copy(f.rest, f.rest[at:])]
	if len(f.rest) >= longest {
		l.end(f)
	}
}

// end takes the rest as a line.
func (l *Logs) end(f *logFile) {
	if len(f.rest) > 0 {
		l.line(&f.of, string(f.rest))
		f.rest = nil
	}
}

// openLog opens a log in the folder of a run.
func openLog(dir, name string) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return OpenRegular(root, filepath.FromSlash(name))
}

// tailed is how much of the end of a log Tail looks at.
const tailed = 64 << 10

// Tail returns the last lines of the log of a step's last attempt, at most n of them.
func Tail(dir string, t *run.Task, n int) []string {
	if len(t.Logs) == 0 {
		return nil
	}
	f, err := openLog(dir, t.Logs[len(t.Logs)-1])
	if err != nil {
		return nil
	}
	defer f.Close()
	var from int64
	if info, err := f.Stat(); err == nil {
		from = max(0, info.Size()-tailed)
	}
	b, err := io.ReadAll(io.NewSectionReader(f, from, tailed))
	text := strings.TrimRight(string(b), "\r\n")
	if err != nil || text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	if from > 0 && len(lines) > 1 {
		lines = lines[1:] // of which the beginning is missing
	}
	return lines[max(0, len(lines)-n):]
}
