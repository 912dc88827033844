package fetch

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

// TestSign compares a signature with the one in the documentation of S3's API
// (Signature Version 4, example: GET object).
func TestSign(t *testing.T) {
	r := httptest.NewRequest("GET", "https://examplebucket.s3.amazonaws.com/test.txt", nil)
	r.Header = http.Header{"Range": {"bytes=0-9"}}
	credentials{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "", "us-east-1"}.sign(r, time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC))
	want := "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date," +
		"Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
	if got := r.Header.Get("Authorization"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestLocate(t *testing.T) {
	for _, tt := range []struct{ address, env, want string }{
		{"https://example.org/x", "", "https://example.org/x"},
		{"s3://data/mnist/a b+ü.gz", "AWS_REGION=eu-west-1", "https://data.s3.eu-west-1.amazonaws.com/mnist/a%20b%2B%C3%BC.gz"},
		{"s3://my.data/x", "", "https://s3.us-east-1.amazonaws.com/my.data/x"},
		{"s3://data/x", "AWS_ENDPOINT_URL=http://minio:9000/", "http://minio:9000/data/x"},
		{"gs://data/x/y", "GOOGLE_OAUTH_ACCESS_TOKEN=t", "https://storage.googleapis.com/data/x/y"},
		{"gs://data/x", "STORAGE_EMULATOR_HOST=fake:4443", "http://fake:4443/data/x"},
		{"s3://data", "", "an address in a bucket is of the form s3://BUCKET/KEY"},
		{"ftp://data/x", "", `the scheme "ftp" is not one of http, https, s3 and gs`},
	} {
		name, value, _ := strings.Cut(tt.env, "=")
		p, err := locate(t.Context(), tt.address, func(n string) string {
			if n == name {
				return value
			}
			return ""
		})
		if got := p.url; got != tt.want && (err == nil || err.Error() != tt.want) {
			t.Errorf("%s: got %s, %v, want %s", tt.address, got, err, tt.want)
		}
	}
}

// TestBuckets: the credentials of the environment are used, and without them none
// are sent.
func TestBuckets(t *testing.T) {
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, _, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		asked = append(asked, scheme+" "+r.URL.Path)
		if strings.Contains(r.URL.Path, "secret") && scheme == "" {
			http.Error(w, "<Code>AccessDenied</Code>", http.StatusForbidden)
			return
		}
		w.Write([]byte("content"))
	}))
	defer s.Close()
	t.Setenv("AWS_ENDPOINT_URL", s.URL)
	t.Setenv("STORAGE_EMULATOR_HOST", s.URL)
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	get := func(u string) error {
		out, err := File.Run(t.Context(), FileIn{URL: dsl.Const(u), Digest: dsl.Const("any")})
		if err != nil {
			return err
		}
		if b, err := os.ReadFile(out.Data.Path()); err != nil || string(b) != "content" {
			t.Errorf("%s: %q, %v", u, b, err)
		}
		return nil
	}
	if err := get("s3://data/open"); err != nil {
		t.Error(err)
	}
	if err := get("s3://data/secret"); err == nil || !strings.Contains(err.Error(), "403 Forbidden: <Code>AccessDenied</Code>") {
		t.Errorf("got %v", err)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("GOOGLE_OAUTH_ACCESS_TOKEN", "token")
	for _, u := range []string{"s3://data/secret", "gs://data/secret"} {
		if err := get(u); err != nil {
			t.Error(err)
		}
	}
	if got := strings.Join(asked, ","); got != " /data/open, /data/secret,AWS4-HMAC-SHA256 /data/secret,Bearer /data/secret" {
		t.Errorf("asked %q", got)
	}
}
