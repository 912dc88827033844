package ui

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// A guard authenticates browsers by the address that was printed, and answers no request
// of another site.
//
// The address has a token that is good once: the address in the history of a shell or
// browser opens nothing. It gives a cookie that browsers send to this site's own pages
// alone. But cookies don't distinguish ports, and neither does the definition of the same site,
// so where a browser says who asks, that must be our own pages or the user.
type guard struct {
	tell func(format string, args ...any)

	mu      sync.Mutex
	origin  string // http://127.0.0.1:8421
	once    string // the token of the address that was printed last
	session string
}

func newGuard(tell func(string, ...any)) *guard {
	return &guard{tell: tell, session: secret()}
}

func secret() string {
	b := make([]byte, 24)
	rand.Read(b) // it doesn't fail
	return hex.EncodeToString(b)
}

// at prints the address to open, where the server is.
func (g *guard) at(origin string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.origin = origin
	g.invite("open")
}

func (g *guard) invite(word string) {
	g.once = secret()
	g.tell("%s %s/open?token=%s", word, g.origin, g.once)
}

// enter uses up the token of an address.
func (g *guard) enter(token string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.once == "" || subtle.ConstantTimeCompare([]byte(token), []byte(g.once)) != 1 {
		return false
	}
	g.invite("for another browser, open")
	return true
}

// csrf is what forms send along.
func (g *guard) csrf() string {
	h := hmac.New(sha256.New, []byte(g.session))
	h.Write([]byte("forms"))
	return hex.EncodeToString(h.Sum(nil)[:20])
}

// cookie is its name. Servers at other ports of this machine share our cookies.
func cookie(r *http.Request) string {
	_, port, _ := net.SplitHostPort(r.Host)
	return "kfpgo_ui_" + port
}

// The policy of our own pages: nothing but what this server sends.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func (g *guard) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin") // without any, forms have no origin either
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if msg := g.refuse(r); msg != "" {
			http.Error(w, msg, http.StatusForbidden)
			return
		}
		if r.URL.Path == "/open" {
			g.open(w, r)
			return
		}
		c, err := r.Cookie(cookie(r))
		if err != nil || subtle.ConstantTimeCompare([]byte(c.Value), []byte(g.session)) != 1 {
			http.Error(w, "open the address that kfpgo ui has printed last; each is good once", http.StatusUnauthorized)
			return
		}
		if r.Method == http.MethodPost {
			r.Body = http.MaxBytesReader(w, r.Body, 4<<20)
			if err := r.ParseForm(); err != nil {
				http.Error(w, "the form can't be read: "+err.Error(), http.StatusBadRequest)
				return
			}
			if subtle.ConstantTimeCompare([]byte(r.PostForm.Get("csrf")), []byte(g.csrf())) != 1 {
				http.Error(w, "this form is of an earlier kfpgo ui; go back and load it again", http.StatusForbidden)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// refuse says why a request isn't answered whoever asks; nothing: it may be.
func (g *guard) refuse(r *http.Request) string {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	// A name that leads here is another site's. A port may be that of a tunnel.
	if host = strings.Trim(host, "[]"); host != "127.0.0.1" && host != "::1" && host != "localhost" {
		return fmt.Sprintf("this is kfpgo ui at 127.0.0.1, not %s", host)
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost:
	default:
		return "there is nothing to " + r.Method
	}
	opens := r.URL.Path == "/open" && r.Method != http.MethodPost
	switch site := r.Header.Get("Sec-Fetch-Site"); {
	case site == "" || site == "same-origin" || site == "none":
	case opens && r.Header.Get("Sec-Fetch-Dest") == "document": // a link in a terminal that is a page
	default:
		return "another site has asked for this"
	}
	origin := r.Header.Get("Origin")
	if origin == "" && r.Method == http.MethodPost {
		return "a form says where it is from, and this one doesn't"
	}
	if origin != "" {
		if u, err := url.Parse(origin); err != nil || u.Scheme != "http" || u.Host != r.Host {
			return "another site has asked for this"
		}
	}
	return ""
}

// open takes the token of an address and gives a cookie. The page that it answers leads
// on by itself: a redirect would count as asked for by who has linked to here, and then
// the cookie isn't sent.
func (g *guard) open(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		http.Error(w, "there is nothing to POST", http.StatusMethodNotAllowed)
		return
	}
	if r.Method == http.MethodHead || r.Header.Get("Sec-Purpose") != "" || r.Header.Get("Purpose") != "" {
		http.Error(w, "the token is for who opens the page, not for a preview", http.StatusForbidden)
		return
	}
	if !g.enter(r.URL.Query().Get("token")) {
		http.Error(w, "this address was used before; open the one that kfpgo ui has printed last", http.StatusForbidden)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookie(r), Value: g.session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url=/\"><title>kfpgo ui</title></head><body><p><a href=\"/\">Runs</a></p></body></html>\n")
}
