package kfp

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/kfpgo/kfpgo/internal/contexts"
)

// A credential is put into requests, so that the server knows who asks.
type credential interface {
	// name says which method it is and where it came from, for messages.
	name() string
	// set puts the credential into a request.
	set(ctx context.Context, r *http.Request) error
	// renew is called once when the server has refused what set has put in. It reports
	// whether trying again makes sense.
	renew(ctx context.Context) (bool, error)
	// secrets are what no message may hold.
	secrets() []string
}

// credential returns the one that a Config asks for; nil: none.
func (o *Config) credential(getenv func(string) string, c *contexts.Context) (credential, error) {
	given := 0
	for _, is := range []bool{o.Token != "", o.TokenFile != "", len(o.TokenCommand) > 0, o.Cookie != "", o.Login != "", o.IAPClient != ""} {
		if is {
			given++
		}
	}
	if given > 1 {
		return nil, errors.New("more than one credential is given; choose one of token, token file, token command, cookie, login and IAP")
	}
	if o.Token == "" && given == 1 || o.Token != "" {
		return o.own("given", getenv)
	}
	for _, t := range []struct {
		from string
		set  func()
	}{
		{"KFPGO_TOKEN", func() { o.Token = getenv("KFPGO_TOKEN") }},
		{"KF_PIPELINES_SA_TOKEN_PATH", func() { o.TokenFile = getenv("KF_PIPELINES_SA_TOKEN_PATH") }},
		{"KFPGO_COOKIE", func() { o.Cookie = getenv("KFPGO_COOKIE") }},
	} {
		if o.Context == "" && getenv(t.from) != "" {
			t.set()
			return o.own(t.from, getenv)
		}
	}
	o.Token, o.TokenFile, o.TokenCommand, o.Cookie, o.Login, o.IAPClient = c.Token, c.TokenFile, c.TokenCommand, c.Cookie, c.Login, c.IAPClient
	o.PasswordFile, o.ServiceAccountKey = cmp.Or(o.PasswordFile, c.PasswordFile), cmp.Or(o.ServiceAccountKey, c.IAPKey)
	if o.Token != "" || o.TokenFile != "" || len(o.TokenCommand) > 0 || o.Cookie != "" || o.Login != "" || o.IAPClient != "" {
		return o.own("context", getenv)
	}
	if _, err := os.Stat(clusterToken); err == nil {
		o.TokenFile = clusterToken
		return o.own("this pod", getenv)
	}
	return nil, nil
}

// own makes the credential that the fields hold.
func (o *Config) own(from string, getenv func(string) string) (credential, error) {
	switch {
	case o.TokenFile != "":
		return &tokenFile{path: o.TokenFile, from: from}, nil
	case len(o.TokenCommand) > 0:
		return &tokenCommand{argv: o.TokenCommand, from: from}, nil
	case o.Cookie != "":
		return &fixed{header: "Cookie", value: o.Cookie, secret: o.Cookie, what: "session cookie (" + from + ")"}, nil
	case o.Login != "":
		return newDex(o, from, getenv)
	case o.IAPClient != "":
		return newIAP(o, from, getenv)
	}
	if err := plain(o.Token); err != nil {
		return nil, fmt.Errorf("the token (%s): %w", from, err)
	}
	return &fixed{header: "Authorization", value: "Bearer " + o.Token, secret: o.Token, what: "bearer token (" + from + ")"}, nil
}

// plain checks what goes into a header.
func plain(token string) error {
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

func (f *fixed) name() string { return f.what }
func (f *fixed) set(_ context.Context, r *http.Request) error {
	r.Header.Set(f.header, f.value)
	return nil
}
func (f *fixed) renew(context.Context) (bool, error) { return false, nil }
func (f *fixed) secrets() []string                   { return []string{f.secret} }

// tokenFile is a file that others write anew from time to time, as Kubernetes does.
type tokenFile struct {
	path, from string

	mu    sync.Mutex
	token string
	stamp string // of the file that token is from
}

func (f *tokenFile) name() string { return fmt.Sprintf("token file %s (%s)", f.path, f.from) }

func (f *tokenFile) set(_ context.Context, r *http.Request) error {
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
	if err := plain(token); err != nil {
		return fmt.Errorf("token file %s: %w", f.path, err)
	}
	f.token, f.stamp = token, stamp
	return nil
}

func (f *tokenFile) renew(context.Context) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return true, f.read(true)
}

func (f *tokenFile) secrets() []string {
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

func (c *tokenCommand) name() string { return fmt.Sprintf("token command %s (%s)", c.argv[0], c.from) }

func (c *tokenCommand) set(ctx context.Context, r *http.Request) error {
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
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", c.name(), err, strings.TrimSpace(said.String()))
	}
	token := strings.TrimSpace(out.String())
	if err := plain(token); err != nil {
		return fmt.Errorf("what %s printed is no token: %w", c.name(), err)
	}
	c.token = token
	return nil
}

func (c *tokenCommand) renew(ctx context.Context) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return true, c.run(ctx)
}

func (c *tokenCommand) secrets() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return []string{c.token}
}
