package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
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

// TokenFile returns the credential that is a bearer token in a file.
func TokenFile(path, from string) Credential { return &tokenFile{path: path, from: from} }

// TokenCommand returns the credential that is a bearer token that a command prints.
func TokenCommand(argv []string, from string) Credential {
	return &tokenCommand{argv: argv, from: from}
}

// Header checks a text that is the whole of a header.
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

// tokenFile is a file that others write anew from time to time, as Kubernetes does.
type tokenFile struct {
	path, from string

	mu    sync.Mutex
	token string
	stamp string // of the file that token is from
}

func (f *tokenFile) Name() string { return fmt.Sprintf("token file %s (%s)", f.path, f.from) }

func (f *tokenFile) Set(_ context.Context, r *http.Request) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.read(false); err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+f.token)
	return nil
}

// read reads the file if it has changed, or anyway.
func (f *tokenFile) read(anyway bool) error {
	st, err := os.Stat(f.path)
	if err != nil {
		return fmt.Errorf("the token file: %w", err)
	}
	stamp := fmt.Sprint(st.ModTime().UnixNano(), st.Size())
	if stamp == f.stamp && !anyway {
		return nil
	}
	b, err := os.ReadFile(f.path)
	if err != nil {
		return fmt.Errorf("the token file: %w", err)
	}
	token := strings.TrimSpace(string(b))
	if err := Plain(token); err != nil {
		return fmt.Errorf("token file %s: %w", f.path, err)
	}
	f.token, f.stamp = token, stamp
	return nil
}

func (f *tokenFile) Renew(context.Context) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return true, f.read(true)
}

func (f *tokenFile) Secrets() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return []string{f.token}
}

// tokenCommand is a command that prints a token, such as one of a cloud.
type tokenCommand struct {
	argv []string
	from string

	mu    sync.Mutex
	token string
}

func (c *tokenCommand) Name() string { return fmt.Sprintf("token command %s (%s)", c.argv[0], c.from) }

func (c *tokenCommand) Set(ctx context.Context, r *http.Request) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token == "" {
		if err := c.run(ctx); err != nil {
			return err
		}
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	return nil
}

func (c *tokenCommand) run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, c.argv[0], c.argv[1:]...)
	cmd.Stdout, cmd.Stderr = &limited{&out, maxToken}, &limited{&said, maxToken}
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		// What it was called with or has printed may be a secret, and what it says about it
		// too, as a shell with -x does.
		var s scrub.Set
		for _, word := range append(strings.Fields(out.String()), c.argv[1:]...) {
			if len(word) >= 5 {
				s.Add(word)
			}
		}
		return fmt.Errorf("%s: %w: %s", c.Name(), err, s.Text(strings.TrimSpace(said.String())))
	}
	token := strings.TrimSpace(out.String())
	if err := Plain(token); err != nil {
		return fmt.Errorf("what %s printed is no token: %w", c.Name(), err)
	}
	c.token = token
	return nil
}

// maxToken is how much of what a command prints is kept, in bytes.
const maxToken = 64 << 10

// limited keeps the beginning of what is written.
type limited struct {
	to   *bytes.Buffer
	most int
}

func (l *limited) Write(b []byte) (int, error) {
	l.to.Write(b[:min(len(b), l.most-l.to.Len())])
	return len(b), nil
}

func (c *tokenCommand) Renew(ctx context.Context) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return true, c.run(ctx)
}

func (c *tokenCommand) Secrets() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return []string{c.token}
}
