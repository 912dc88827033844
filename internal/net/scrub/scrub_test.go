package scrub_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/net/scrub"
)

// TestText: a secret is found in whichever form a server tells it.
func TestText(t *testing.T) {
	var s scrub.Set
	s.Add("s3cr&t <x>", "", " s3cr ")
	for text, want := range map[string]string{
		"you sent s3cr&t <x>!":                 "you sent [secret]!",
		"?password=s3cr%26t+%3Cx%3E":           "?password=[secret]",
		"/s3cr&t%20%3Cx%3E/":                   "/[secret]/",
		`{"got": "s3cr\u0026t \u003cx\u003e"}`: `{"got": "[secret]"}`,
		"<p>s3cr&amp;t &lt;x&gt;</p>":          "<p>[secret]</p>",
		"Basic czNjciZ0IDx4Pg==":               "Basic [secret]",
		"s3cr":                                 "[secret]",
		"nothing":                              "nothing",
	} {
		if got := s.Text(text); got != want {
			t.Errorf("%s: got %s", text, got)
		}
	}
	if got := new(scrub.Set).Text("a"); got != "a" {
		t.Errorf("got %q", got)
	}
}

type none struct{}

func (none) RoundTrip(*http.Request) (*http.Response, error) { return nil, http.ErrAbortHandler }

// TestWatch: what is learnt from requests.
func TestWatch(t *testing.T) {
	var s scrub.Set
	r, err := http.NewRequest("GET", "http://x", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer bear-token")
	r.Header.Set("Cookie", "lang=en; session=session-id-1")
	p := r.Clone(t.Context())
	p.SetBasicAuth("ada", "lovelace-1")
	for _, r := range []*http.Request{r, p} {
		if _, err := s.Watch(none{}).RoundTrip(r); err != http.ErrAbortHandler {
			t.Fatal(err)
		}
	}
	s.AddURL("http://me:proxy-word@x")
	s.AddURL("http://ghp-token@x")
	for _, secret := range []string{"bear-token", "session-id-1", "lovelace-1", "proxy-word", "ghp-token"} {
		if got := s.Text("<" + secret + ">"); got != "<[secret]>" {
			t.Errorf("got %s", got)
		}
	}
	if got := s.Text("len, lang, ada"); got != "len, lang, ada" {
		t.Errorf("got %s", got)
	}
}

func TestURL(t *testing.T) {
	for address, want := range map[string]string{
		"http://u:p@h/x": "http://[secret]@h/x", "http://t@h": "http://[secret]@h", "https://h/p?token=t#f": "https://h/p?[secret]#f", "host:80": "host:80", "": "",
		"http://u:p%zz@h": "[secret]", "http://[::1]:80": "http://[::1]:80",
	} {
		if got := scrub.URL(address); got != want {
			t.Errorf("%s: got %s", strings.ReplaceAll(address, "\n", ""), got)
		}
	}
}
