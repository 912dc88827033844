// Package ui is kfpgo ui: pages about the runs of this machine, for a browser on it.
//
// What runs leave behind is never trusted: it is read through an os.Root of the run's
// folder, shown as escaped text or in a frame that may do nothing, and bounded in
// size. Who may ask is the business of guard.go.
package ui

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/local/report"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

//go:embed web
var web embed.FS

// Options say what a server shows.
type Options struct {
	Home    string                           // of runs and schedules
	Command []string                         // starts kfpgo, for runs that are started here; nil: none are
	Tell    func(format string, args ...any) // is called with addresses to open
	Now     func() time.Time                 // default time.Now
}

// A Server shows the runs of a home folder.
type Server struct {
	o       Options
	runs    *records.Index
	pages   map[string]*template.Template
	static  map[string]asset
	guard   *guard
	streams chan struct{} // a place for each that is open
	starts  starts
	plans   plans
	history history
}

// An asset is a file for browsers, whose address changes with it.
type asset struct {
	kind string
	body []byte
}

// New returns a server. Nothing listens yet.
func New(o Options) (*Server, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Tell == nil {
		o.Tell = func(string, ...any) {}
	}
	home, err := filepath.Abs(o.Home)
	if err != nil {
		return nil, err
	}
	o.Home = home
	s := &Server{o: o, runs: records.NewIndex(filepath.Join(home, "runs")), static: map[string]asset{}, streams: make(chan struct{}, 64)}
	s.guard = newGuard(o.Tell)
	return s, s.load()
}

// load reads the templates and the files for browsers.
func (s *Server) load() error {
	css, err := web.ReadFile("web/ui.css")
	if err != nil {
		return err
	}
	js, err := web.ReadFile("web/ui.js")
	if err != nil {
		return err
	}
	names := map[string]string{}
	for name, a := range map[string]asset{
		"ui.css": {"text/css; charset=utf-8", append([]byte(report.Style()), css...)},
		"ui.js":  {"text/javascript; charset=utf-8", js},
	} {
		sum := sha256.Sum256(a.body)
		path := fmt.Sprintf("/static/%x/%s", sum[:6], name)
		names[name], s.static[path] = path, a
	}
	funcs := template.FuncMap{
		"static":    func(name string) string { return names[name] },
		"path":      url.PathEscape,
		"ago":       func(t time.Time) string { return ago(s.o.Now().Sub(t)) },
		"stamp":     report.Stamp,
		"rownumber": func(first, i int) int { return first + i },
		"columns":   func(runs []row) int { return len(runs) + 1 },
		"iso":       func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	}
	base, err := report.Pieces().Funcs(funcs).ParseFS(web, "web/layout.html", "web/parts.html")
	if err != nil {
		return err
	}
	s.pages = map[string]*template.Template{}
	for _, name := range []string{"list", "run", "task", "log", "artifact", "compare", "schedules", "start", "starting", "message"} {
		page, err := template.Must(base.Clone()).ParseFS(web, "web/"+name+".html")
		if err != nil {
			return err
		}
		s.pages[name] = page
	}
	return nil
}

// Handler answers requests.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, f func(http.ResponseWriter, *http.Request) error) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := f(w, r); err != nil {
				s.fail(w, r, err)
			}
		})
	}
	handle("GET /{$}", s.list)
	handle("GET /compare", s.compare)
	handle("GET /schedules", s.schedules)
	ofRun := func(f func(http.ResponseWriter, *http.Request, *loaded) error) func(http.ResponseWriter, *http.Request) error {
		return func(w http.ResponseWriter, r *http.Request) error {
			l, err := s.open(r.PathValue("id"))
			if err != nil {
				return err
			}
			defer l.close()
			return f(w, r, l)
		}
	}
	handle("GET /runs/{id}", ofRun(s.run))
	handle("GET /runs/{id}/events", ofRun(s.runEvents))
	handle("GET /runs/{id}/task", ofRun(s.task))
	handle("GET /runs/{id}/task/events", ofRun(s.taskEvents))
	handle("GET /runs/{id}/log", ofRun(ofLog(s.log)))
	handle("GET /runs/{id}/log/events", ofRun(ofLog(s.logEvents)))
	handle("GET /runs/{id}/artifact", ofRun(s.artifact))
	handle("GET /runs/{id}/files/{file...}", s.file)
	handle("GET /runs/{id}/start", ofRun(s.startForm))
	handle("POST /runs/{id}/start", ofRun(s.start))
	handle("GET /starts/{id}", s.starting)
	mux.HandleFunc("GET /static/", func(w http.ResponseWriter, r *http.Request) {
		a, ok := s.static[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", a.kind)
		w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
		w.Write(a.body)
	})
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	handle("GET /", func(http.ResponseWriter, *http.Request) error { return missing("there is no such page") })
	return s.guard.wrap(mux)
}

// Listen returns a listener at an address of this machine's own. Others can't reach it.
func Listen(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	ips, err := net.LookupIP(host)
	if err != nil {
		return nil, err
	}
	for _, ip := range ips {
		if !ip.IsLoopback() {
			return nil, fmt.Errorf("%s is not an address of this machine's own: give 127.0.0.1, ::1 or localhost, and reach it from elsewhere with ssh -L", address)
		}
	}
	return net.Listen("tcp", address)
}

// Serve answers until the context ends, and prints the address to open.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	server := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx }, // streams end with it
	}
	s.guard.at("http://" + l.Addr().String())
	stop := context.AfterFunc(ctx, func() {
		end, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		server.Shutdown(end)
	})
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// A problem is an error with the status that it is answered with.
type problem struct {
	status int
	text   string
}

func (p *problem) Error() string { return p.text }

func missing(format string, args ...any) error {
	return &problem{http.StatusNotFound, fmt.Sprintf(format, args...)}
}

func bad(format string, args ...any) error {
	return &problem{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // nobody is there
	}
	p := &problem{http.StatusInternalServerError, err.Error()}
	if errors.Is(err, os.ErrNotExist) {
		p = &problem{http.StatusNotFound, "there is no such file, or no longer"}
	}
	errors.As(err, &p)
	s.render(w, r, p.status, "message", page{Title: http.StatusText(p.status), Body: p.text})
}

// A page is what a template gets.
type page struct {
	Title   string // of the browser's tab
	Section string // of the navigation
	CSRF    string
	Live    string // address of events
	Body    any
}

func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name string, p page) error {
	p.CSRF = s.guard.csrf()
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	if err := s.pages[name].ExecuteTemplate(b, "layout", p); err != nil {
		if status == http.StatusOK {
			return err
		}
		http.Error(w, printable.Text(fmt.Sprint(p.Body)), status)
		return nil
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	io.WriteString(w, printable.Text(b.String())) // markup has none of what that escapes, so it is what runs say
	return nil
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
