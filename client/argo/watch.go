package argo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/gateway"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// watchFor is how long one watch lasts before the next one: a connection that has
// died without a word is noticed after it.
var watchFor = time.Minute

// maxIdle is how many watches in a row may end at once before that is an error.
const maxIdle = 10

// Watch returns a run as it is, and again whenever it has changed, as Kubernetes'
// watches report it. It continues where it was when the connection is lost, and reads the
// run anew when the server doesn't know that place any more. It ends when the run is
// done, and after an error: Denied is that who you are may read but not watch.
func (c *Client) Watch(ctx context.Context, id string) iter.Seq2[*client.Run, error] {
	return func(yield func(*client.Run, error) bool) {
		version, lost, idle := "", 0, 0
		for ctx.Err() == nil {
			if version == "" {
				w, err := c.workflow(ctx, "watch run "+id, id)
				if err != nil {
					yield(nil, err)
					return
				}
				version = w.ResourceVersion
				if r := runOf(w, true); !yield(r, nil) || r.State.Done() {
					return
				}
			}
			before, began := version, time.Now()
			stop, got, err := c.watch(ctx, id, &version, yield)
			switch {
			case stop:
				return
			case got && err == nil && version != before && version != "":
				lost, idle = 0, 0
				continue // it has come further
			case err != nil:
				lost++
			case time.Since(began) < watchFor/10:
				idle++ // the server ends each watch, or forgets each version, at once
			default:
				idle = 0
			}
			if err == nil && idle == maxIdle {
				err = &client.Error{Op: "watch run " + id, Code: client.Unavailable, Msg: fmt.Sprintf("the server ended %d watches at once without a change", idle)}
			}
			if err != nil && (lost == 3 || idle == maxIdle || !client.Temporary(err)) {
				yield(nil, err)
				return
			}
			gateway.Sleep(ctx, time.Duration(min(lost+idle, 10))*200*time.Millisecond)
		}
		if ctx.Err() != nil {
			yield(nil, ctx.Err())
		}
	}
}

// An event is one of a watch.
type event struct {
	Type   string
	Object json.RawMessage
}

// watch watches once, from a version on, which it moves; "" is that it is too old.
// It reports whether that was all, and whether anything has come.
func (c *Client) watch(ctx context.Context, id string, version *string, yield func(*client.Run, error) bool) (stop, got bool, err error) {
	op := "watch run " + id
	ctx, cancel := context.WithTimeout(ctx, watchFor+c.conf.Timeout)
	defer cancel()
	stream, fail := c.access.watch(ctx, op, id, *version)
	if fail != nil {
		if fail.Status == http.StatusGone {
			*version = ""
			return false, false, nil
		}
		return false, false, fail
	}
	defer stream.Close()
	for ; ; got = true {
		e, err := stream.next()
		if err != nil {
			if ctx.Err() == nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				code := client.Unavailable
				if web.IsTooLarge(err) {
					code = client.Invalid
				}
				return false, got, &client.Error{Op: op, Code: code, Msg: "the watch broke off: " + err.Error(), Err: err}
			}
			return false, got, nil // it is over; the next one continues from the version
		}
		if e.Type == "ERROR" {
			var s struct {
				Code    int
				Message string
			}
			json.Unmarshal(e.Object, &s)
			if *version = ""; s.Code == http.StatusGone {
				return false, got, nil
			}
			return false, got, &client.Error{Op: op, Code: client.Unavailable, Status: s.Code, Msg: s.Message}
		}
		var w wfv1.Workflow
		if err := json.Unmarshal(e.Object, &w); err != nil {
			return false, got, &client.Error{Op: op, Code: client.Unavailable, Msg: "an event is not a Workflow: " + err.Error(), Err: err}
		}
		*version = w.ResourceVersion
		switch e.Type {
		case "BOOKMARK":
			continue
		case "DELETED":
			yield(nil, &client.Error{Op: op, Code: client.NotFound, Msg: "it was deleted"})
			return true, true, nil
		}
		if r := runOf(&w, true); !yield(r, nil) || r.State.Done() {
			return true, true, nil
		}
	}
}

// decoded are the events of Kubernetes' own watch, of which none is longer than an
// answer may be.
type decoded struct {
	io.ReadCloser
	limit *io.LimitedReader
	d     *json.Decoder
}

func newDecoded(body io.ReadCloser) *decoded {
	l := &io.LimitedReader{R: body}
	return &decoded{body, l, json.NewDecoder(l)}
}

func (s *decoded) next() (e event, err error) {
	s.limit.N = web.MaxAnswer
	if err = s.d.Decode(&e); err != nil && s.limit.N <= 0 {
		err = &web.TooLarge{What: "an event", Limit: web.MaxAnswer}
	}
	return e, err
}

// watch opens a watch. A refused credential is read again once.
func (c *cluster) watch(ctx context.Context, op, id, version string) (events, *client.Error) {
	query := url.Values{
		"watch": {"true"}, "fieldSelector": {"metadata.name=" + id}, "resourceVersion": {version},
		"allowWatchBookmarks": {"true"}, "timeoutSeconds": {fmt.Sprint(max(1, int(watchFor.Seconds())))},
	}
	for again := false; ; again = true {
		res, fail, f := c.ask(ctx, call{op: op, method: http.MethodGet, path: places[workflows], query: query}, nil)
		if f != nil {
			return nil, c.advise(f)
		}
		if res.StatusCode < 300 {
			return newDecoded(res.Body), nil
		}
		b, _ := io.ReadAll(io.LimitReader(res.Body, 1<<16))
		res.Body.Close()
		if res.StatusCode == http.StatusUnauthorized && !again && c.load() == nil {
			continue
		}
		return nil, c.advise(explain(fail, res, c.secrets.Bytes(b)))
	}
}

var _ client.Watcher = (*Client)(nil)
