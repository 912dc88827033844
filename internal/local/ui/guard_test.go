package ui

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// A visitor is a browser that has opened the printed address.
type visitor struct {
	t      *testing.T
	server *httptest.Server
	s      *Server
	cookie *http.Cookie
	told   *told
}

// told collects the addresses that are printed.
type told struct {
	mu    sync.Mutex
	lines []string
}

func (x *told) tell(_ string, args ...any) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.lines = append(x.lines, args[1].(string)+"/open?token="+args[2].(string))
}

func (x *told) last() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.lines[len(x.lines)-1]
}

// visit starts a server for a home folder and opens the address that it prints.
func visit(t *testing.T, o Options) *visitor {
	t.Helper()
	v := &visitor{t: t, told: &told{}}
	o.Tell = v.told.tell
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	v.s, v.server = s, httptest.NewServer(s.Handler())
	t.Cleanup(v.server.Close)
	s.guard.at(v.server.URL)
	r, _ := v.do("GET", strings.TrimPrefix(v.told.last(), v.server.URL), nil, nil)
	if r.StatusCode != http.StatusOK || len(r.Cookies()) != 1 {
		t.Fatalf("opening the address: %s, cookies %v", r.Status, r.Cookies())
	}
	v.cookie = r.Cookies()[0]
	return v
}

// do asks for a page as a browser does; header takes the place of what it would send.
func (v *visitor) do(method, path string, form url.Values, header map[string]string) (*http.Response, string) {
	v.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r, err := http.NewRequest(method, v.server.URL+path, body)
	if err != nil {
		v.t.Fatal(err)
	}
	if v.cookie != nil {
		r.AddCookie(v.cookie)
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if method == "POST" {
		r.Header.Set("Origin", v.server.URL)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, value := range header {
		switch {
		case name == "Host":
			r.Host = value
		case value == "":
			r.Header.Del(name)
		default:
			r.Header.Set(name, value)
		}
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return answer, string(b)
}

// get asks for a page that must be there.
func (v *visitor) get(path string) string {
	v.t.Helper()
	r, body := v.do("GET", path, nil, nil)
	if r.StatusCode != http.StatusOK {
		v.t.Fatalf("GET %s: %s\n%s", path, r.Status, body)
	}
	return body
}

// TestGuard: only the user's browser gets anything, and only for our own pages.
func TestGuard(t *testing.T) {
	home := t.TempDir()
	v := visit(t, Options{Home: home})
	token := func() string { return strings.TrimPrefix(v.told.last(), v.server.URL) }
	for _, test := range []struct {
		name, method, path string
		header             map[string]string
		want               int
	}{
		{"a page", "GET", "/", nil, 200},
		{"typed", "GET", "/", map[string]string{"Sec-Fetch-Site": "none"}, 200},
		{"an old browser", "GET", "/", map[string]string{"Sec-Fetch-Site": ""}, 200},
		{"no cookie", "GET", "/", map[string]string{"Cookie": ""}, 401},
		{"another cookie", "GET", "/", map[string]string{"Cookie": v.cookie.Name + "=" + strings.Repeat("0", 48)}, 401},
		{"static without a cookie", "GET", "/static/x/ui.css", map[string]string{"Cookie": ""}, 401},
		{"another site", "GET", "/", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"another port", "GET", "/", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{"another origin", "GET", "/", map[string]string{"Origin": "http://evil.example"}, 403},
		{"a frame without an origin", "GET", "/", map[string]string{"Origin": "null"}, 403},
		{"DNS rebinding", "GET", "/", map[string]string{"Host": "evil.example:8421"}, 403},
		{"a name that ends like ours", "GET", "/", map[string]string{"Host": "localhost.evil.example"}, 403},
		{"an address in the network", "GET", "/", map[string]string{"Host": "192.168.0.1:8421"}, 403},
		{"a method", "DELETE", "/", nil, 403},
		{"a preflight", "OPTIONS", "/", map[string]string{"Origin": "http://evil.example"}, 403},
		{"a form without its token", "POST", "/runs/x/start", nil, 403},
		{"a form of another site", "POST", "/runs/x/start", map[string]string{"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"}, 403},
		{"a form that doesn't say where it is from", "POST", "/runs/x/start", map[string]string{"Origin": ""}, 403},
		{"a form of another scheme", "POST", "/runs/x/start", map[string]string{"Origin": strings.Replace(v.server.URL, "http", "https", 1)}, 403},
		{"a wrong token", "GET", "/open?token=" + strings.Repeat("0", 48), nil, 403},
		{"no token", "GET", "/open", nil, 403},
		{"a preview of the address", "GET", token(), map[string]string{"Sec-Purpose": "prefetch"}, 403},
		{"an image of the address", "GET", token(), map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"}, 403},
		{"a link to the address", "GET", token(), map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}, 200},
	} {
		r, body := v.do(test.method, test.path, url.Values{}, test.header)
		if r.StatusCode != test.want {
			t.Errorf("%s: %s, want %d\n%s", test.name, r.Status, test.want, body)
		}
		if r.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: others may read the answer", test.name)
		}
		if r.StatusCode >= 400 && len(r.Cookies()) > 0 {
			t.Errorf("%s: it gives a cookie", test.name)
		}
	}
	r, _ := v.do("GET", "/", nil, nil)
	for name, want := range map[string]string{
		"Content-Security-Policy": policy, "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cache-Control": "no-store",
		"Cross-Origin-Resource-Policy": "same-origin",
	} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if c := v.cookie; !c.HttpOnly || c.SameSite != http.SameSiteStrictMode {
		t.Errorf("the cookie is %v", c)
	}
}

// TestOnce: an address that was opened opens nothing more; the next one is printed.
func TestOnce(t *testing.T) {
	v := visit(t, Options{Home: t.TempDir()})
	first, second := v.told.lines[0], v.told.last()
	if len(v.told.lines) != 2 || first == second {
		t.Fatalf("told %q", v.told.lines)
	}
	path := func(address string) string { return strings.TrimPrefix(address, v.server.URL) }
	if r, _ := v.do("GET", path(first), nil, nil); r.StatusCode != http.StatusForbidden {
		t.Errorf("the first address again: %s", r.Status)
	}
	if r, _ := v.do("GET", path(second), nil, nil); r.StatusCode != http.StatusOK {
		t.Errorf("the second address: %s", r.Status)
	}
}

func TestListen(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", "[::]:0", "192.168.1.1:0", ":0", "127.0.0.1"} {
		if l, err := Listen(address); err == nil {
			l.Close()
			t.Errorf("%s: it listens", address)
		}
	}
	for _, address := range []string{"127.0.0.1:0", "localhost:0"} {
		l, err := Listen(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		l.Close()
	}
}
