package web_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/net/web"
)

// TestRedirect: what goes where after a redirect.
func TestRedirect(t *testing.T) {
	type request struct{ method, url string }
	get, post := "GET", "POST"
	for _, tt := range []struct {
		name     string
		from, to request
		want     string // in the error; empty: followed
		headers  string // that are left
	}{
		{"same server", request{get, "https://a/x"}, request{get, "https://a/y"}, "", "Accept Authorization Cookie Kubeflow-Userid Referer"},
		{"same server, with a body", request{post, "https://a/x"}, request{post, "https://a/y"}, "", "Accept Authorization Cookie Kubeflow-Userid Referer"},
		{"usual port by name", request{post, "https://a/x"}, request{post, "https://a:443/y"}, "", "Accept Authorization Cookie Kubeflow-Userid Referer"},
		{"to https", request{post, "http://a/x"}, request{post, "https://a/x"}, "", "Accept Authorization Cookie Kubeflow-Userid Referer"},
		{"to http", request{get, "https://a/x"}, request{get, "http://a/x"}, "from https to http", ""},
		{"to http elsewhere", request{get, "https://a/x"}, request{get, "http://b/x"}, "from https to http", ""},
		{"another host", request{get, "https://a/x"}, request{get, "https://b/x"}, "", "Accept"},
		{"another host, with a body", request{post, "https://a/x"}, request{post, "https://b/x"}, "to another server, b, which is not sent there", ""},
		{"a POST that becomes a GET", request{post, "https://a/x"}, request{get, "https://b/x"}, "", "Accept"},
		{"another port", request{post, "http://a:1/x"}, request{post, "http://a:2/x"}, "to another server", ""},
		{"another port, without a body", request{get, "http://a:1/x"}, request{get, "http://a:2/x"}, "", "Accept"},
		{"below the host", request{get, "https://a/x"}, request{get, "https://evil.a/x"}, "", "Accept"},
		{"a file", request{get, "https://a/x"}, request{get, "file:///etc/passwd"}, "not http:// or https://", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			make := func(r request) *http.Request {
				var body io.Reader
				if r.method == post {
					body = strings.NewReader("password=secret")
				}
				req, err := http.NewRequest(r.method, r.url, body)
				if err != nil {
					t.Fatal(err)
				}
				for _, h := range []string{"Authorization", "Cookie", "Kubeflow-Userid", "Accept", "Referer"} {
					req.Header.Set(h, "x")
				}
				return req
			}
			req := make(tt.to)
			err := web.Redirect(req, []*http.Request{make(tt.from)})
			if tt.want == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, want %q", err, tt.want)
			}
			if err != nil {
				return
			}
			var left []string
			for _, h := range []string{"Accept", "Authorization", "Cookie", "Kubeflow-Userid", "Referer"} {
				if req.Header.Get(h) != "" {
					left = append(left, h)
				}
			}
			if got := strings.Join(left, " "); got != tt.headers {
				t.Errorf("headers %s, want %s", got, tt.headers)
			}
		})
	}
}

// TestRedirectsEnd: a server that leads in circles is left.
func TestRedirectsEnd(t *testing.T) {
	var n atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, fmt.Sprintf("/%d", n.Add(1)), http.StatusFound)
	}))
	defer s.Close()
	_, err := web.Client(nil, 0).Get(s.URL)
	if err == nil || !strings.Contains(err.Error(), "more than 10 redirects") || n.Load() > 12 {
		t.Errorf("%d requests, %v", n.Load(), err)
	}
}

// TestStay: a client whose transport has a credential goes to no other server.
func TestStay(t *testing.T) {
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/own" {
			return
		}
		to := other.URL
		if r.URL.Path == "/same" {
			to = "/own"
		}
		http.Redirect(w, r, to, http.StatusTemporaryRedirect)
	}))
	defer s.Close()
	c := web.Stay(&http.Client{})
	if _, err := c.Get(s.URL + "/x"); err == nil || !strings.Contains(err.Error(), "the credential is for the first one") || elsewhere.Load() != 0 {
		t.Errorf("%v, %d requests elsewhere", err, elsewhere.Load())
	}
	if _, err := c.Get(s.URL + "/same"); err != nil {
		t.Error(err)
	}
}

// TestEncrypted: nothing is sent by plain http.
func TestEncrypted(t *testing.T) {
	var n atomic.Int32
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { n.Add(1) }))
	defer plain.Close()
	if _, err := (&http.Client{Transport: web.Encrypted(http.DefaultTransport)}).Post(plain.URL, "text/plain", strings.NewReader("password")); err == nil || n.Load() != 0 {
		t.Errorf("%v, %d requests", err, n.Load())
	}
}

// endless writes the same for as long as somebody reads.
func endless(w io.Writer, sent *atomic.Int64) {
	b := bytes.Repeat([]byte(" "), 1<<16)
	for {
		n, err := w.Write(b)
		if sent.Add(int64(n)); err != nil {
			return
		}
	}
}

// TestRead counts what is read of answers without an end: bytes of the server, and what
// is allocated here.
func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status int
		zip    bool
		most   int64 // bytes that are read
		err    string
	}{
		{"endless", 200, false, web.MaxAnswer, "has more than 64 MB"},
		{"endless error", 500, false, web.MaxError, ""},
		{"a bomb of gzip", 200, true, web.MaxAnswer, "has more than 64 MB"},
		{"an error that is one", 404, true, web.MaxError, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var sent atomic.Int64
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				var to io.Writer = w
				if tt.zip {
					w.Header().Set("Content-Encoding", "gzip")
					to = gzip.NewWriter(w)
				}
				w.WriteHeader(tt.status)
				endless(to, &sent)
			}))
			defer s.Close()
			res, err := web.Client(nil, 0).Get(s.URL)
			if err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			b, err := web.Read(res)
			runtime.ReadMemStats(&after)
			res.Body.Close()
			if got := fmt.Sprint(err); tt.err != "" && (!strings.Contains(got, tt.err) || !strings.Contains(got, strings.TrimPrefix(s.URL, "http://"))) || tt.err == "" && err != nil {
				t.Errorf("got %v, want %q with the server", err, tt.err)
			}
			if tt.err == "" && int64(len(b)) != tt.most {
				t.Errorf("%d bytes, want %d", len(b), tt.most)
			}
			if got := after.TotalAlloc - before.TotalAlloc; got > uint64(8*tt.most) {
				t.Errorf("%d MB were allocated for %d MB", got>>20, tt.most>>20)
			}
			if got := sent.Load(); !tt.zip && got > tt.most+32<<20 { // and what is on the way
				t.Errorf("the server was asked for %d MB of at most %d", got>>20, tt.most>>20)
			}
		})
	}
}

// TestReadLength: an answer that says how long it is isn't begun.
func TestReadLength(t *testing.T) {
	u, _ := url.Parse("https://srv:1/x")
	res := &http.Response{StatusCode: 200, ContentLength: web.MaxAnswer + 1, Body: io.NopCloser(strings.NewReader("x")), Request: &http.Request{URL: u}}
	if _, err := web.Read(res); !web.IsTooLarge(err) || !strings.Contains(err.Error(), "srv:1") {
		t.Error(err)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "3": 3 * time.Second, "-5": 0, "999999999": time.Minute, "9999999999": time.Minute, "99999999999999999999999": time.Minute,
		"-99999999999999999999999": 0, "soon": 0, "1e9": 0,
		"Sun, 29 Nov 2026 12:00:10 GMT": 10 * time.Second, "Sun, 29 Nov 2026 11:00:00 GMT": 0, "Sat, 29 Nov 2200 12:00:00 GMT": time.Minute,
	} {
		if got := web.RetryAfter(http.Header{"Retry-After": {text}}, now); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	long := strings.Repeat("x", 3*web.MaxLine)
	r := web.Lines(strings.NewReader("a\n" + long + "\nb"))
	var got, parts = "", 0
	for {
		b, err := web.Line(r)
		if len(b) > web.MaxLine {
			t.Fatalf("%d bytes", len(b))
		}
		got, parts = got+string(b), parts+1
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if got != "a\n"+long+"\nb" || parts > 7 {
		t.Errorf("%d bytes in %d parts", len(got), parts)
	}
}

func TestObject(t *testing.T) {
	for _, tt := range []struct{ kind, body, want string }{
		{"application/json", `{"a": 1}`, ""},
		{"text/plain", " \n{}", ""},
		{"", "\xef\xbb\xbf{}", ""},
		{"application/json", "", "the answer is empty, and not the JSON object"},
		{"application/json", " \n", "the answer is empty"},
		{"application/json", "null", "the answer is JSON's null"},
		{"application/json", `[{"a": 1}]`, `the answer is a JSON list, which begins with "[{\"a\": 1}]"`},
		{"application/json", `"ok"`, "a single JSON value"},
		{"application/json", `true`, "a single JSON value"},
		{"text/xml; charset=utf-8", "<?xml version=\"1.0\"?>\n<List/>", `the answer is XML (text/xml), which begins with "<?xml version=\"1.0\"?>"`},
		{"text/html", "<!doctype html><html>", `the answer is an HTML page (text/html), which begins`},
		{"text/plain", "ok\x1b[2J\u202e\r\nmore", `the answer is text (text/plain), which begins with "ok\x1b[2J\u202e"`},
		{"image/png", strings.Repeat("ä", 500), strings.Repeat("ä", 80) + `…"`},
		{"x\x1b/y", "ok", `the answer is text, which`},
	} {
		err := web.Object(http.Header{"Content-Type": {tt.kind}}, []byte(tt.body))
		if tt.want == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q of type %s: got %v, want %q", tt.body, tt.kind, err, tt.want)
		}
	}
}

func TestDecode(t *testing.T) {
	type meta struct {
		Kind string `json:"kind,omitempty"`
	}
	type list struct {
		meta  `json:",inline"`
		Items []string
		Next  string `json:"next_page"`
		Own   int    `json:"-"`
	}
	for body, want := range map[string]string{
		`{}`: "", `{"ITEMS": null}`: "", `{"next_page": ""}`: "", `{"kind": ""}`: "", `{"items": ["a"], "new": 1}`: "",
		`{"error": "log in", "b": 1}`: `begins with "b, error"`, `{"Own": 1}`: `begins with "Own"`, `{"Next": ""}`: `begins with "Next"`,
		`{"items": `: "unexpected end", `{} {}`: "after top-level value", `{"items": 1}`: "cannot unmarshal",
	} {
		var l list
		if err := web.Decode(nil, []byte(body), &l); want == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", body, err, want)
		}
	}
}
