package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// stream sends events until there are no more to come or nobody is there. What is slow
// to make comes less often: the run itself needs the machine.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, next func(sender) (done bool, err error)) error {
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		return &problem{http.StatusServiceUnavailable, "too many pages are open that show something live; close some"}
	}
	c := http.NewResponseController(w)
	if err := c.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	last := time.Now()
	send := func(event string, data any) error {
		b, err := json.Marshal(data)
		if err != nil {
			return err
		}
		c.SetWriteDeadline(time.Now().Add(30 * time.Second))
		if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, b); err != nil {
			return err
		}
		last = time.Now()
		return c.Flush()
	}
	for {
		began := time.Now()
		done, err := next(send)
		if err != nil || done {
			if err == nil {
				send("end", struct{}{})
			}
			return nil // the answer has begun, so that its status can't change
		}
		if time.Since(last) > 15*time.Second {
			if err := send("alive", struct{}{}); err != nil {
				return nil
			}
		}
		select {
		case <-r.Context().Done():
			return nil
		case <-time.After(max(tick, 10*time.Since(began))):
		}
	}
}

// A sender sends one event.
type sender func(event string, data any) error

// tick is how often a stream looks for something new.
var tick = 500 * time.Millisecond

// A live page is one whose parts are sent as they change.
type live struct {
	page *template.Template
	sent map[string]string // parts, and the status
}

func (s *Server) live(page string) *live { return &live{s.pages[page], map[string]string{}} }

// send sends those of the named parts that have changed, and then the status, for those
// who hear it, with the title of the page.
func (l *live) send(send sender, body any, status, title string, parts ...string) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	for _, name := range parts {
		b.Reset()
		if err := l.page.ExecuteTemplate(b, name, body); err != nil {
			return err
		}
		if html := printable.Text(b.String()); l.sent[name] != html {
			l.sent[name] = html
			if err := send("part", map[string]string{"id": name, "html": html}); err != nil {
				return err
			}
		}
	}
	status, title = printable.Line(status), printable.Line(title)
	if l.sent["status"] == status {
		return nil
	}
	l.sent["status"] = status
	return send("status", map[string]string{"text": status, "title": title})
}
