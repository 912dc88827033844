package kfp

import (
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/testing/fakekfp"
)

// environment is one without anything of this machine.
func environment(t *testing.T, vars ...string) func(string) string {
	m := map[string]string{"KFPGO_CONFIG": filepath.Join(t.TempDir(), "config.yaml"), "HOME": t.TempDir()}
	for i := 0; i < len(vars); i += 2 {
		m[vars[i]] = vars[i+1]
	}
	return func(k string) string { return m[k] }
}

func to(t *testing.T, o Config, vars ...string) *Client {
	t.Helper()
	c, err := connect(o, environment(t, vars...))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func file(t *testing.T, text string) string {
	t.Helper()
	f := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(f, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return f
}

// guarded is a server that lets in who has the token.
func guarded(t *testing.T, token *atomic.Value) *fakekfp.Server {
	s := fakekfp.New(t)
	s.First(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Authorization") == "Bearer "+token.Load().(string) {
			return false
		}
		http.Error(w, "bad token: "+r.Header.Get("Authorization"), http.StatusUnauthorized)
		return true
	})
	return s
}

// TestExpiredToken: a token that has expired is read again once; a second refusal in a row is
// an error that says where the token came from.
func TestExpiredToken(t *testing.T) {
	var token atomic.Value
	token.Store("first-secret")
	s := guarded(t, &token)
	f := file(t, "first-secret\n")
	c := to(t, Config{Endpoint: s.URL, TokenFile: f})
	r, err := c.Submit(t.Context(), client.Submission{Name: "a", Spec: []byte("pipelineInfo: {name: a}")})
	if err != nil {
		t.Fatal(err)
	}
	// The token expires; the file gets the new one a moment after the client looked.
	polls := 0
	s.First(func(w http.ResponseWriter, r *http.Request) bool {
		if polls++; polls == 2 {
			token.Store("second-secret")
			st, _ := os.Stat(f)
			os.WriteFile(f, []byte("other--secret"), 0o600) // as long as the other
			os.WriteFile(f, []byte("second-secret"), 0o600)
			os.Chtimes(f, st.ModTime(), st.ModTime())
		}
		return false
	})
	if r, err = client.Wait(t.Context(), c, r.ID, client.WaitOptions{Interval: time.Millisecond}); err != nil || r.State != client.Succeeded {
		t.Fatalf("%+v %v", r, err)
	}
	token.Store("third")
	n := len(s.Requests())
	_, err = c.Get(t.Context(), r.ID)
	if client.CodeOf(err) != client.Unauthenticated || !strings.Contains(err.Error(), "token file "+f) || strings.Contains(err.Error(), "second-secret") {
		t.Errorf("got %v", err)
	}
	if got := len(s.Requests()) - n; got != 2 {
		t.Errorf("%d requests, want 2", got)
	}
}

func TestCredentials(t *testing.T) {
	var token atomic.Value
	token.Store("tok-1")
	s := guarded(t, &token)
	ok := func(name string, o Config, vars ...string) {
		t.Helper()
		o.Endpoint = s.URL
		if _, _, err := to(t, o, vars...).ListExperiments(t.Context(), ListOptions{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	ok("token", Config{Token: "tok-1"})
	ok("KFPGO_TOKEN", Config{}, "KFPGO_TOKEN", "tok-1")
	ok("token file", Config{TokenFile: file(t, "tok-1\n")})
	ok("KF_PIPELINES_SA_TOKEN_PATH", Config{}, "KF_PIPELINES_SA_TOKEN_PATH", file(t, "tok-1"))
	ok("command", Config{TokenCommand: []string{"echo", "tok-1"}})
	c := to(t, Config{Endpoint: s.URL, TokenCommand: []string{"sh", "-c", "echo noise >&2; echo tok-1"}})
	if _, err := c.Health(t.Context()); err != nil {
		t.Error(err)
	}
	for _, bad := range []struct {
		o    Config
		want string
	}{
		{Config{}, "no credential was sent"},
		{Config{Token: "tok-2"}, "bearer token (given)"},
		{Config{TokenFile: "/no/such"}, "/no/such"},
		{Config{TokenFile: file(t, "")}, "it is empty"},
		{Config{TokenCommand: []string{"sh", "-c", "echo tok-2; echo it broke >&2; exit 3"}}, "exit status 3: it broke"},
		{Config{TokenCommand: []string{"echo", "two words"}}, "is not a token"},
	} {
		bad.o.Endpoint = s.URL
		_, err := to(t, bad.o).Health(t.Context())
		if client.CodeOf(err) != client.Unauthenticated || !strings.Contains(err.Error(), bad.want) || strings.Contains(err.Error(), "tok-2") {
			t.Errorf("%+v: got %v, want %s", bad.o, err, bad.want)
		}
	}
	for _, bad := range []struct {
		o    Config
		want string
	}{
		{Config{Endpoint: "x", Token: "a", TokenFile: "b"}, "more than one credential"},
		{Config{Endpoint: "x", Token: "a\nb"}, "no token has"},
		{Config{Endpoint: "ftp://x"}, "must begin with http"},
		{Config{Endpoint: "http://me:pw@x"}, "holds a password"},
		{Config{Endpoint: "http://x", Cert: "a"}, "one is missing"},
		{Config{Endpoint: "http://x", CA: file(t, "x")}, "no certificate in PEM"},
		{Config{}, "no server is known"},
		{Config{Kubeconfig: file(t, anyCluster), Token: "a"}, "the kubeconfig has one"},
	} {
		_, err := connect(bad.o, environment(t))
		if err == nil || !strings.Contains(err.Error(), bad.want) || strings.Contains(err.Error(), "pw") {
			t.Errorf("%+v: got %v, want %s", bad.o, err, bad.want)
		}
	}
}

// TestHeaders: the user, the namespace and the path of the endpoint reach the server.
func TestHeaders(t *testing.T) {
	s := fakekfp.New(t)
	var got []string
	s.First(func(_ http.ResponseWriter, r *http.Request) bool {
		got = append(got, r.Header.Get("kubeflow-userid")+" "+r.URL.Path+" "+r.URL.Query().Get("namespace"))
		return false
	})
	c := to(t, Config{Endpoint: s.URL + "/a/pipeline/", User: "ada@example.com", Namespace: "team"})
	if _, _, err := c.ListExperiments(t.Context(), ListOptions{}); err != nil {
		t.Fatal(err)
	}
	if want := "ada@example.com /a/pipeline/apis/v2beta1/experiments team"; len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPages: what isn't the API's says what it is.
func TestLoginPages(t *testing.T) {
	for path, want := range map[string]client.Code{"/redirect": client.Unauthenticated, "/page": client.Unauthenticated, "/ui": client.Invalid, "/moved": client.Invalid} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasPrefix(r.URL.Path, "/redirect"):
				http.Redirect(w, r, "/dex/auth?state=secret", http.StatusFound)
			case strings.HasPrefix(r.URL.Path, "/moved"):
				http.Redirect(w, r, "/elsewhere", http.StatusMovedPermanently)
			case strings.HasPrefix(r.URL.Path, "/page"):
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, `<form><input type="password"></form>`)
			default:
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, `<html></html>`)
			}
		}))
		_, err := to(t, Config{Endpoint: s.URL + path}).Health(t.Context())
		if client.CodeOf(err) != want || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v, want %s", path, err, want)
		}
		s.Close()
	}
}

// TestDex logs in at a page as Dex has it, and again when the session is over.
func TestDex(t *testing.T) {
	s := fakekfp.New(t)
	session, logins := "", 0
	s.First(func(w http.ResponseWriter, r *http.Request) bool {
		switch r.URL.Path {
		case "/dex/auth/local":
			fmt.Fprint(w, `<form method="post" action="/dex/auth/local/login?req=1&amp;x=2"><input name="login"><input name="password"></form>`)
		case "/dex/auth":
			fmt.Fprint(w, `<a href="/dex/auth/local">email</a>`)
		case "/dex/auth/local/login":
			if r.FormValue("login") != "ada" || r.FormValue("password") != "pass word" || r.URL.Query().Get("x") != "2" {
				fmt.Fprint(w, "Invalid")
				return true
			}
			http.Redirect(w, r, "/callback", http.StatusSeeOther)
		case "/callback":
			logins++
			session = fmt.Sprintf("session-%d", logins)
			http.SetCookie(w, &http.Cookie{Name: "authservice_session", Value: session, Path: "/"})
			fmt.Fprint(w, "welcome")
		default:
			if c, err := r.Cookie("authservice_session"); err == nil && c.Value == session {
				return false
			}
			http.Redirect(w, r, "/dex/auth", http.StatusFound)
		}
		return true
	})
	c := to(t, Config{Endpoint: s.URL, Login: "ada", PasswordFile: file(t, "pass word\n")})
	for range 2 {
		if _, err := c.Health(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	session = "over"
	if _, err := c.Health(t.Context()); err != nil {
		t.Fatal(err)
	}
	if logins != 2 {
		t.Errorf("%d logins, want 2", logins)
	}
	_, err := to(t, Config{Endpoint: s.URL, Login: "ada"}, "KFPGO_PASSWORD", "wrong-secret").Health(t.Context())
	if client.CodeOf(err) != client.Unauthenticated || !strings.Contains(err.Error(), "could not log in") || strings.Contains(err.Error(), "wrong-secret") {
		t.Errorf("got %v", err)
	}
}

// TestTLS: a server's own authority must be named.
func TestTLS(t *testing.T) {
	f := fakekfp.New(t)
	s := httptest.NewTLSServer(f)
	defer s.Close()
	s.Config.ErrorLog = nil
	_, err := to(t, Config{Endpoint: s.URL}).Health(t.Context())
	if client.CodeOf(err) != client.Invalid || !strings.Contains(err.Error(), "--ca") {
		t.Errorf("got %v", err)
	}
	ca := file(t, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})))
	if _, err := to(t, Config{Endpoint: s.URL, CA: ca}).Health(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := to(t, Config{Endpoint: s.URL}, "KFPGO_CA", ca).Health(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := to(t, Config{Endpoint: s.URL, Insecure: true}).Health(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestDeadlines: a call ends with its context, and by itself.
func TestDeadlines(t *testing.T) {
	s := fakekfp.New(t)
	s.First(func(_ http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := to(t, Config{Endpoint: s.URL}).Health(ctx)
	if client.CodeOf(err) != client.Timeout {
		t.Errorf("got %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err = to(t, Config{Endpoint: s.URL}).Health(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
