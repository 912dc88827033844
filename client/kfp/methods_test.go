package kfp

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/testing/fakekfp"
)

// A method is a way to be let in. Its server takes what is in now, and changes that
// once; then it takes nothing.
type method struct {
	config  func(d *door) Config
	vars    func(d *door) []string
	allowed func(d *door, r *http.Request) bool
	renewed bool   // the client can learn of a change
	name    string // of the method and its origin, in errors
}

// A door is what a method's server takes.
type door struct {
	t      *testing.T
	secret string // of now
	file   string // that has it
	asked  int    // how often a new one was asked for
}

func (d *door) change(secret string) {
	d.secret = secret
	if err := os.WriteFile(d.file, []byte(secret+"\n"), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

func bearer(d *door, r *http.Request) bool {
	return r.Header.Get("Authorization") == "Bearer "+d.secret
}

// keyFile writes the key file of a service account whose tokens the door's own server
// gives out.
func (d *door) keyFile() string {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		d.t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		d.t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		parts := strings.Split(r.FormValue("assertion"), ".")
		claims := map[string]any{}
		if len(parts) == 3 {
			b, _ := base64.RawURLEncoding.DecodeString(parts[1])
			json.Unmarshal(b, &claims)
		}
		if claims["target_audience"] != "the-client" || claims["iss"] != "robot@example.com" || r.FormValue("grant_type") != "urn:ietf:params:oauth:grant-type:jwt-bearer" {
			w.WriteHeader(400)
			fmt.Fprint(w, `{"error": "invalid_grant", "error_description": "who is that"}`)
			return
		}
		d.asked++
		json.NewEncoder(w).Encode(map[string]string{"id_token": d.secret})
	}))
	d.t.Cleanup(s.Close)
	b, err := json.Marshal(map[string]string{"type": "service_account", "client_email": "robot@example.com", "private_key_id": "k1", "token_uri": s.URL,
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))})
	if err != nil {
		d.t.Fatal(err)
	}
	return file(d.t, string(b))
}

var methods = map[string]method{
	"token":            {config: func(d *door) Config { return Config{Token: d.secret} }, allowed: bearer, name: "bearer token (given)"},
	"KFPGO_TOKEN":      {vars: func(d *door) []string { return []string{"KFPGO_TOKEN", d.secret} }, allowed: bearer, name: "bearer token (KFPGO_TOKEN)"},
	"file":             {config: func(d *door) Config { return Config{TokenFile: d.file} }, allowed: bearer, renewed: true, name: "token file"},
	"SA_TOKEN_PATH":    {vars: func(d *door) []string { return []string{"KF_PIPELINES_SA_TOKEN_PATH", d.file} }, allowed: bearer, renewed: true, name: "(KF_PIPELINES_SA_TOKEN_PATH)"},
	"command":          {config: func(d *door) Config { return Config{TokenCommand: []string{"cat", d.file}} }, allowed: bearer, renewed: true, name: "token command cat (given)"},
	"cookie":           {config: func(d *door) Config { return Config{Cookie: "session=" + d.secret} }, allowed: cookie, name: "session cookie (given)"},
	"KFPGO_COOKIE":     {vars: func(d *door) []string { return []string{"KFPGO_COOKIE", "session=" + d.secret} }, allowed: cookie, name: "session cookie (KFPGO_COOKIE)"},
	"IAP":              {config: func(d *door) Config { return Config{IAPClient: "the-client", ServiceAccountKey: d.keyFile()} }, allowed: bearer, renewed: true, name: "for IAP (given)"},
	"IAP, environment": {config: func(d *door) Config { return Config{IAPClient: "the-client"} }, vars: func(d *door) []string { return []string{"GOOGLE_APPLICATION_CREDENTIALS", d.keyFile()} }, allowed: bearer, renewed: true, name: "GOOGLE_APPLICATION_CREDENTIALS"},
}

func cookie(d *door, r *http.Request) bool {
	c, err := r.Cookie("session")
	return err == nil && c.Value == d.secret
}

// TestMethods: each way to be let in works; after a refusal the credential is renewed
// once, if it can be; a second one is an error that names the method and where it
// came from, and holds no secret.
func TestMethods(t *testing.T) {
	for name, m := range methods {
		t.Run(name, func(t *testing.T) {
			d := &door{t: t, file: filepath.Join(t.TempDir(), "token")}
			d.change("first-secret")
			s := fakekfp.New(t)
			requests := 0
			s.First(func(w http.ResponseWriter, r *http.Request) bool {
				if requests++; m.allowed(d, r) {
					return false
				}
				w.WriteHeader(http.StatusUnauthorized)
				fmt.Fprintf(w, "bad: %v", r.Header) // servers do say such things
				return true
			})
			o, vars := Config{}, []string{}
			if m.config != nil {
				o = m.config(d)
			}
			if m.vars != nil {
				vars = m.vars(d)
			}
			o.Endpoint = s.URL
			c := to(t, o, vars...)
			if _, _, err := c.ListExperiments(t.Context(), ListOptions{}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond) // for the file's time
			d.change("second-secret")
			_, _, err := c.ListExperiments(t.Context(), ListOptions{})
			if m.renewed && err != nil {
				t.Errorf("a new credential is not taken: %v", err)
			}
			if !m.renewed && client.CodeOf(err) != client.Unauthenticated {
				t.Errorf("got %v", err)
			}
			d.secret = "nobody-has-it"
			if m.renewed { // nothing new is to be had either
				if d.asked > 0 {
					d.secret = "stale-secret"
					m.allowed = func(*door, *http.Request) bool { return false }
				}
			}
			requests = 0
			_, _, err = c.ListExperiments(t.Context(), ListOptions{})
			if client.CodeOf(err) != client.Unauthenticated || !strings.Contains(err.Error(), m.name) {
				t.Errorf("got %v, want the name %s", err, m.name)
			}
			if requests > 2 {
				t.Errorf("%d requests", requests)
			}
			for _, secret := range []string{"first-secret", "second-secret", "stale-secret", "PRIVATE KEY"} {
				if strings.Contains(fmt.Sprintf("%v %+v", err, err), secret) {
					t.Errorf("the error holds %s: %v", secret, err)
				}
			}
			if text := c.Credential(); strings.Contains(text, "-secret") || !strings.Contains(text, m.name) {
				t.Errorf("the credential is called %q", text)
			}
		})
	}
}

// TestIAPRefused: what is wrong with a key or with who gives tokens is said without
// the key.
func TestIAPRefused(t *testing.T) {
	d := &door{t: t, file: filepath.Join(t.TempDir(), "token")}
	d.change("x")
	good := d.keyFile()
	for want, o := range map[string]Config{
		"is not a key file": {IAPClient: "the-client", ServiceAccountKey: file(t, `{"type": "authorized_user"}`)},
		"is not PEM":        {IAPClient: "the-client", ServiceAccountKey: file(t, `{"type": "service_account", "client_email": "a", "token_uri": "b", "private_key": "c"}`)},
		"who is that":       {IAPClient: "another", ServiceAccountKey: good},
		"no such file":      {IAPClient: "another", ServiceAccountKey: "/no/such/key"},
	} {
		o.Endpoint = "http://127.0.0.1:1"
		if _, err := to(t, o).Health(t.Context()); client.CodeOf(err) != client.Unauthenticated || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "PRIVATE") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := connect(Config{Endpoint: "x", IAPClient: "c"}, environment(t)); err == nil || !strings.Contains(err.Error(), "GOOGLE_APPLICATION_CREDENTIALS") {
		t.Errorf("got %v", err)
	}
}

// TestClientCertificate: a server that asks for one gets it.
func TestClientCertificate(t *testing.T) {
	f := fakekfp.New(t)
	s := httptest.NewUnstartedServer(f)
	s.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	s.StartTLS()
	t.Cleanup(s.Close)
	pair := s.TLS.Certificates[0]
	der, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	cert := file(t, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})))
	key := file(t, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})))
	if _, err := to(t, Config{Endpoint: s.URL, CA: cert, Cert: cert, Key: key}).Health(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := to(t, Config{Endpoint: s.URL, CA: cert}).Health(t.Context()); err == nil {
		t.Error("let in without a certificate")
	}
}
