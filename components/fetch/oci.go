package fetch

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/net/web"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// OCIIn is an image or artifact in a registry.
type OCIIn struct {
	Ref      dsl.Param[string] `doc:"REGISTRY/NAME@sha256:DIGEST, such as ghcr.io/acme/mnist@sha256:…"`
	Path     dsl.Param[string] `default:"" doc:"of an image, the folder that is wanted, such as /models"`
	Platform dsl.Param[string] `default:"linux/amd64" doc:"of an image that is there for several"`
	Insecure dsl.Param[bool]   `default:"false" doc:"http, for a registry in the cluster"`
	Timeout  dsl.Param[string] `default:"1h" check:"duration"`
}

// OCIOut is what is in it.
type OCIOut struct {
	Data  dsl.Dataset `doc:"a folder"`
	Files dsl.Param[int]
	Bytes dsl.Param[int]
}

var refForm = lazyregexp.New(`^([^/@]+)/([a-z0-9._/-]+)(?::[\w.-]+)?@(sha256:[0-9a-f]{64})$`)

// OCI gets the files of an artifact, each by its title (as oras push writes them),
// or of an image, such as a KServe modelcar, and checks all digests. The user and
// password are OCI_USERNAME and OCI_PASSWORD of the step's environment; k8s.SecretEnv
// puts them there.
//
//	fetch.OCI.Call(s, fetch.OCIIn{Ref: dsl.Const("ghcr.io/acme/mnist@sha256:731c5ac6…"), Path: dsl.Const("/models")})
var OCI = work.Check(dsl.Func("fetch-oci", func(ctx context.Context, in OCIIn, out *OCIOut) error {
	ref := refForm.FindStringSubmatch(in.Ref.Get())
	if ref == nil {
		return fmt.Errorf("input ref: %s", badRef(in.Ref.Get()))
	}
	timeout, err := time.ParseDuration(in.Timeout.Get())
	if err != nil {
		return fmt.Errorf("input timeout: %w", err)
	}
	r := &registry{base: "https://" + ref[1] + "/v2/" + ref[2], client: web.Client(nil, timeout), user: os.Getenv("OCI_USERNAME"), password: os.Getenv("OCI_PASSWORD")}
	if in.Insecure.Get() {
		r.base = "http://" + ref[1] + "/v2/" + ref[2]
	}
	man, err := r.manifest(ctx, ref[3], in.Platform.Get(), 0)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Ref.Get(), err)
	}
	u := unpacking{to: out.Data.Path(), only: strings.Trim(in.Path.Get(), "/")}
	if err := os.MkdirAll(u.to, 0o755); err != nil {
		return err
	}
	for _, l := range man.Layers {
		if err := r.layer(ctx, l, &u); err != nil {
			return errors.Join(fmt.Errorf("%s: layer %s: %w", in.Ref.Get(), l.Digest, err), os.RemoveAll(u.to))
		}
	}
	if u.files == 0 {
		return fmt.Errorf("%s: there is nothing at %s in it", in.Ref.Get(), cmp.Or(in.Path.Get(), "/"))
	}
	out.Files.Set(u.files)
	out.Bytes.Set(int(u.bytes))
	return nil
}), func(c *work.Call) {
	if ref, ok := work.Arg[string](c, "ref"); ok && !refForm.MatchString(ref) {
		c.Errorf("input ref: %s", badRef(ref))
	}
	if p, ok := work.Arg[string](c, "platform"); ok && !platformForm.MatchString(p) {
		c.Errorf("input platform: %q is not of the form linux/amd64", p)
	}
})

var platformForm = lazyregexp.New(`^[a-z0-9]+/[a-z0-9]+(/[a-z0-9]+)?$`)

func badRef(ref string) string {
	if name, _, ok := strings.Cut(ref, "@"); !ok {
		if i := strings.LastIndex(name, ":"); i > strings.LastIndex(name, "/") {
			name = name[:i]
		}
		return fmt.Sprintf("%s names no digest; write %s@sha256: and 64 hexadecimal digits, so that it can't change", ref, name)
	}
	return fmt.Sprintf("%q is not of the form REGISTRY/NAME@sha256: and 64 hexadecimal digits", ref)
}

// A registry is a repository in one.
type registry struct {
	base, user, password, token string
	client                      *http.Client
}

type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int64             `json:"size"`
	Annotations map[string]string `json:"annotations"`
	Platform    struct {
		OS           string `json:"os"`
		Architecture string `json:"architecture"`
	} `json:"platform"`
}

type manifest struct {
	Layers    []descriptor `json:"layers"`
	Manifests []descriptor `json:"manifests"`
}

// maxIndexes is how many indexes may be between a reference and its image.
const maxIndexes = 4

// manifest returns the manifest of a digest; of an index that of the platform.
func (r *registry) manifest(ctx context.Context, digest, platform string, depth int) (m manifest, err error) {
	if depth > maxIndexes {
		return m, fmt.Errorf("more than %d indexes lead from one to the next", maxIndexes)
	}
	body, err := r.get(ctx, "/manifests/"+digest)
	if err != nil {
		return m, err
	}
	defer body.Close()
	b, err := io.ReadAll(io.LimitReader(body, 8<<20))
	if err != nil {
		return m, err
	}
	if sum := sha256.Sum256(b); digest != "sha256:"+hex.EncodeToString(sum[:]) {
		return m, fmt.Errorf("the registry sends a manifest with the digest sha256:%x", sum)
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return m, fmt.Errorf("the manifest: %w", err)
	}
	if len(m.Manifests) == 0 {
		return m, nil
	}
	var there []string
	for _, d := range m.Manifests {
		p := d.Platform.OS + "/" + d.Platform.Architecture
		if p == platform {
			return r.manifest(ctx, d.Digest, platform, depth+1)
		}
		there = append(there, p)
	}
	return m, fmt.Errorf("it is there for %s, and not for %s", strings.Join(there, ", "), platform)
}

// layer unpacks a layer, and checks its digest.
func (r *registry) layer(ctx context.Context, l descriptor, u *unpacking) error {
	body, err := r.get(ctx, "/blobs/"+l.Digest)
	if err != nil {
		return err
	}
	defer body.Close()
	h := sha256.New()
	part := &io.LimitedReader{R: body, N: l.Size + 1}
	read := io.TeeReader(part, h)
	title := l.Annotations["org.opencontainers.image.title"]
	switch {
	case title != "":
		err = u.file(title, read)
	case strings.HasSuffix(l.MediaType, "gzip"):
		var z *gzip.Reader
		if z, err = gzip.NewReader(read); err == nil {
			err = u.tar(z)
		}
	case strings.Contains(l.MediaType, "tar"):
		err = u.tar(read)
	default:
		err = fmt.Errorf("it is of the type %s and has no title", l.MediaType)
	}
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, read); err != nil { // what follows the archive
		return err
	}
	if part.N <= 0 {
		return fmt.Errorf("the registry sends more than the %d bytes that it has", l.Size)
	}
	if got := "sha256:" + hex.EncodeToString(h.Sum(nil)); got != l.Digest {
		return fmt.Errorf("the registry sends something with the digest %s", got)
	}
	return nil
}

var challenge = lazyregexp.New(`(\w+)="([^"]*)"`)

// get asks for something; where a token is needed, it is got as the registry says.
func (r *registry) get(ctx context.Context, at string) (io.ReadCloser, error) {
	for try := 0; ; try++ {
		req, err := http.NewRequestWithContext(ctx, "GET", r.base+at, nil)
		if err != nil {
			return nil, err
		}
		req.Header.Set("Accept", "application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.v2+json, application/vnd.docker.distribution.manifest.list.v2+json, */*")
		if r.token != "" {
			req.Header.Set("Authorization", r.token)
		}
		resp, err := r.client.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode == http.StatusOK {
			return resp.Body, nil
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusUnauthorized || try > 0 {
			return nil, fmt.Errorf("the registry answers %s", resp.Status)
		}
		if err := r.login(ctx, resp.Header.Get("WWW-Authenticate")); err != nil {
			return nil, err
		}
	}
}

func (r *registry) login(ctx context.Context, header string) error {
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte(r.user+":"+r.password))
	if !strings.HasPrefix(strings.ToLower(header), "bearer ") {
		if r.user == "" {
			return errors.New("the registry wants a user; set OCI_USERNAME and OCI_PASSWORD, with k8s.SecretEnv")
		}
		r.token = basic
		return nil
	}
	says := url.Values{}
	for _, kv := range challenge.FindAllStringSubmatch(header, -1) {
		says.Set(kv[1], kv[2])
	}
	realm := says.Get("realm")
	says.Del("realm")
	at, err := url.Parse(realm)
	switch {
	case err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != "http":
		return fmt.Errorf("the registry names %q as its token server, which is not a URL", realm)
	case at.Scheme == "http" && strings.HasPrefix(r.base, "https://"):
		return fmt.Errorf("the registry is reached by https, and its token server is %s by http; nothing was sent there", at.Host)
	}
	req, err := http.NewRequestWithContext(ctx, "GET", realm+"?"+says.Encode(), nil)
	if err != nil {
		return err
	}
	if r.user != "" {
		req.Header.Set("Authorization", basic)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var t struct {
		Token  string `json:"token"`
		Access string `json:"access_token"`
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the registry's token server answers %s", resp.Status)
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, web.MaxError)).Decode(&t); err != nil {
		return fmt.Errorf("the registry's token server: %w", err)
	}
	r.token = "Bearer " + cmp.Or(t.Token, t.Access)
	return nil
}

// An unpacking is a folder that layers go to, one over the other.
type unpacking struct {
	to, only string
	files    int
	bytes    int64
}

// file writes a file with a name of its own.
func (u *unpacking) file(name string, from io.Reader) error {
	if !filepath.IsLocal(name) {
		return fmt.Errorf("a file that is called %q", name)
	}
	at := filepath.Join(u.to, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	f, err := os.Create(at)
	if err != nil {
		return err
	}
	n, err := io.Copy(f, from)
	u.files, u.bytes = u.files+1, u.bytes+n
	return cmp.Or(err, f.Close())
}

// tar unpacks a layer of an image: files and folders of the one that is wanted.
// Links are left out, since they lead to elsewhere in the image.
func (u *unpacking) tar(from io.Reader) error {
	t := tar.NewReader(from)
	for {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(path.Clean("/"+h.Name), "/")
		if u.only != "" {
			rest, ok := strings.CutPrefix(name, u.only+"/")
			if !ok {
				continue
			}
			name = rest
		}
		switch base := path.Base(name); {
		case strings.HasPrefix(base, ".wh."): // a later layer takes it away
			if gone := path.Join(path.Dir(name), strings.TrimPrefix(base, ".wh.")); filepath.IsLocal(gone) && gone != "." {
				if err := os.RemoveAll(filepath.Join(u.to, gone)); err != nil {
					return err
				}
			}
		case h.Typeflag == tar.TypeReg:
			if err := u.file(name, t); err != nil {
				return err
			}
		case h.Typeflag == tar.TypeSymlink || h.Typeflag == tar.TypeLink:
			fmt.Fprintf(os.Stderr, "%s is a link to %s, and left out\n", name, h.Linkname)
		}
	}
}
