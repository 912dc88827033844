package argo

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/gateway"
	"github.com/kfpgo/kfpgo/client/internal/runpods"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// sent are the events that the Argo server sends.
type sent struct {
	io.Closer
	r *bufio.Reader
}

// A broken is an error in a stream.
type broken struct {
	Code    int    `json:"grpc_code"`
	Status  int    `json:"http_code"`
	Message string `json:"message"`
}

func (b *broken) Error() string { return b.Message }

// open opens a stream of events.
func (s *server) open(ctx context.Context, op, path string, query url.Values) (*sent, *client.Error) {
	r, err := s.request(ctx, http.MethodGet, path, query, nil)
	if err != nil {
		return nil, &client.Error{Op: op, Server: s.base.String(), Code: client.Invalid, Msg: err.Error(), Err: err}
	}
	r.Header.Set("Accept", "text/event-stream")
	body, f := s.t.Open(r)
	if f != nil {
		f.Op = op
		return nil, &f.Said
	}
	return &sent{body, bufio.NewReader(body)}, nil
}

// read reads the next event that isn't a comment.
func (s *sent) read(into any) error {
	for {
		line, err := s.line()
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && len(line) == 0 {
			return err
		}
		if !ofEvent(line) {
			return fmt.Errorf("a line of the stream is not an event: %.80q; a proxy or another server may have responded", line)
		}
		text, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:"))
		if ok && (err == nil || json.Valid(text)) {
			e := struct {
				Result any
				Error  *broken
			}{Result: into}
			if err := json.Unmarshal(text, &e); err != nil {
				return fmt.Errorf("an event is not one of an Argo server: %w", err)
			}
			if e.Error != nil {
				return e.Error
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// line returns a line, within limits.
func (s *sent) line() (line []byte, err error) {
	for {
		part, err := s.r.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > web.MaxAnswer {
			return nil, &web.TooLarge{What: "an event", Limit: web.MaxAnswer}
		}
	}
}

// ofEvent reports whether a line belongs to a stream of events.
func ofEvent(line []byte) bool {
	name, _, _ := strings.Cut(strings.TrimSpace(string(line[:min(len(line), 16)])), ":")
	return slices.Contains([]string{"", "data", "event", "id", "retry"}, name)
}

// old reports whether a message is about a version that Kubernetes has forgotten. The
// server has no code for it.
func old(msg string) bool {
	return strings.Contains(msg, "too old") || strings.Contains(msg, "Expired")
}

func (s *server) watch(ctx context.Context, op, id, version string) (events, *client.Error) {
	stream, f := s.open(ctx, op, "/api/v1/workflow-events/"+url.PathEscape(s.namespace), url.Values{
		"listOptions.fieldSelector": {"metadata.name=" + id}, "listOptions.resourceVersion": {version},
		"listOptions.timeoutSeconds": {fmt.Sprint(max(1, int(watchFor.Seconds())))},
	})
	if f != nil {
		if old(f.Msg) {
			f.Status = http.StatusGone
		}
		return nil, f
	}
	return stream, nil
}

// next returns the next event as Kubernetes' own watch has it.
func (s *sent) next() (e event, err error) {
	err = s.read(&e)
	var b *broken
	switch {
	case !errors.As(err, &b):
		return e, err
	case b.Message == io.EOF.Error(): // Kubernetes has ended it
		return e, io.EOF
	case old(b.Message):
		b.Status = http.StatusGone
	}
	text, err := json.Marshal(map[string]any{"code": b.Status, "message": b.Message})
	return event{Type: "ERROR", Object: text}, err
}

// logs reads logs from the server, which merges those of all steps. A stream that
// breaks continues where it was.
func (s *server) logs(ctx context.Context, c *Client, id string, o client.LogOptions) (err error) {
	op := "logs of run " + id
	n, err := c.names(ctx, op, id, o.Task)
	if err != nil {
		return err
	}
	done := n.w.Status.Fulfilled()
	p := &printer{o: o, n: n, last: map[string]time.Time{}, hide: map[string]func(string) bool{}}
	defer func() { err = cmp.Or(err, p.flush()) }()
	for lost := 0; ; {
		follow := o.Follow && !done
		before := p.lines
		err := s.print(ctx, op, id, follow, p)
		switch {
		case p.fault != nil:
			return p.fault
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && !follow:
			if p.lines == 0 && done {
				return p.none(op)
			}
			return nil
		case err != nil && !client.Temporary(err), !follow && lost == 2:
			return err
		case p.lines > before:
			lost = 0
		}
		if err != nil {
			lost++
		}
		now, err := c.workflow(ctx, op, id)
		if err != nil {
			return err
		}
		done = now.Status.Fulfilled()
		if !gateway.Sleep(ctx, time.Duration(min(lost+1, 5))*200*time.Millisecond) && ctx.Err() == nil {
			return context.DeadlineExceeded
		}
	}
}

// print prints one stream.
func (s *server) print(ctx context.Context, op, id string, follow bool, p *printer) error {
	query := url.Values{"logOptions.container": {"main"}, "logOptions.timestamps": {"true"}}
	if follow {
		query.Set("logOptions.follow", "true")
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, watchFor) // a connection that has died says nothing
		defer cancel()
	}
	if since := p.since(); !since.IsZero() {
		query.Set("logOptions.sinceSeconds", fmt.Sprint(max(1, int64(math.Ceil(time.Since(since).Seconds()))+1)))
	}
	if p.o.Tail > 0 && len(p.last) == 0 {
		tail := p.o.Tail
		if p.keeps() {
			tail += runpods.Hidden
		}
		query.Set("logOptions.tailLines", fmt.Sprint(tail))
	}
	stream, f := s.open(ctx, op, below(below(served[workflows].path, s.namespace), id)+"/log", query)
	if f != nil {
		return f
	}
	defer stream.Close()
	for {
		var line struct{ Content, PodName string }
		err := stream.read(&line)
		var b *broken
		switch {
		case errors.Is(err, io.EOF), errors.As(err, &b) && b.Message == io.EOF.Error():
			return nil
		case err != nil && follow && ctx.Err() != nil:
			return nil
		case errors.As(err, &b):
			code := gateway.Codes[b.Code]
			return &client.Error{Op: op, Server: s.base.String(), Code: code, Status: b.Status, Msg: b.Message}
		case err != nil:
			return &client.Error{Op: op, Server: s.base.String(), Code: client.Unavailable, Msg: "the logs broke off: " + err.Error(), Err: err}
		}
		if p.line(ctx, line.PodName, line.Content); p.fault != nil {
			return p.fault
		}
	}
}

// A printer writes lines that have not been written yet.
type printer struct {
	o     client.LogOptions
	n     *names
	last  map[string]time.Time         // of each pod
	hide  map[string]func(string) bool // of each pod
	kept  []kept                       // lines to write at the end, if the last lines are requested
	lines int                          // those that are hidden too
	fault error                        // of the writer
}

type kept struct{ pod, text string }

// keeps reports whether lines are kept until the end: the last ones may be hidden.
func (p *printer) keeps() bool { return p.o.Tail > 0 && !p.o.Follow && !p.o.All }

// flush writes the kept lines.
func (p *printer) flush() error {
	for _, k := range p.kept {
		if _, err := io.WriteString(p.o.Out, k.text); err != nil {
			return err
		}
	}
	p.kept = nil
	return nil
}

// since is the time from which lines are asked for.
func (p *printer) since() time.Time {
	at := p.o.Since
	var first time.Time
	for _, t := range p.last { // of the pod that is behind
		if first.IsZero() || t.Before(first) {
			first = t
		}
	}
	if first.After(at) {
		return first
	}
	return at
}

func (p *printer) line(ctx context.Context, pod, content string) {
	stamp, text, _ := strings.Cut(content, " ")
	at, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil {
		text = content
	} else if !at.After(p.last[pod]) || at.Before(p.o.Since) {
		return
	} else {
		p.last[pod] = at
	}
	task := p.n.task(ctx, func(w *wfv1.Workflow) string { return nodeOf(w, pod) })
	if task == "" {
		return
	}
	p.lines++
	if !p.o.All {
		if p.hide[pod] == nil {
			p.hide[pod] = runpods.Engines()
		}
		if p.hide[pod](text) {
			return
		}
	}
	if p.o.Task == "" {
		text = task + ": " + text
	}
	if !p.keeps() {
		_, p.fault = io.WriteString(p.o.Out, text+"\n")
		return
	}
	p.kept = append(p.kept, kept{pod, text + "\n"})
	of := func(k kept) bool { return k.pod == pod }
	n := 0
	for _, k := range p.kept {
		if of(k) {
			n++
		}
	}
	if n > p.o.Tail {
		i := slices.IndexFunc(p.kept, of)
		p.kept = slices.Delete(p.kept, i, i+1)
	}
}

// none says why there are no lines of a run that has ended. Argo's own last line of
// each step is among them, so steps that have written nothing have one.
func (p *printer) none(op string) error {
	e := &client.Error{Op: op, Code: client.NotFound, Msg: "its pods are gone", Advice: "logs are kept in the artifact store, as main.log, if Argo is configured to archive them"}
	if p.o.Task != "" {
		e.Msg, e.Advice = "there is no pod of task "+p.o.Task, "kfpgo runs get lists the tasks"
	}
	return e
}

// nodeOf returns the node of a pod; the pod's name for one that isn't known yet.
func nodeOf(w *wfv1.Workflow, pod string) string {
	for id, n := range w.Status.Nodes {
		if podName(w, &n) == pod {
			return id
		}
	}
	return pod
}
