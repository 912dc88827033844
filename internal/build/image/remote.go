package image

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/kfpgo/kfpgo/internal/net/web"
)

// A Remote says how to reach registries. Credentials are those of docker login
// and podman login, credential helpers included; localhost is reached by plain HTTP.
type Remote struct {
	Insecure bool              // plain HTTP elsewhere too
	Keychain authn.Keychain    // nil: what docker login and podman login have left
	Progress func(Progress)    // of uploads
	RT       http.RoundTripper // nil: one that gives up on a registry that is silent

	Silence time.Duration // that a registry may take to answer; zero: a minute
}

// silence is how long a registry may take to answer a request.
const silence = time.Minute

// Progress is how much of an upload is done, in bytes.
type Progress struct{ Done, Total int64 }

func (r Remote) options(ctx context.Context, of name.Reference) []remote.Option {
	keys := r.Keychain
	if keys == nil {
		keys = authn.DefaultKeychain
	}
	o := []remote.Option{remote.WithContext(ctx), remote.WithAuthFromKeychain(keys), remote.WithUserAgent("kfpgo")}
	rt := r.RT
	if rt == nil {
		t := remote.DefaultTransport.(*http.Transport).Clone()
		t.ResponseHeaderTimeout = cmp.Or(r.Silence, silence)
		rt = t
	}
	if of.Context().Scheme() == "https" { // a token server or a redirect is reached by it too
		rt = web.Encrypted(rt)
	}
	return append(o, remote.WithTransport(rt))
}

func (r Remote) parse(ref string) (name.Reference, error) {
	o := []name.Option{name.WeakValidation}
	if r.Insecure {
		o = append(o, name.Insecure)
	}
	parsed, err := name.ParseReference(ref, o...)
	if err != nil {
		return nil, fmt.Errorf("%q is not the reference of an image, such as registry.example.com/team/mnist:1: %w", ref, err)
	}
	return parsed, nil
}

func (r Remote) pull(ctx context.Context, ref string, p v1.Platform) (v1.Image, error) {
	parsed, err := r.parse(ref)
	if err != nil {
		return nil, err
	}
	d, err := remote.Get(parsed, r.options(ctx, parsed)...)
	if err != nil {
		return nil, explain("pull", parsed, err)
	}
	img, err := d.Image()
	if d.MediaType.IsIndex() {
		img, err = pick(d, p)
	}
	if err != nil {
		return nil, explain("pull", parsed, err)
	}
	c, err := img.ConfigFile()
	if err != nil {
		return nil, explain("pull", parsed, err)
	}
	if c.OS != p.OS || c.Architecture != p.Architecture {
		return nil, fmt.Errorf("%s is for %s/%s; name a base for %s, or build for that with --platform", parsed, c.OS, c.Architecture, &p)
	}
	return img, nil
}

// pick returns the image of an index for a platform.
func pick(d *remote.Descriptor, p v1.Platform) (v1.Image, error) {
	index, err := d.ImageIndex()
	if err != nil {
		return nil, err
	}
	m, err := index.IndexManifest()
	if err != nil {
		return nil, err
	}
	for _, one := range m.Manifests {
		if q := one.Platform; q != nil && q.OS == p.OS && q.Architecture == p.Architecture {
			return index.Image(one.Digest)
		}
	}
	return nil, fmt.Errorf("it has no image for %s", &p)
}

// Push uploads the image and returns its reference with the digest, which is what
// a pipeline should name: a tag may move.
func (i *Image) Push(ctx context.Context, ref string, r Remote) (pinned string, err error) {
	parsed, err := r.parse(ref)
	if err != nil {
		return "", err
	}
	if _, fixed := parsed.(name.Digest); fixed {
		return "", fmt.Errorf("%s names a digest; push to a tag, such as %s:1", ref, parsed.Context())
	}
	options := r.options(ctx, parsed)
	if r.Progress != nil {
		updates := make(chan v1.Update, 100)
		options = append(options, remote.WithProgress(updates))
		seen := make(chan struct{})
		go func() {
			defer close(seen)
			for u := range updates {
				if u.Error == nil {
					r.Progress(Progress{u.Complete, u.Total})
				}
			}
		}()
		defer func() { <-seen }()
	}
	if i.index != nil {
		err = remote.WriteIndex(parsed, i.index, options...)
	} else {
		err = remote.Write(parsed, i.image, options...)
	}
	if err != nil {
		return "", explain("push to", parsed, err)
	}
	return parsed.Context().Digest(i.Digest()).String(), nil
}

// explain says what to do about what registries and networks say.
func explain(verb string, ref name.Reference, err error) error {
	registry := ref.Context().RegistryStr()
	var refused *transport.Error
	var lookup *net.DNSError
	var dial *net.OpError
	hint := ""
	switch {
	case strings.Contains(err.Error(), "timeout awaiting response headers"): // net/http has no name for it, and says that it is a deadline
		hint = fmt.Sprintf("; %s takes connections and doesn't answer", registry)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &refused) && refused.StatusCode == http.StatusUnauthorized:
		hint = fmt.Sprintf("; log in first: docker login %s", registry)
	case errors.As(err, &refused) && refused.StatusCode == http.StatusForbidden:
		hint = "; the account that is logged in may not do that"
	case errors.As(err, &refused) && refused.StatusCode == http.StatusNotFound:
		hint = "; there is no such repository or tag"
	case errors.As(err, &refused) && refused.StatusCode >= http.StatusInternalServerError:
		hint = "; the registry is out of order: try again later"
	case errors.As(err, &lookup):
		hint = fmt.Sprintf("; is %s the registry's name?", registry)
	case errors.As(err, &dial):
		hint = fmt.Sprintf("; nothing answers at %s", registry)
	}
	return fmt.Errorf("%s %s: %w%s", verb, ref, err, hint)
}
