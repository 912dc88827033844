package fetch

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/net/web"
)

// A place is where a URL is fetched from, and how requests authenticate.
type place struct {
	url   string
	allow func(*http.Request) error
}

// locate returns the place of a URL. Credentials are those of the environment,
// by the names that the clouds' own tools use.
func locate(ctx context.Context, address string, getenv func(string) string) (place, error) {
	u, err := url.Parse(address)
	if err != nil {
		return place{}, err
	}
	key := strings.TrimPrefix(u.Path, "/")
	switch {
	case u.Scheme == "http" || u.Scheme == "https":
		return place{address, func(*http.Request) error { return nil }}, nil
	case u.Host == "" || key == "":
		return place{}, errors.New("an address in a bucket is of the form " + u.Scheme + "://BUCKET/KEY")
	case u.Scheme == "s3":
		return s3(u.Host, key, getenv), nil
	case u.Scheme == "gs":
		return gs(ctx, u.Host, key, getenv)
	}
	return place{}, fmt.Errorf("the scheme %q is not one of http, https, s3 and gs", u.Scheme)
}

// s3 is a key of a bucket of S3, or of what speaks its protocol at
// AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL.
func s3(bucket, key string, getenv func(string) string) place {
	region := cmp.Or(getenv("AWS_REGION"), getenv("AWS_DEFAULT_REGION"), "us-east-1")
	base := "https://" + bucket + ".s3." + region + ".amazonaws.com"
	if e := cmp.Or(getenv("AWS_ENDPOINT_URL_S3"), getenv("AWS_ENDPOINT_URL")); e != "" {
		base = strings.TrimRight(e, "/") + "/" + bucket
	} else if strings.Contains(bucket, ".") { // no certificate is for such a host
		base = "https://s3." + region + ".amazonaws.com/" + bucket
	}
	c := credentials{getenv("AWS_ACCESS_KEY_ID"), getenv("AWS_SECRET_ACCESS_KEY"), getenv("AWS_SESSION_TOKEN"), region}
	return place{base + "/" + escape(key), func(r *http.Request) error {
		if c.id != "" { // else it is open to all
			c.sign(r, time.Now().UTC())
		}
		return nil
	}}
}

// escape writes a key as AWS signs it: all but A-Z, a-z, 0-9, - . _ ~ and / in
// hexadecimal.
func escape(key string) string {
	var b strings.Builder
	for _, c := range []byte(key) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

type credentials struct{ id, secret, token, region string }

// emptySum is the SHA-256 of no body.
const emptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// sign puts AWS's Signature Version 4 into a request without a body.
func (c credentials) sign(r *http.Request, now time.Time) {
	day, stamp := now.Format("20060102"), now.Format("20060102T150405Z")
	r.Header.Set("X-Amz-Date", stamp)
	r.Header.Set("X-Amz-Content-Sha256", emptySum)
	if c.token != "" {
		r.Header.Set("X-Amz-Security-Token", c.token)
	}
	names := []string{"host"}
	for name := range r.Header {
		if l := strings.ToLower(name); strings.HasPrefix(l, "x-amz-") || l == "range" {
			names = append(names, l)
		}
	}
	slices.Sort(names)
	var headers strings.Builder
	for _, name := range names {
		fmt.Fprintf(&headers, "%s:%s\n", name, cmp.Or(r.Header.Get(name), r.URL.Host))
	}
	signed := strings.Join(names, ";")
	canonical := strings.Join([]string{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, headers.String(), signed, emptySum}, "\n")
	scope := strings.Join([]string{day, c.region, "s3", "aws4_request"}, "/")
	sum := sha256.Sum256([]byte(canonical))
	key := []byte("AWS4" + c.secret)
	for _, part := range []string{day, c.region, "s3", "aws4_request", "AWS4-HMAC-SHA256\n" + stamp + "\n" + scope + "\n" + hex.EncodeToString(sum[:])} {
		h := hmac.New(sha256.New, key)
		io.WriteString(h, part)
		key = h.Sum(nil)
	}
	r.Header.Set("Authorization", fmt.Sprintf("AWS4-HMAC-SHA256 Credential=%s/%s,SignedHeaders=%s,Signature=%x", c.id, scope, signed, key))
}

// gs is an object of Google Cloud Storage. The token is GOOGLE_OAUTH_ACCESS_TOKEN
// (what gcloud auth print-access-token says), or that of the pod's service account
// on Google's clusters; without one the object must be open to all.
func gs(ctx context.Context, bucket, object string, getenv func(string) string) (place, error) {
	base, token := "https://storage.googleapis.com", getenv("GOOGLE_OAUTH_ACCESS_TOKEN")
	if e := getenv("STORAGE_EMULATOR_HOST"); e != "" {
		if base = strings.TrimRight(e, "/"); !strings.Contains(base, "://") {
			base = "http://" + base
		}
	} else if token == "" {
		token = metadataToken(ctx, cmp.Or(getenv("GCE_METADATA_HOST"), "metadata.google.internal"))
	}
	return place{base + "/" + bucket + "/" + escape(object), func(r *http.Request) error {
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	}}, nil
}

// metadataToken asks the server that only Google's machines have. Elsewhere it is
// not there, which is not an error.
func metadataToken(ctx context.Context, host string) string {
	ctx, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, "GET", "http://"+host+"/computeMetadata/v1/instance/service-accounts/default/token", nil)
	if err != nil {
		return ""
	}
	req.Header.Set("Metadata-Flavor", "Google")
	resp, err := web.Stay(web.Client(nil, 0)).Do(req)
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	var t struct {
		Token string `json:"access_token"`
	}
	if resp.StatusCode != http.StatusOK || json.NewDecoder(io.LimitReader(resp.Body, web.MaxError)).Decode(&t) != nil {
		fmt.Fprintf(os.Stderr, "no token of the service account: the metadata server answers %s\n", resp.Status)
	}
	return t.Token
}
