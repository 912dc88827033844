package kfp

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/client/internal/gateway"
)

// iap signs in at Google's Identity-Aware Proxy with the key of a service account: it
// is given an ID token for the client id of the proxy, and again before that expires.
type iap struct {
	audience, file string
	base           http.RoundTripper
}

// A serviceAccount is what matters of Google's key files.
type serviceAccount struct {
	Type     string `json:"type"`
	Email    string `json:"client_email"`
	KeyID    string `json:"private_key_id"`
	Key      string `json:"private_key"`
	TokenURI string `json:"token_uri"`
}

// sign exchanges a signed assertion for an ID token (RFC 7523).
func (p *iap) sign(ctx context.Context) (got gateway.Got, err error) {
	b, err := os.ReadFile(p.file)
	if err != nil {
		return got, fmt.Errorf("the service account key: %w", err)
	}
	var a serviceAccount
	if json.Unmarshal(b, &a) != nil || a.Type != "service_account" || a.Email == "" || a.TokenURI == "" {
		return got, fmt.Errorf("%s is not a key file of a service account", p.file)
	}
	got.Secrets = []string{a.Key}
	block, _ := pem.Decode([]byte(a.Key))
	if block == nil {
		return got, fmt.Errorf("%s: its private key is not PEM", p.file)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	key, ok := parsed.(*rsa.PrivateKey)
	if err != nil || !ok {
		return got, fmt.Errorf("%s: its private key is not an RSA key", p.file)
	}
	assertion, err := p.assertion(&a, key, time.Now())
	if err != nil {
		return got, err
	}
	got.Secrets = append(got.Secrets, assertion)
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	form := url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "assertion": {assertion}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.TokenURI, strings.NewReader(form.Encode()))
	if err != nil {
		return got, fmt.Errorf("%s: its token_uri is not a URL", p.file)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := p.base.RoundTrip(req)
	if err != nil {
		return got, fmt.Errorf("asking %s for a token: %w", req.URL.Host, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return got, fmt.Errorf("asking %s for a token: %w", req.URL.Host, err)
	}
	var said struct {
		Token       string `json:"id_token"`
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	if json.Unmarshal(body, &said) != nil || said.Token == "" {
		return got, fmt.Errorf("%s gives no ID token (%d): %s", req.URL.Host, res.StatusCode, strings.Trim(said.Error+": "+said.Description, ": "))
	}
	if err := gateway.Plain(said.Token); err != nil {
		return got, fmt.Errorf("the ID token of %s: %w", req.URL.Host, err)
	}
	until := time.Now().Add(50 * time.Minute) // of an hour
	got.Token, got.Good = said.Token, func() bool { return time.Now().Before(until) }
	return got, nil
}

// assertion is a JSON Web Token that says who the account is.
func (p *iap) assertion(a *serviceAccount, key *rsa.PrivateKey, now time.Time) (string, error) {
	part := func(v any) string {
		b, _ := json.Marshal(v) // of strings and numbers
		return base64.RawURLEncoding.EncodeToString(b)
	}
	text := part(map[string]string{"alg": "RS256", "typ": "JWT", "kid": a.KeyID}) + "." + part(map[string]any{
		"iss": a.Email, "sub": a.Email, "aud": a.TokenURI, "target_audience": p.audience, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	})
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		return "", errors.New("the service account key can't sign")
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

// newIAP makes the credential of a Config with an IAPClient.
func newIAP(o *Config, from string, getenv func(string) string) (gateway.Credential, error) {
	file := o.ServiceAccountKey
	if file == "" {
		if file = getenv("GOOGLE_APPLICATION_CREDENTIALS"); file == "" {
			return nil, errors.New("IAP needs the key file of a service account: give it (Config.ServiceAccountKey), or set GOOGLE_APPLICATION_CREDENTIALS; a user's own token comes from a token command, such as gcloud auth print-identity-token")
		}
		from += ", GOOGLE_APPLICATION_CREDENTIALS"
	}
	plainHTTP := *o
	plainHTTP.Cert, plainHTTP.Key = "", "" // the client's certificate is for the server
	base, err := plainHTTP.link().Base()
	p := &iap{audience: o.IAPClient, file: file, base: base}
	return &gateway.Bearer{Title: fmt.Sprintf("service account key %s for IAP (%s)", file, from), Get: p.sign}, err
}
