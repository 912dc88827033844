// Package scrub keeps secrets out of what people see: messages of errors, above all,
// in which servers and proxies repeat the request.
package scrub

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"html"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Mark stands where a secret was.
const Mark = "[secret]"

// A Set is secrets that are known. It may be used by several goroutines.
type Set struct {
	mu    sync.Mutex
	known map[string]bool
	forms map[string]bool
}

// Add adds secrets, in all forms in which they are repeated.
func (s *Set) Add(secrets ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.forms == nil {
		s.forms, s.known = map[string]bool{}, map[string]bool{}
	}
	for _, secret := range secrets {
		secret = strings.TrimSpace(secret)
		if secret == "" || s.known[secret] {
			continue
		}
		s.known[secret] = true
		b, _ := json.Marshal(secret) // of a string
		for _, form := range []string{
			secret, url.QueryEscape(secret), url.PathEscape(secret), html.EscapeString(secret), strings.Trim(string(b), `"`),
			base64.StdEncoding.EncodeToString([]byte(secret)), base64.RawURLEncoding.EncodeToString([]byte(secret)),
		} {
			s.forms[form] = true
		}
	}
}

// Text returns a string without the secrets.
func (s *Set) Text(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	// The longest ones first: a secret may hold another one.
	all := slices.SortedFunc(maps.Keys(s.forms), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	for _, form := range all {
		text = strings.ReplaceAll(text, form, Mark)
	}
	return text
}

// Bytes is [Text] for the body of a response.
func (s *Set) Bytes(b []byte) []byte { return []byte(s.Text(string(b))) }

// AddCookie adds what the value of a Cookie header holds. Short values are words, such
// as a language, and no sessions.
func (s *Set) AddCookie(value string) {
	s.Add(value)
	for part := range strings.SplitSeq(value, ";") {
		if _, v, ok := strings.Cut(part, "="); ok && len(strings.TrimSpace(v)) >= 8 {
			s.Add(v)
		}
	}
}

// AddHeader adds the credential in a header, such as Bearer or Basic and what follows.
func (s *Set) AddHeader(value string) {
	kind, secret, ok := strings.Cut(value, " ")
	if !ok {
		secret = value
	}
	s.Add(secret, value)
	if b, err := base64.StdEncoding.DecodeString(secret); strings.EqualFold(kind, "basic") && err == nil {
		if _, password, ok := strings.Cut(string(b), ":"); ok {
			s.Add(password)
		}
	}
}

// AddURL adds the password in a URL, or its name if that is all that it has: it is a
// token then.
func (s *Set) AddURL(address string) {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return
	}
	if password, ok := u.User.Password(); ok {
		both := u.User.Username() + ":" + password
		s.Add(both)
		s.AddHeader("Basic " + base64.StdEncoding.EncodeToString([]byte(both)))
		return
	}
	s.Add(u.User.Username())
}

// Watch returns a transport that learns from each request which credentials it holds,
// wherever they were put in.
func (s *Set) Watch(next http.RoundTripper) http.RoundTripper { return &watching{s, next} }

type watching struct {
	set  *Set
	next http.RoundTripper
}

func (w *watching) RoundTrip(r *http.Request) (*http.Response, error) {
	for _, name := range []string{"Authorization", "Proxy-Authorization"} {
		for _, v := range r.Header.Values(name) {
			w.set.AddHeader(v)
		}
	}
	for _, v := range r.Header.Values("Cookie") {
		w.set.AddCookie(v)
	}
	return w.next.RoundTrip(r)
}

// WrappedRoundTripper is the transport below, for client-go.
func (w *watching) WrappedRoundTripper() http.RoundTripper { return w.next }

// URL returns an address without the credentials that may be in it, in its query too,
// for people.
func URL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		if strings.ContainsAny(address, "@?") {
			return Mark
		}
		return address
	}
	if u.User != nil {
		u.User = url.User("MARK")
	}
	if u.RawQuery != "" {
		u.RawQuery = "MARK"
	}
	return strings.ReplaceAll(u.String(), "MARK", Mark)
}
