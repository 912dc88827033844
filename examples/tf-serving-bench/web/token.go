package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"strings"
)

// shortest is the length of a token that nobody can guess by trying.
const shortest = 20

// readToken reads the token that requests must have, as a Secret in a volume has it.
func readToken(file string) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(b))
	if len(token) < shortest {
		return "", fmt.Errorf("-token-file %s: the token has %d characters; it must have %d at least, such as those of openssl rand -hex 32", file, len(token), shortest)
	}
	return token, nil
}

// cookie is the name of the cookie that a browser has after the log in.
const cookie = "page"

// A gate keeps out who doesn't have the token.
type gate struct {
	token string
	page  http.Handler
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; {
	case path == "/login" && r.Method == http.MethodPost:
		g.login(w, r)
	case path == "/login":
		page(w, http.StatusOK, "login", "")
	case path == "/style.css", g.known(r):
		g.page.ServeHTTP(w, r)
	case strings.HasPrefix(path, "/api/"):
		w.Header().Set("WWW-Authenticate", "Bearer")
		reply(w, http.StatusUnauthorized, map[string]string{"error": "the request has no token, or another one; send it as Authorization: Bearer TOKEN"})
	default:
		http.Redirect(w, r, "/login", http.StatusSeeOther)
	}
}

// known reports whether a request has the token, or the cookie of who had it.
func (g *gate) known(r *http.Request) bool {
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return equal(token, g.token)
	}
	c, err := r.Cookie(cookie)
	return err == nil && equal(c.Value, g.session())
}

// session is the value of the cookie: the token itself isn't stored in browsers.
func (g *gate) session() string {
	m := hmac.New(sha256.New, []byte(g.token))
	m.Write([]byte("session of the page"))
	return hex.EncodeToString(m.Sum(nil))
}

func (g *gate) login(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	if !equal(r.PostFormValue("token"), g.token) {
		page(w, http.StatusUnauthorized, "login", "This is not the token.")
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookie, Value: g.session(), Path: "/", MaxAge: 12 * 3600, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: r.Header.Get("X-Forwarded-Proto") == "https", // that of an ingress, which has the certificate
	})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// equal compares strings in a time that depends on neither of them.
func equal(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
