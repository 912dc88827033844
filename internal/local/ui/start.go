package ui

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/kfpgo/kfpgo/internal/host/child"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// A startView is the form that starts a run again.
type startView struct {
	Run, RunHref string
	Action       string
	Pipeline     string // its name
	Dir          string
	Resume       bool // continues it
	Resumable    bool
	Other        string // the address of the other way
	Fields       []field
	Errors       []string
	NoCache      bool
	Cannot       string
}

// A field is a parameter in a form.
type field struct {
	Name, ID, Type, Doc string
	Value               string
	Given               bool
	Optional            bool // it may be left out
	Long                bool
	Default             string
	Error               string
}

// cannotStart says why a run can't be started again from here; nothing: it can.
func (s *Server) cannotStart(l *loaded) string {
	src := l.run.Source
	switch {
	case len(s.o.Command) == 0:
		return "This server starts no runs."
	case src == nil && l.run.Schedule != "":
		return "A schedule started this run, with its program as it was then: kfpgo schedule trigger " + l.run.Schedule + " runs it now."
	case src == nil:
		return "A program of your own or an earlier kfpgo started this run: start it again as you did then."
	case l.p == nil || l.p.Component(l.p.Main) == nil:
		return "The folder of the run has no program.json, which lists the parameters."
	}
	if info, err := os.Stat(src.Dir); err != nil || !info.IsDir() {
		return "The folder in which it was started, " + src.Dir + ", is gone."
	}
	return ""
}

func (s *Server) newStart(l *loaded, resume bool) *startView {
	id := l.run.ID
	v := &startView{
		Run: id, RunHref: address(id, ""), Action: address(id, "start"), Cannot: s.cannotStart(l),
		Resumable: l.run.State == run.Failed || l.run.State == run.Cancelled,
	}
	v.Resume = resume && v.Resumable
	v.Other = address(id, "start")
	if !v.Resume {
		v.Other = address(id, "start", "how", "resume")
	}
	if v.Cannot != "" {
		return v
	}
	v.Pipeline, v.Dir = l.run.Source.Pipeline, l.run.Source.Dir
	for i, in := range l.p.Component(l.p.Main).Inputs {
		f := field{Name: in.Name, ID: fmt.Sprintf("param-%d", i), Type: typeWords(in), Doc: in.Doc, Optional: !in.Required(), Default: string(in.Default)}
		b, ok := l.run.Params[in.Name]
		f.Given = ok || in.Required()
		if ok {
			f.Value = string(b)
			if in.Type.Name == kfptype.String {
				json.Unmarshal(b, &f.Value) // a string
			} else {
				var out bytes.Buffer
				if len(b) > 60 && json.Indent(&out, b, "", "  ") == nil {
					f.Value = out.String()
				}
			}
		}
		f.Long = len(f.Value) > 60 || strings.Contains(f.Value, "\n") || in.Type.Name == kfptype.List || in.Type.Name == kfptype.Struct
		v.Fields = append(v.Fields, f)
	}
	return v
}

func typeWords(in program.Port) string {
	switch t := in.Type; {
	case t.Artifact:
		return t.Name + ", a path or URI"
	case t.Name == kfptype.String:
		return "text"
	case t.Name == kfptype.Integer:
		return "whole number"
	case t.Name == kfptype.Double:
		return "number"
	case t.Name == kfptype.Boolean:
		return "true or false"
	case t.Name == kfptype.List:
		return "JSON list"
	}
	return "JSON object"
}

func (s *Server) startForm(w http.ResponseWriter, r *http.Request, l *loaded) error {
	v := s.newStart(l, r.URL.Query().Get("how") == "resume")
	return s.render(w, r, http.StatusOK, "start", page{Title: "Run again", Section: "runs", Body: v})
}

// start starts kfpgo run in a process of its own, which outlives this one.
func (s *Server) start(w http.ResponseWriter, r *http.Request, l *loaded) error {
	v := s.newStart(l, r.PostForm.Get("how") == "resume")
	if v.Cannot != "" {
		return &problem{http.StatusConflict, v.Cannot}
	}
	v.NoCache = r.PostForm.Get("no-cache") != ""
	var flags []string
	for i := range v.Fields {
		f := &v.Fields[i]
		// A browser sends line ends as CRLF, whatever was there before. A value that was
		// left as the form shows it is still what the run had.
		value, name := f.Value, printable.Text(f.Name)
		if f.Value = strings.ReplaceAll(r.PostForm.Get("param."+name), "\r\n", "\n"); f.Value == printable.Text(value) {
			f.Value = value
		}
		if f.Given = !f.Optional || r.PostForm.Get("given."+name) != ""; f.Given {
			flags = append(flags, f.Name+"="+f.Value)
		}
	}
	values, err := params.Read(l.p.Component(l.p.Main).Inputs, params.Options{Flags: flags})
	if err != nil {
		v.Errors = strings.Split(err.Error(), "\n")
		return s.render(w, r, http.StatusUnprocessableEntity, "start", page{Title: "Run again", Section: "runs", Body: v})
	}
	id, err := s.starts.start(s, l.run, values, v.Resume, v.NoCache)
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/starts/"+url.PathEscape(id), http.StatusSeeOther)
	return nil
}

// starts are the processes that were started here.
type starts struct {
	mu   sync.Mutex
	kept map[string]*started
}

type started struct {
	from string // the run that is run again
	log  *os.File
	mu   sync.Mutex
	done bool
	err  error
}

// maxStarts is how many may be on their way at a time.
const maxStarts = 20

func (x *starts) start(s *Server, of *run.Run, values map[string]json.RawMessage, resume, noCache bool) (string, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	going := 0
	for _, k := range x.kept {
		if k.going() {
			going++
		}
	}
	if going >= maxStarts {
		return "", &problem{http.StatusTooManyRequests, fmt.Sprintf("%d runs that were started here are still running", going)}
	}
	id := run.NewID(of.Pipeline, s.o.Now())
	given, err := os.CreateTemp("", "kfpgo-params-*.json") // JSON is YAML
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(values)
	if err == nil {
		_, err = given.Write(body)
	}
	log, err2 := os.CreateTemp("", "kfpgo-start-*.log")
	if err := errors.Join(err, given.Close(), err2); err != nil {
		return "", err
	}
	args := append(s.o.Command[1:len(s.o.Command):len(s.o.Command)], "run", "--home", s.o.Home, "--run-id", id, "--params-file", given.Name())
	if resume {
		args = append(args, "--resume", of.Dir)
	}
	if noCache {
		args = append(args, "--no-cache")
	}
	cmd := exec.Command(s.o.Command[0], append(args, "--", of.Source.Pipeline)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = of.Source.Dir, log, log
	child.Detach(cmd)
	if err := cmd.Start(); err != nil {
		log.Close()
		os.Remove(log.Name())
		os.Remove(given.Name())
		return "", fmt.Errorf("kfpgo run can't be started: %w", err)
	}
	k := &started{from: of.ID, log: log}
	if x.kept == nil {
		x.kept = map[string]*started{}
	}
	x.kept[id] = k
	go func() {
		err := cmd.Wait()
		os.Remove(given.Name())
		k.mu.Lock()
		defer k.mu.Unlock()
		k.done, k.err = true, err
		os.Remove(log.Name()) // it stays open, to be shown
	}()
	return id, nil
}

func (k *started) going() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return !k.done
}

// A startingView is the page between the form and the run, while the program is built.
type startingView struct {
	ID       string
	From     string
	FromHref string
	Failed   bool
	Log      string
}

func (s *Server) starting(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	s.starts.mu.Lock()
	k := s.starts.kept[id]
	s.starts.mu.Unlock()
	if k == nil {
		return missing("no run %q was started here", id)
	}
	going := k.going()
	if _, err := os.Stat(filepath.Join(s.runs.Dir, id, "run.json")); err == nil {
		http.Redirect(w, r, address(id, ""), http.StatusSeeOther)
		return nil
	}
	b := make([]byte, window)
	n, err := k.log.ReadAt(b, 0)
	if err != nil && err != io.EOF {
		return err
	}
	v := &startingView{ID: id, From: k.from, FromHref: address(k.from, ""), Failed: !going, Log: printable.Log(string(b[:n]))}
	p := page{Title: "Starting " + id, Section: "runs", Body: v}
	if going {
		p.Live = "wait"
	}
	return s.render(w, r, http.StatusOK, "starting", p)
}
