package main

import (
	"bytes"
	"context"
	"crypto/rand"
	_ "embed" // the pages
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	tfservingbench "github.com/kfpgo/kfpgo/examples/tf-serving-bench"
	"github.com/kfpgo/kfpgo/examples/tf-serving-bench/bench"
)

//go:embed pages.html
var pagesHTML string

var pages = template.Must(bench.Template().Parse(pagesHTML))

// What one may ask for here, where somebody waits for the page.
const (
	requests    = 10
	maxRequests = 200
	kept        = 20 // results
	longest     = 10 * time.Minute
)

// A site is the pages and the API.
type site struct {
	targets []target
	busy    chan struct{} // one image at a time, so that nothing else is measured with it

	mu      sync.Mutex
	results []*result // the newest first
}

// A result is a report that was asked for.
type result struct {
	ID     string        `json:"id"`
	Report *bench.Report `json:"report"`
}

// newSite returns the pages and the API. Without a token they are for this machine only.
func newSite(targets []target, token string) http.Handler {
	s := &site{targets: targets, busy: make(chan struct{}, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.home)
	mux.HandleFunc("POST /{$}", s.upload)
	mux.HandleFunc("GET /results/{id}", s.show)
	mux.HandleFunc("GET /style.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		io.WriteString(w, bench.Style)
	})
	mux.HandleFunc("POST /api/reports", s.create)
	mux.HandleFunc("GET /api/reports", s.list)
	mux.HandleFunc("GET /api/reports/{id}", s.read)
	var h http.Handler = mux
	if token != "" {
		h = &gate{token, mux}
	}
	top := http.NewServeMux()
	top.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") })
	top.Handle("/", protect(h, token != ""))
	return top
}

// protect keeps other sites out, and, unless everybody is asked for a token, names that
// were made to mean this machine.
func protect(h http.Handler, asked bool) http.Handler {
	h = http.NewCrossOriginProtection().Handler(h)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "same-origin")
		head.Set("Cache-Control", "no-store")
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if ip := net.ParseIP(strings.Trim(host, "[]")); !asked && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			http.Error(w, "this page is for this machine only", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// A failure is what went wrong, with the status that says so.
type failure struct {
	code int
	text string
}

func (f *failure) Error() string { return f.text }

func fail(code int, format string, args ...any) error {
	return &failure{code, fmt.Sprintf(format, args...)}
}

// status returns the code of an error.
func status(err error) int {
	var f *failure
	var image *bench.ImageError
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &f):
		return f.code
	case errors.As(err, &long), errors.As(err, &image) && image.TooLarge:
		return http.StatusRequestEntityTooLarge
	case image != nil:
		return http.StatusUnsupportedMediaType
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout
	}
	return http.StatusBadRequest
}

// measure reads an image from a form, or from a body that is the image, posts it to
// each server, and keeps the report.
func (s *site) measure(w http.ResponseWriter, r *http.Request) (*result, error) {
	select {
	case s.busy <- struct{}{}: // before the upload is read, so that there is memory for one only
		defer func() { <-s.busy }()
	default:
		w.Header().Set("Retry-After", "10")
		return nil, fail(http.StatusServiceUnavailable, "another image is being measured; try again in a moment")
	}
	r.Body = http.MaxBytesReader(w, r.Body, bench.MaxBytes+64<<10) // a form has a little more than its file
	name, data, load, err := read(r)
	if err != nil {
		return nil, err
	}
	original, pictures, err := bench.Pictures(name, data, bench.Sizes)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), longest)
	defer cancel()
	var servers []bench.Server
	for _, t := range s.targets {
		measured := t.Server
		if measured.Missing == "" {
			if measured, err = bench.Measure(ctx, t.Server, t.Client, pictures, load); err != nil {
				return nil, err
			}
		}
		servers = append(servers, measured)
	}
	res := &result{ID: rand.Text(), Report: bench.New(original, load, pictures, nil, servers)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.results = append([]*result{res}, s.results...)
	s.results = s.results[:min(len(s.results), kept)]
	return res, nil
}

// read returns the image of a request, and how servers are asked.
func read(r *http.Request) (name string, data []byte, load bench.Load, err error) {
	load = bench.Load{Requests: requests, Parallel: 2, Ready: 3 * time.Second}
	set := func(key, value string) error {
		n, err := strconv.Atoi(value)
		switch {
		case key == "requests" && err == nil && n >= 1 && n <= maxRequests:
			load.Requests = n
		case key == "parallel" && err == nil && n >= 1 && n <= 16:
			load.Parallel = n
		default:
			return fail(http.StatusBadRequest, "%s is %q; there are requests, from 1 to %d, and parallel, from 1 to 16", key, value, maxRequests)
		}
		return nil
	}
	for key, values := range r.URL.Query() {
		if err := set(key, values[0]); err != nil {
			return "", nil, load, err
		}
	}
	form, err := r.MultipartReader()
	if errors.Is(err, http.ErrNotMultipart) {
		if data, err = io.ReadAll(r.Body); err != nil {
			return "", nil, load, err
		}
		if len(data) == 0 {
			return "", nil, load, fail(http.StatusBadRequest, "there is no image in the request")
		}
		return "image", data, load, nil
	} else if err != nil {
		return "", nil, load, fail(http.StatusBadRequest, "the form can't be read: %v", err)
	}
	for range 10 { // parts; a form of ours has four
		part, err := form.NextPart()
		if err == io.EOF {
			if data == nil {
				return "", nil, load, fail(http.StatusBadRequest, "no file was chosen")
			}
			return name, data, load, nil
		} else if err != nil {
			return "", nil, load, err
		}
		if err := field(part, &name, &data, set); err != nil {
			return "", nil, load, err
		}
	}
	return "", nil, load, fail(http.StatusBadRequest, "the form has too many parts")
}

// field takes a part of the form: the file, the Moon in its place, or a number.
func field(part *multipart.Part, name *string, data *[]byte, set func(key, value string) error) error {
	defer part.Close()
	switch key := part.FormName(); key {
	case "image":
		b, err := io.ReadAll(part)
		if err != nil || len(b) == 0 { // nothing was chosen
			return err
		}
		if *data != nil {
			return fail(http.StatusBadRequest, "there are two images")
		}
		*name, *data = fileName(part.FileName()), b
	case "moon":
		if *data == nil {
			*name, *data = "the Moon, by NASA", tfservingbench.MoonJPEG
		}
	default:
		b, err := io.ReadAll(io.LimitReader(part, 64))
		if err != nil {
			return err
		}
		return set(key, string(b))
	}
	return nil
}

// fileName returns what is shown of the name of a file; it is used for nothing else.
func fileName(s string) string {
	s = strings.ToValidUTF8(path.Base(strings.ReplaceAll(s, `\`, "/")), "")
	if r := []rune(s); len(r) > 80 {
		s = string(r[:80]) + "…"
	}
	if s == "" || s == "." || s == "/" {
		return "image"
	}
	return s
}

func (s *site) find(id string) *result {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.results {
		if r.ID == id {
			return r
		}
	}
	return nil
}

func (s *site) all() []*result {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*result{}, s.results...)
}

func page(w http.ResponseWriter, code int, name string, data any) {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, data); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	w.Write(b.Bytes())
}

// A homePage is the form, with what was wrong with what was sent.
type homePage struct {
	Error    string
	Requests int
	Max      int
	Targets  []target
	Results  []*result
}

func (s *site) homeWith(w http.ResponseWriter, code int, message string) {
	page(w, code, "home", homePage{message, requests, maxRequests, s.targets, s.all()})
}

func (s *site) home(w http.ResponseWriter, _ *http.Request) { s.homeWith(w, http.StatusOK, "") }

func (s *site) upload(w http.ResponseWriter, r *http.Request) {
	res, err := s.measure(w, r)
	if err != nil {
		if r.Context().Err() == nil {
			s.homeWith(w, status(err), err.Error())
		}
		return
	}
	http.Redirect(w, r, "/results/"+res.ID, http.StatusSeeOther)
}

func (s *site) show(w http.ResponseWriter, r *http.Request) {
	if res := s.find(r.PathValue("id")); res != nil {
		page(w, http.StatusOK, "result", res)
		return
	}
	s.homeWith(w, http.StatusNotFound, fmt.Sprintf("That report isn't here. The last %d are kept, until the program ends.", kept))
}

func reply(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(v)
}

// create is the API's form of upload.
func (s *site) create(w http.ResponseWriter, r *http.Request) {
	res, err := s.measure(w, r)
	if err != nil {
		if r.Context().Err() == nil {
			reply(w, status(err), map[string]string{"error": err.Error()})
		}
		return
	}
	w.Header().Set("Location", "/api/reports/"+res.ID)
	reply(w, http.StatusCreated, res)
}

func (s *site) list(w http.ResponseWriter, _ *http.Request) {
	list := []map[string]any{}
	for _, r := range s.all() {
		list = append(list, map[string]any{"id": r.ID, "original": r.Report.Original})
	}
	reply(w, http.StatusOK, list)
}

// read answers with JSON, or with CSV where the ID ends in .csv.
func (s *site) read(w http.ResponseWriter, r *http.Request) {
	id, asCSV := strings.CutSuffix(r.PathValue("id"), ".csv")
	res := s.find(id)
	switch {
	case res == nil:
		reply(w, http.StatusNotFound, map[string]string{"error": "there is no such report"})
	case asCSV:
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
		res.Report.CSV(w)
	default:
		reply(w, http.StatusOK, res)
	}
}
