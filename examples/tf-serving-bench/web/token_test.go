package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const token = "0123456789abcdef0123456789abcdef"

// TestToken: without the token there is nothing but the log in; with it, in a header or by
// the cookie of a log in, there is all of it, under any name of the machine.
func TestToken(t *testing.T) {
	s := httptest.NewServer(newSite(complete(nil), token))
	defer s.Close()
	elsewhere := func(r *http.Request) { r.Host = "page.example.com" }
	bearer := func(token string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
	}
	login := func(token string) (*http.Response, string) {
		return ask(t, s, "POST", "/login", "application/x-www-form-urlencoded", []byte(url.Values{"token": {token}}.Encode()), elsewhere)
	}
	for path, want := range map[string]int{"/": 303, "/results/x": 303, "/api/reports": 401, "/api/reports/x": 401, "/login": 200, "/style.css": 200, "/healthz": 200} {
		for _, wrong := range []func(*http.Request){elsewhere, bearer(""), bearer("x"), bearer(token + "x"), func(r *http.Request) { r.AddCookie(&http.Cookie{Name: cookie, Value: token}) }} {
			resp, _ := ask(t, s, "GET", path, "", nil, wrong)
			if to := resp.Header.Get("Location"); resp.StatusCode != want || want == 303 && to != "/login" || want == 401 && resp.Header.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("%s: %s to %q", path, resp.Status, to)
			}
		}
	}
	if resp, _ := ask(t, s, "POST", "/api/reports", "image/png", photo(t), bearer("x")); resp.StatusCode != 401 {
		t.Error(resp.Status)
	}
	if resp, _ := ask(t, s, "POST", "/api/reports?requests=1", "image/png", photo(t), bearer(token), elsewhere); resp.StatusCode != 201 {
		t.Error(resp.Status)
	}
	if resp, text := login("x"); resp.StatusCode != 401 || len(resp.Cookies()) > 0 || !strings.Contains(text, "This is not the token.") {
		t.Error(resp.Status, resp.Cookies(), text)
	}
	if resp, _ := login(strings.Repeat("x", 8<<10)); resp.StatusCode != 401 {
		t.Error(resp.Status)
	}
	resp, _ := login(token)
	if len(resp.Cookies()) != 1 || resp.StatusCode != 303 || resp.Header.Get("Location") != "/" {
		t.Fatal(resp.Status, resp.Cookies())
	}
	c := resp.Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || strings.Contains(c.String(), token) {
		t.Error(c)
	}
	with := func(r *http.Request) { r.AddCookie(c) }
	if resp, text := ask(t, s, "GET", "/", "", nil, with, elsewhere); resp.StatusCode != 200 || !strings.Contains(text, "Servers") || resp.Header.Get("Content-Security-Policy") == "" {
		t.Error(resp.Status, text)
	}
	if resp, _ := ask(t, s, "POST", "/api/reports", "image/png", photo(t), with, func(r *http.Request) { r.Header.Set("Origin", "http://evil.example.com") }); resp.StatusCode != 403 {
		t.Error(resp.Status)
	}
}

func TestTokenFile(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{"short\n": "the token has 5 characters; it must have 20", "": "the token has 0", token + "\n": ""} {
		file := filepath.Join(dir, "token")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := readToken(file)
		if want == "" && (err != nil || got != token) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	if err := run(t.Context(), []string{"-addr", ":0", "-token-file", filepath.Join(dir, "gone")}); err == nil {
		t.Error("there is no token, and the page listens on any address")
	}
	l, err := listen("0.0.0.0:0", true)
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}
