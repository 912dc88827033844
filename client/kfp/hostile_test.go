package kfp

import (
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	pb "github.com/kubeflow/pipelines/third_party/ml-metadata/go/ml_metadata"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/internal/net/web"
	"github.com/kfpgo/kfpgo/internal/testing/fakekfp"
)

const loginPage = `<html><form method="get" action="/search"><input name="q"></form>
<form method="post" action="/in"><input type="text" name="login"><input name="password" type="password"></form></html>`

// A host is a server that keeps what it was sent.
type host struct {
	*httptest.Server
	mu   sync.Mutex
	sent []string // paths with bodies and credentials
}

func newHost(t *testing.T, start func(http.Handler) *httptest.Server, answer func(h *host, w http.ResponseWriter, r *http.Request)) *host {
	h := &host{}
	h.Server = start(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h.mu.Lock()
		h.sent = append(h.sent, r.URL.Path+" "+string(body)+" "+fmt.Sprint(r.Header))
		h.mu.Unlock()
		answer(h, w, r)
	}))
	t.Cleanup(h.Close)
	return h
}

// got reports whether a text was sent to a host.
func (h *host) got(text string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Contains(strings.Join(h.sent, "\n"), text)
}

func (h *host) name() string { return h.URL[strings.Index(h.URL, "//")+2:] }

// TestLoginElsewhere: a password goes to the login page that is expected, whatever the
// servers say.
func TestLoginElsewhere(t *testing.T) {
	plain, tls := httptest.NewServer, httptest.NewTLSServer
	redirect := func(status int, to string) func(*host, http.ResponseWriter) {
		return func(_ *host, w http.ResponseWriter) { w.Header().Set("Location", to); w.WriteHeader(status) }
	}
	page := func(text string) func(*host, http.ResponseWriter) {
		return func(_ *host, w http.ResponseWriter) { io.WriteString(w, text) }
	}
	for _, tt := range []struct {
		name  string
		start func(http.Handler) *httptest.Server
		root  func(other string) func(*host, http.ResponseWriter) // what the endpoint answers
		in    func(other string) func(*host, http.ResponseWriter) // what the form's address answers
		named bool                                                // the other host is named as that of the page
		want  string                                              // in the error
	}{
		{"POST 307", plain, nil, func(o string) func(*host, http.ResponseWriter) { return redirect(307, o+"/in") }, false, "to another server"},
		{"POST 308", plain, nil, func(o string) func(*host, http.ResponseWriter) { return redirect(308, o+"/in") }, false, "to another server"},
		{"POST 307 although that is named", plain, nil, func(o string) func(*host, http.ResponseWriter) { return redirect(307, o+"/in") }, true, "to another server"},
		{"POST 307 from https to http", tls, nil, func(o string) func(*host, http.ResponseWriter) { return redirect(307, o+"/in") }, false, "from https to http"},
		{"the endpoint leads elsewhere", plain, func(o string) func(*host, http.ResponseWriter) { return redirect(302, o+"/page") }, nil, false, "name it with --login-host"},
		{"the endpoint leads from https to http", tls, func(o string) func(*host, http.ResponseWriter) { return redirect(302, o+"/page") }, nil, true, "from https to http"},
		{"the form leads elsewhere", plain, func(o string) func(*host, http.ResponseWriter) {
			return page(strings.ReplaceAll(loginPage, "/in", o+"/in"))
		}, nil, false, "the form of the login page leads to another server"},
		{"no form", plain, func(string) func(*host, http.ResponseWriter) { return page("<html>welcome") }, nil, false, "has no form with fields login and password"},
		{"a form of something else", plain, func(string) func(*host, http.ResponseWriter) {
			return page(`<form method="post" action="/in"><input name="comment"></form><input name="login"><input name="password">`)
		}, nil, false, "has no form"},
		{"in circles", plain, func(string) func(*host, http.ResponseWriter) { return redirect(302, "/") }, nil, false, "more than 10 redirects"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			other := newHost(t, plain, func(_ *host, w http.ResponseWriter, _ *http.Request) { io.WriteString(w, loginPage) })
			end := newHost(t, tt.start, func(h *host, w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path == "/in" && tt.in != nil:
					tt.in(other.URL)(h, w)
				case tt.root != nil:
					tt.root(other.URL)(h, w)
				default:
					io.WriteString(w, loginPage)
				}
			})
			o := Config{Endpoint: end.URL, Login: "ada"}
			if end.TLS != nil {
				o.CA = file(t, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: end.Certificate().Raw})))
			}
			if tt.named {
				o.LoginHost = other.name()
			}
			_, err := to(t, o, "KFPGO_PASSWORD", "pass-word-1").Health(t.Context())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if other.got("pass-word-1") {
				t.Error("the password came to another server")
			}
			if tt.in == nil && end.got("pass-word-1") {
				t.Error("the password was filled in")
			}
			if err != nil && strings.Contains(err.Error(), "pass-word-1") {
				t.Error("the error holds the password")
			}
		})
	}
}

// TestLoginHost: a page at another server is one that was named.
func TestLoginHost(t *testing.T) {
	var end *host
	dex := newHost(t, httptest.NewServer, func(_ *host, w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			http.Redirect(w, r, end.URL+"/callback", http.StatusSeeOther)
			return
		}
		io.WriteString(w, loginPage)
	})
	end = newHost(t, httptest.NewServer, func(_ *host, w http.ResponseWriter, r *http.Request) {
		switch c, err := r.Cookie("session"); {
		case r.URL.Path == "/callback":
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "a-session", Path: "/"})
		case err == nil && c.Value == "a-session":
			io.WriteString(w, `{"multi_user": true}`)
		default:
			http.Redirect(w, r, dex.URL+"/page", http.StatusFound)
		}
	})
	if h, err := to(t, Config{Endpoint: end.URL, Login: "ada", LoginHost: dex.name()}, "KFPGO_PASSWORD", "pass-word-1").Health(t.Context()); err != nil || !h.MultiUser {
		t.Error(h, err)
	}
	if !dex.got("pass-word-1") || end.got("pass-word-1") {
		t.Error("the password belongs to the page's server and no other")
	}
}

// calls are all that ask for something.
var calls = map[string]func(context.Context, *Client) error{
	"health":    func(ctx context.Context, c *Client) error { _, err := c.Health(ctx); return err },
	"run":       func(ctx context.Context, c *Client) error { _, err := c.Get(ctx, "x"); return err },
	"runs":      func(ctx context.Context, c *Client) error { _, err := c.List(ctx, client.ListOptions{}); return err },
	"all runs":  func(ctx context.Context, c *Client) error { return last(client.Runs(ctx, c, client.ListOptions{})) },
	"schedules": func(ctx context.Context, c *Client) error { _, err := c.Schedules(ctx); return err },
	"schedule":  func(ctx context.Context, c *Client) error { _, err := c.Schedule(ctx, "x"); return err },
	"experiment": func(ctx context.Context, c *Client) error {
		_, err := c.Experiment(ctx, "12345678-1234-1234-1234-123456789012")
		return err
	},
	"experiment by name": func(ctx context.Context, c *Client) error { _, err := c.Experiment(ctx, "x"); return err },
	"experiments":        func(ctx context.Context, c *Client) error { return last(c.Experiments(ctx, ListOptions{})) },
	"pipeline": func(ctx context.Context, c *Client) error {
		_, err := c.Pipeline(ctx, "12345678-1234-1234-1234-123456789012")
		return err
	},
	"pipelines": func(ctx context.Context, c *Client) error { return last(c.Pipelines(ctx, ListOptions{})) },
	"versions": func(ctx context.Context, c *Client) error {
		return last(c.Versions(ctx, "12345678-1234-1234-1234-123456789012", ListOptions{}))
	},
	"version": func(ctx context.Context, c *Client) error {
		_, err := c.Version(ctx, "12345678-1234-1234-1234-123456789012", "12345678-1234-1234-1234-123456789012")
		return err
	},
	"recurring run": func(ctx context.Context, c *Client) error {
		_, err := c.RecurringRun(ctx, "12345678-1234-1234-1234-123456789012")
		return err
	},
	"recurring runs": func(ctx context.Context, c *Client) error { return last(c.RecurringRuns(ctx, "", ListOptions{})) },
	"submit": func(ctx context.Context, c *Client) error {
		_, err := c.Submit(ctx, client.Submission{Name: "x", Spec: []byte("pipelineInfo: {name: x}\n")})
		return err
	},
	"terminate": func(ctx context.Context, c *Client) error { return c.Terminate(ctx, "x") },
	"archive":   func(ctx context.Context, c *Client) error { return c.Archive(ctx, "x") },
}

// last goes through a list and returns its error.
func last[T any](all iter.Seq2[T, error]) (err error) {
	for _, err = range all {
	}
	return err
}

// TestForeignAnswers: what isn't KFP's answer is an error that says what came, and no
// empty list.
func TestForeignAnswers(t *testing.T) {
	for _, tt := range []struct{ name, kind, body, want string }{
		{"XML", "text/xml", "<ListBucketResult xmlns=\"x\"/>\n", `the answer is XML (text/xml), which begins with "<ListBucketResult xmlns=\"x\"/>"`},
		{"XML as JSON", "application/json", "<?xml?><a/>", "the answer is XML"},
		{"HTML", "text/html", "<html><title>Hi</title></html>", "the answer is a page for people"},
		{"HTML as JSON", "application/json", "<!DOCTYPE html><html></html>", "the answer is a page for people"},
		{"a login page", "text/html", "<html><input name=password></html>", "the answer is a login page"},
		{"text", "text/plain", "ok\x1b[2J\n", `the answer is text (text/plain), which begins with "ok\x1b[2J"`},
		{"null", "application/json", "null", "the answer is JSON's null"},
		{"a list", "application/json", `[{"run_id": "x"}]`, "the answer is a JSON list"},
		{"a text in JSON", "application/json", `"ok"`, "the answer is a single JSON value"},
		{"another object", "application/json", `{"error": "please log in"}`, "the answer "},
		{"broken off", "application/json", `{"runs": [`, ""},
		{"empty", "application/json", ``, "empty"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", tt.kind)
			io.WriteString(w, tt.body)
		}))
		t.Cleanup(s.Close)
		c := to(t, Config{Endpoint: s.URL, Timeout: time.Second})
		for name, call := range calls {
			t.Run(tt.name+"/"+name, func(t *testing.T) {
				err := call(t.Context(), c)
				lenient := name == "health" && tt.name == "another object" || // old servers say other things there
					(name == "archive" || name == "terminate") && (tt.name == "empty" || tt.name == "another object") // nothing is asked for
				if lenient {
					return
				}
				if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\x1b") {
					t.Errorf("got %v, want %q", err, tt.want)
				}
			})
		}
	}
}

// TestNamelessAnswers: one object is one with an id.
func TestNamelessAnswers(t *testing.T) {
	s := fakekfp.New(t)
	s.First(func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, "{}")
		return true
	})
	c := to(t, Config{Endpoint: s.URL})
	for _, name := range []string{"run", "experiment", "pipeline", "version", "recurring run", "submit"} {
		if err := calls[name](t.Context(), c); err == nil || !strings.Contains(err.Error(), "the answer has no ") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for _, name := range []string{"runs", "all runs", "experiments", "pipelines", "recurring runs", "schedules"} {
		if err := calls[name](t.Context(), c); err != nil {
			t.Errorf("%s: an empty list is one: %v", name, err)
		}
	}
}

// TestEqualTokens: a list whose pages never end is an error that names the token.
func TestEqualTokens(t *testing.T) {
	var n atomic.Int32
	s := fakekfp.New(t)
	s.First(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "recurringruns/12345678") {
			io.WriteString(w, `{"recurring_run_id": "12345678-1234-1234-1234-123456789012"}`)
			return true
		}
		if n.Add(1) > 50 {
			w.WriteHeader(http.StatusBadRequest)
			return true
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"next_page_token": "the-same"}`)
		return true
	})
	c := to(t, Config{Endpoint: s.URL})
	of := func(ctx context.Context, c *Client) error {
		_, err := c.List(ctx, client.ListOptions{Schedule: "12345678-1234-1234-1234-123456789012"})
		return err
	}
	for name, call := range map[string]func(context.Context, *Client) error{
		"all runs": calls["all runs"], "experiments": calls["experiments"], "experiment by name": calls["experiment by name"], "pipelines": calls["pipelines"],
		"versions": calls["versions"], "recurring runs": calls["recurring runs"], "schedules": calls["schedules"], "runs of a schedule": of,
	} {
		n.Store(0)
		if err := call(t.Context(), c); err == nil || !strings.Contains(err.Error(), `names the page "the-same" again`) {
			t.Errorf("%s: got %v after %d requests", name, err, n.Load())
		}
	}
}

// looping is an ML Metadata that names the same page again and again.
type looping struct {
	*metadata
	n atomic.Int32
}

var sameToken = "the-same"

func (m *looping) GetExecutionsByContext(ctx context.Context, r *pb.GetExecutionsByContextRequest) (*pb.GetExecutionsByContextResponse, error) {
	if m.n.Add(1) > 50 {
		return nil, io.EOF
	}
	return &pb.GetExecutionsByContextResponse{NextPageToken: &sameToken, Executions: m.executions[:1]}, nil
}

func (m *looping) GetArtifacts(ctx context.Context, r *pb.GetArtifactsRequest) (*pb.GetArtifactsResponse, error) {
	if m.n.Add(1) > 50 {
		return nil, io.EOF
	}
	return &pb.GetArtifactsResponse{NextPageToken: &sameToken, Artifacts: m.artifacts[:1]}, nil
}

func TestEqualTokensOfMetadata(t *testing.T) {
	m := &looping{metadata: history()}
	c := m.metadata.serveAs(t, m, Config{})
	_, err := c.Artifacts(t.Context(), lineage.Query{})
	if err == nil || !strings.Contains(err.Error(), `"the-same" again`) {
		t.Errorf("artifacts: %v", err)
	}
	m.n.Store(0)
	_, err = c.Artifacts(t.Context(), lineage.Query{Run: "run1"})
	if err == nil || !strings.Contains(err.Error(), `"the-same" again`) {
		t.Errorf("artifacts of a run: %v", err)
	}
}

// wandering is an ML Metadata in which each group is in another one, or that answers
// with an execution that it wasn't asked for.
type wandering struct {
	*metadata
	other int64
	n     atomic.Int32
}

func (m *wandering) GetExecutionsByID(_ context.Context, q *pb.GetExecutionsByIDRequest) (*pb.GetExecutionsByIDResponse, error) {
	asked := q.ExecutionIds[0]
	if m.n.Add(1) > 500 {
		return nil, io.EOF
	}
	id, up := asked, intProp(asked+1)
	if m.other != 0 {
		id, up = m.other, intProp(asked)
	}
	return &pb.GetExecutionsByIDResponse{Executions: []*pb.Execution{{Id: &id, CustomProperties: map[string]*pb.Value{"parent_dag_id": up}}}}, nil
}

func TestEndlessGroups(t *testing.T) {
	for name, other := range map[string]int64{"ever more": 0, "another one": 77} {
		m := &wandering{metadata: history(), other: other}
		if _, err := m.serveAs(t, m, Config{}).Artifacts(t.Context(), lineage.Query{}); err != nil || m.n.Load() > 2*maxDepth {
			t.Errorf("%s: %d requests, %v", name, m.n.Load(), err)
		}
	}
}

// TestLargeAnswers: no answer takes more memory than the limit, and the error says what
// to do.
func TestLargeAnswers(t *testing.T) {
	for status, want := range map[int]string{200: "has more than 64 MB, which is the most that is read of one; ask for less at once: --max-size", 400: "(400)"} {
		var sent atomic.Int64
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			io.WriteString(w, `{"message": "`)
			b := []byte(strings.Repeat("x", 1<<16))
			for {
				n, err := w.Write(b)
				if sent.Add(int64(n)); err != nil {
					return
				}
			}
		}))
		_, err := to(t, Config{Endpoint: s.URL}).List(t.Context(), client.ListOptions{})
		s.Close()
		u, _ := url.Parse(s.URL)
		if err == nil || !strings.Contains(err.Error(), want) || status == 200 && !strings.Contains(err.Error(), u.Host) || len(err.Error()) > 2000 {
			t.Errorf("%d: %.300s", status, err)
		}
		most := int64(web.MaxAnswer)
		if status >= 300 {
			most = web.MaxError
		}
		if got := sent.Load(); got > most+32<<20 {
			t.Errorf("%d: %d MB were sent", status, got>>20)
		}
	}
}
