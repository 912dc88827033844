package ui

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"unicode/utf8"

	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/local/report"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// window is how much of a file a page shows.
const window = 64 << 10

// An excerpt is a part of a file, in whole lines where these are not too long.
type excerpt struct {
	Text           string
	From, To, Size int64
	Words          string
	First, Earlier string // addresses of other parts
	Later, Last    string
	Download       string
}

// readText reads the part of a file from a place; a negative one: the end of it.
func readText(f *os.File, from int64) (*excerpt, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	t := &excerpt{Size: info.Size()}
	if from < 0 || from > t.Size {
		from = max(0, t.Size-window)
	}
	start := max(0, from-1) // to see whether a line starts here
	b := make([]byte, min(window+1, t.Size-start))
	n, err := f.ReadAt(b, start)
	if err != nil && err != io.EOF {
		return nil, err
	}
	b = b[:n]
	if from > 0 && len(b) > 0 {
		if b[0] != '\n' {
			if i := bytes.IndexByte(b, '\n'); i >= 0 && i < len(b)-1 {
				from, b = start+int64(i)+1, b[i+1:]
			} else {
				b = b[1:]
			}
		} else {
			b = b[1:]
		}
	}
	if from+int64(len(b)) < t.Size {
		if i := bytes.LastIndexByte(b, '\n'); i > 0 {
			b = b[:i+1]
		} else {
			b = whole(b)
		}
	}
	t.From, t.To, t.Text = from, from+int64(len(b)), printable.Log(string(b))
	switch {
	case t.Size == 0:
		t.Words = "empty"
	case t.From == 0 && t.To == t.Size:
		t.Words = bytesOf(t.Size)
	default:
		t.Words = bytesOf(t.From) + " to " + bytesOf(t.To) + " of " + bytesOf(t.Size)
	}
	return t, nil
}

// whole cuts a character off that is not all there.
func whole(b []byte) []byte {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}

// lead fills in the addresses of the other parts.
func (t *excerpt) lead(u *url.URL) {
	at := func(from int64) string { return with(u, "from", strconv.FormatInt(from, 10)) }
	if t.From > 0 {
		t.First, t.Earlier = at(0), at(max(0, t.From-window))
	}
	if t.To < t.Size {
		t.Later, t.Last = at(t.To), at(max(0, t.Size-window))
	}
}

// logFile opens the log of an attempt of a task; 0: the last.
func (l *loaded) logFile(t *run.Task, attempt int) (*os.File, int, error) {
	if attempt <= 0 {
		attempt = len(t.Logs)
	}
	if attempt == 0 || attempt > len(t.Logs) {
		return nil, attempt, missing("task %s has no log of attempt %d", t.Path, attempt)
	}
	f, err := records.OpenRegular(l.root, filepath.FromSlash(t.Logs[attempt-1]))
	if err != nil { // a record names any file
		return nil, attempt, &problem{http.StatusNotFound, explain(err)}
	}
	return f, attempt, nil
}

// A logView is the page of a log.
type logView struct {
	*excerpt
	Run, RunHref   string
	Task, TaskHref string
	Where          string
	Attempts       []choice
	Live           string // where more of it comes from
}

// An openLog is the log that a request is about.
type openLog struct {
	*loaded
	of      *run.Task
	attempt int
	file    *os.File
}

// ofLog opens the log for what answers a request.
func ofLog(f func(http.ResponseWriter, *http.Request, *openLog) error) func(http.ResponseWriter, *http.Request, *loaded) error {
	return func(w http.ResponseWriter, r *http.Request, l *loaded) error {
		t, err := l.task(r.URL.Query().Get("path"))
		if err != nil {
			return err
		}
		attempt, _ := strconv.Atoi(r.URL.Query().Get("attempt"))
		file, attempt, err := l.logFile(t, attempt)
		if err != nil {
			return err
		}
		defer file.Close()
		return f(w, r, &openLog{l, t, attempt, file})
	}
}

func (s *Server) log(w http.ResponseWriter, r *http.Request, l *openLog) error {
	t, attempt, f := l.of, l.attempt, l.file
	from, err := strconv.ParseInt(r.URL.Query().Get("from"), 10, 64)
	if err != nil {
		from = -1
	}
	v := &logView{Run: l.run.ID, RunHref: address(l.run.ID, ""), Task: report.Label(t), TaskHref: address(l.run.ID, "task", "path", t.Path), Where: report.Where(t)}
	if v.excerpt, err = readText(f, from); err != nil {
		return err
	}
	v.lead(r.URL)
	v.Download = fileAddress(l.run.ID, t.Logs[attempt-1])
	v.Attempts = attempts(l.run.ID, t, attempt)
	if !t.State.Done() && attempt == len(t.Logs) && v.To == v.Size {
		v.Live = logEvents(l.run.ID, t, attempt, v.To)
	}
	return s.render(w, r, http.StatusOK, "log", page{Title: "Log of " + v.Task, Section: "runs", Body: v})
}

// attempts lead to the logs of a task, of which one may be chosen.
func attempts(id string, t *run.Task, chosen int) (all []choice) {
	for i := range t.Logs {
		n := strconv.Itoa(i + 1)
		all = append(all, choice{Label: "attempt " + n, Chosen: i+1 == chosen, Href: address(id, "log", "path", t.Path, "attempt", n)})
	}
	return all
}

// logEvents is the address of what a log gets from a place on.
func logEvents(id string, t *run.Task, attempt int, from int64) string {
	return address(id, "log/events", "path", t.Path, "attempt", strconv.Itoa(attempt), "from", strconv.FormatInt(from, 10))
}

// logEvents sends what a log gets, until its task is done.
func (s *Server) logEvents(w http.ResponseWriter, r *http.Request, l *openLog) error {
	t, attempt, f := l.of, l.attempt, l.file
	from, _ := strconv.ParseInt(r.URL.Query().Get("from"), 10, 64)
	if id, err := strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64); err == nil {
		from = id
	}
	return s.stream(w, r, func(send sender) (bool, error) {
		done := l.run.State.Done() || t.State.Done() || attempt < len(t.Logs)
		if !done { // lines written after this look come with the next one
			if ok, gone := l.again(); !ok {
				return gone, nil
			}
			if now, err := l.task(t.Path); err == nil {
				t = now
			}
		}
		for {
			info, err := f.Stat()
			if err != nil {
				return true, nil
			}
			skipped := ""
			if behind := info.Size() - from; behind > 16*window {
				from = info.Size() - 4*window
				skipped = "[… " + bytesOf(behind-4*window) + " not shown …]\n"
			}
			if info.Size() <= from {
				return done, nil
			}
			b := make([]byte, min(window, info.Size()-from))
			n, err := f.ReadAt(b, from)
			if b = b[:n]; err != nil && err != io.EOF || n == 0 {
				return true, nil
			}
			if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
				b = b[:i+1]
			} else if b = whole(b); len(b) == 0 {
				return done, nil
			}
			from += int64(len(b))
			if err := send("text", map[string]any{"text": skipped + printable.Log(string(b)), "to": from}); err != nil {
				return true, err
			}
		}
	})
}
