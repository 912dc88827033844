package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kfpgo/kfpgo/internal/net/scrub"
)

// A Credential is put into requests, so that the server knows who asks.
type Credential interface {
	// Name says which method it is and where it came from, for messages.
	Name() string
	// Set puts the credential into a request.
	Set(ctx context.Context, r *http.Request) error
	// Renew is called once when the server has refused what Set has put in. It reports
	// whether trying again makes sense.
	Renew(ctx context.Context) (bool, error)
	// Secrets are what no message may hold.
	Secrets() []string
}

// Cookie returns the credential that is the session of a browser.
func Cookie(cookie, from string) (Credential, error) {
	if err := Header(cookie); err != nil {
		return nil, fmt.Errorf("the session cookie (%s): %w", from, err)
	}
	return &fixed{header: "Cookie", value: cookie, secret: cookie, what: "session cookie (" + from + ")"}, nil
}

// Token returns the credential that is a bearer token.
func Token(token, from string) (Credential, error) {
	if err := Plain(token); err != nil {
		return nil, fmt.Errorf("the token (%s): %w", from, err)
	}
	return &fixed{header: "Authorization", value: "Bearer " + token, secret: token, what: "bearer token (" + from + ")"}, nil
}

// Header checks a string that is the whole of a header.
func Header(text string) error {
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return errors.New("it holds a line break or another character that no header has")
	}
	return nil
}

// Plain checks what goes into a header as one word.
func Plain(token string) error {
	switch {
	case token == "":
		return errors.New("it is empty")
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return errors.New("it holds spaces or other characters that no token has")
	}
	return nil
}

// fixed never changes.
type fixed struct{ header, value, secret, what string }

func (f *fixed) Name() string { return f.what }
func (f *fixed) Set(_ context.Context, r *http.Request) error {
	r.Header.Set(f.header, f.value)
	return nil
}
func (f *fixed) Renew(context.Context) (bool, error) { return false, nil }
func (f *fixed) Secrets() []string                   { return []string{f.secret} }

// A Bearer is a bearer token, or the cookies of a session, that is got somewhere, and
// again when it is no longer good.
type Bearer struct {
	Title string // its Name
	Get   func(context.Context) (Got, error)

	mu  sync.Mutex
	got Got
}

// Got is a token that was got, and what else no message may hold, which counts with an
// error too.
type Got struct {
	Token   string
	Cookies []*http.Cookie // instead
	Good    func() bool    // whether it need not be got again; nil: it is good until the server refuses it
	Secrets []string
}

// Name returns the title.
func (b *Bearer) Name() string { return b.Title }

// Set gets a token if there is none that is good.
func (b *Bearer) Set(ctx context.Context, r *http.Request) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.got.Token == "" && b.got.Cookies == nil || b.got.Good != nil && !b.got.Good() {
		if err := b.renew(ctx); err != nil {
			return err
		}
	}
	for _, c := range b.got.Cookies {
		r.AddCookie(c)
	}
	if b.got.Token != "" {
		r.Header.Set("Authorization", "Bearer "+b.got.Token)
	}
	return nil
}

// Renew gets another token.
func (b *Bearer) Renew(ctx context.Context) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return true, b.renew(ctx)
}

// renew gets a token. Without one the last one stays, for what it is.
func (b *Bearer) renew(ctx context.Context) error {
	got, err := b.Get(ctx)
	got.Secrets = append(got.Secrets, b.got.own()...)
	if err != nil {
		b.got.Secrets = got.Secrets
		return err
	}
	b.got = got
	return nil
}

// Secrets returns the token, the one before, and what was got with it.
func (b *Bearer) Secrets() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append(slices.Clone(b.got.Secrets), b.got.own()...)
}

// own returns what a request carries.
func (g *Got) own() []string {
	list := []string{g.Token}
	for _, c := range g.Cookies {
		list = append(list, c.Value)
	}
	return list
}

// TokenFile returns the credential that is a bearer token in a file, which others write
// anew from time to time, as Kubernetes does.
func TokenFile(path, from string) Credential {
	stamp := func() (string, error) {
		st, err := os.Stat(path)
		if err != nil {
			return "", fmt.Errorf("the token file: %w", err)
		}
		return fmt.Sprint(st.ModTime().UnixNano(), st.Size()), nil
	}
	return &Bearer{Title: fmt.Sprintf("token file %s (%s)", path, from), Get: func(context.Context) (got Got, err error) {
		was, err := stamp()
		if err != nil {
			return got, err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return got, fmt.Errorf("the token file: %w", err)
		}
		got.Token = strings.TrimSpace(string(b))
		if err := Plain(got.Token); err != nil {
			return got, fmt.Errorf("token file %s: %w", path, err)
		}
		got.Good = func() bool {
			now, err := stamp()
			return err == nil && now == was
		}
		return got, nil
	}}
}

// TokenCommand returns the credential that is a bearer token that a command prints, such
// as one of a cloud.
func TokenCommand(argv []string, from string) Credential {
	name := fmt.Sprintf("token command %s (%s)", argv[0], from)
	return &Bearer{Title: name, Get: func(ctx context.Context) (got Got, err error) {
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		var out, said bytes.Buffer
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Stdout, cmd.Stderr = &limited{&out, maxToken}, &limited{&said, maxToken}
		cmd.WaitDelay = time.Second
		if err := cmd.Run(); err != nil {
			// What it was called with or has printed may be a secret, and what it says about it
			// too, as a shell with -x does.
			var s scrub.Set
			for _, word := range append(strings.Fields(out.String()), argv[1:]...) {
				if len(word) >= 5 {
					s.Add(word)
				}
			}
			return got, fmt.Errorf("%s: %w: %s", name, err, s.Text(strings.TrimSpace(said.String())))
		}
		got.Token = strings.TrimSpace(out.String())
		if err := Plain(got.Token); err != nil {
			return got, fmt.Errorf("the output of %s is not a token: %w", name, err)
		}
		return got, nil
	}}
}

// maxToken is how much of what a command prints is kept, in bytes.
const maxToken = 64 << 10

// limited keeps the beginning of the output.
type limited struct {
	to   *bytes.Buffer
	most int
}

func (l *limited) Write(b []byte) (int, error) {
	l.to.Write(b[:min(len(b), l.most-l.to.Len())])
	return len(b), nil
}
