package kfp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/client/internal/gateway"
	"github.com/kfpgo/kfpgo/internal/net/web"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// dex logs in at the page of Dex, Kubeflow's usual identity provider, with a name
// and a password, for the cookies of a session.
type dex struct {
	login    string
	password func() (string, error)
	base     http.RoundTripper
	endpoint string
	host     string // of the login page, if it isn't the endpoint's
}

func newDex(o *Config, from string, getenv func(string) string) (gateway.Credential, error) {
	file := o.PasswordFile
	if file == "" && getenv("KFPGO_PASSWORD") == "" {
		return nil, fmt.Errorf("login %s (%s): no password; name a file with it, or set KFPGO_PASSWORD", o.Login, from)
	}
	base, err := o.link().Base()
	if err != nil {
		return nil, err
	}
	d := &dex{login: o.Login, endpoint: o.Endpoint, host: o.LoginHost, base: base, password: func() (string, error) {
		if file == "" {
			return getenv("KFPGO_PASSWORD"), nil
		}
		b, err := os.ReadFile(file)
		return strings.TrimRight(string(b), "\r\n"), err
	}}
	return &gateway.Bearer{Title: fmt.Sprintf("session of %s (%s)", o.Login, from), Get: d.log}, nil
}

var (
	form   = lazyregexp.New(`(?is)<form\b([^>]*)>(.*?)(?:</form|$)`)
	action = lazyregexp.New(`(?is)\baction\s*=\s*"([^"]*)"`)
	asks   = lazyregexp.New(`(?is)<input\b[^>]*\bname\s*=\s*"(login|password)"`)
)

// loginForm returns the attributes of the form of a page that asks for a name and a
// password.
func loginForm(page string) (attributes string, ok bool) {
	for _, f := range form.FindAllStringSubmatch(page, 20) {
		has := map[string]bool{}
		for _, m := range asks.FindAllStringSubmatch(f[2], 20) {
			has[strings.ToLower(m[1])] = true
		}
		if len(has) == 2 {
			return f[1], true
		}
	}
	return "", false
}

// expected checks that a login page is where the password may be given.
func (d *dex) expected(at *url.URL) error {
	end, err := url.Parse(d.endpoint)
	if err != nil {
		return err
	}
	if web.Same(end, at) || d.host != "" && strings.EqualFold(at.Host, d.host) {
		return nil
	}
	return fmt.Errorf("%s leads to a login page at another server, %s, and the password was not sent; if that is the right one, name it with --login-host %s (Config.LoginHost)", end.Host, at.Host, at.Host)
}

// log goes the way of a browser: to the server, from there to the login page, and
// back with the session.
func (d *dex) log(ctx context.Context) (got gateway.Got, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	password, err := d.password()
	if err != nil {
		return got, fmt.Errorf("the password of %s: %w", d.login, err)
	}
	got.Secrets = []string{password}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return got, err
	}
	c := web.Client(d.base, 0)
	c.Jar = jar
	page, at, err := get(ctx, c, d.endpoint+"/")
	if err != nil {
		return got, fmt.Errorf("the login page: %w", err)
	}
	if err := d.expected(at); err != nil {
		return got, err
	}
	// With several ways to log in, Dex asks first which; local is the one with a password.
	if strings.HasSuffix(at.Path, "/auth") {
		at.Path += "/local"
		if page, at, err = get(ctx, c, at.String()); err != nil {
			return got, fmt.Errorf("the login page: %w", err)
		}
	}
	if err := d.expected(at); err != nil {
		return got, err
	}
	attributes, ok := loginForm(page)
	if !ok {
		return got, fmt.Errorf("the page at %s has no form with fields login and password, as Dex's login page has; the password was not sent; give a token or a cookie instead", at.Host)
	}
	to := at
	if m := action.FindStringSubmatch(attributes); m != nil && m[1] != "" {
		if to, err = at.Parse(strings.ReplaceAll(m[1], "&amp;", "&")); err != nil {
			return got, errors.New("the login page has a form that leads nowhere")
		}
	}
	if !web.Same(at, to) {
		return got, errors.New("the form of the login page leads to another server; the password was not sent")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), strings.NewReader(url.Values{"login": {d.login}, "password": {password}}.Encode()))
	if err != nil {
		return got, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := c.Do(req)
	if err != nil {
		return got, fmt.Errorf("logging in: %w", web.Bare(err)) // the password went nowhere else
	}
	res.Body.Close()
	end, err := url.Parse(d.endpoint)
	if err != nil {
		return got, err
	}
	if cs := jar.Cookies(end); len(cs) > 0 && !strings.Contains(res.Request.URL.Path, "/dex/") {
		got.Cookies = cs
		return got, nil
	}
	return got, fmt.Errorf("%s could not log in; the name or the password is wrong", d.login)
}

func get(ctx context.Context, c *http.Client, at string) (page string, where *url.URL, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return "", nil, err
	}
	res, err := c.Do(req)
	if err != nil {
		return "", nil, web.Bare(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(io.LimitReader(res.Body, web.MaxError))
	return string(b), res.Request.URL, err
}
