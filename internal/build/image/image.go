// Package image makes OCI images of Go programs, without Docker: a base image or
// none, a layer with what a static program expects of a system, and a layer with
// the program. The same input makes the same bytes.
package image

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Entrypoint is where the program is in the image.
const Entrypoint = "/app"

// DefaultUser is the user that the program runs as: nobody's, as in Google's
// distroless images.
const DefaultUser = "65532:65532"

// Options say what is in an image beside its programs.
type Options struct {
	Base   string // reference of the image to add to; empty: none
	User   string // as USER takes it; empty: DefaultUser
	Labels map[string]string
	Now    time.Time // when the image was made; zero: 1970, so that builds are the same
	Remote Remote    // for the base
}

// A Program is an executable for a platform, linux/amd64 or linux/arm64.
type Program struct {
	Platform v1.Platform
	File     string
}

// An Image is an image, or an index of one for each of several platforms.
type Image struct {
	image  v1.Image
	index  v1.ImageIndex
	digest v1.Hash
	size   int64

	// Unverified are packages of Python whose content nobody vouches for, with their host.
	Unverified []string
}

// Digest returns the digest of the manifest, sha256:...
func (i *Image) Digest() string { return i.digest.String() }

// Size returns the bytes of all layers, as a registry stores them.
func (i *Image) Size() int64 { return i.size }

// Build makes an image of a program, or an index of several.
func Build(ctx context.Context, programs []Program, o Options) (*Image, error) {
	if len(programs) == 0 {
		return nil, errors.New("an image needs a program")
	}
	var images []v1.Image
	for _, p := range programs {
		img, err := build(ctx, p, o)
		if err != nil {
			return nil, fmt.Errorf("image for %s: %w", &p.Platform, err)
		}
		images = append(images, img)
	}
	made := &Image{image: images[0]}
	if len(images) > 1 {
		made.image, made.index = nil, index(programs, images)
	}
	return measured(made, images...)
}

// measured adds up the layers of images and takes the digest of all.
func measured(made *Image, images ...v1.Image) (*Image, error) {
	for _, img := range images {
		layers, err := img.Layers()
		if err != nil {
			return nil, err
		}
		for _, l := range layers {
			n, err := l.Size()
			if err != nil {
				return nil, err
			}
			made.size += n
		}
	}
	var err error
	if made.digest, err = made.any().Digest(); err != nil {
		return nil, err
	}
	return made, nil
}

// any returns what both kinds have.
func (i *Image) any() interface{ Digest() (v1.Hash, error) } {
	if i.index != nil {
		return i.index
	}
	return i.image
}

func index(programs []Program, images []v1.Image) v1.ImageIndex {
	var all []mutate.IndexAddendum
	for n, img := range images {
		p := programs[n].Platform
		all = append(all, mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{Platform: &p}})
	}
	return mutate.AppendManifests(mutate.IndexMediaType(empty.Index, types.OCIImageIndex), all...)
}

func build(ctx context.Context, p Program, o Options) (v1.Image, error) {
	base, layer, err := base(ctx, p.Platform, o)
	if err != nil {
		return nil, err
	}
	program, err := programLayer(p.File, layer)
	if err != nil {
		return nil, err
	}
	adds := []mutate.Addendum{{Layer: program, History: history(o, "the pipeline's program")}}
	if o.Base == "" {
		system, err := systemLayer(layer)
		if err != nil {
			return nil, err
		}
		adds = slices.Insert(adds, 0, mutate.Addendum{Layer: system, History: history(o, "certificates, a user and /tmp")})
	}
	img, err := mutate.Append(base, adds...)
	if err != nil {
		return nil, err
	}
	return configured(img, o, o.Labels, func(file *v1.ConfigFile) {
		file.OS, file.Architecture, file.Variant = p.Platform.OS, p.Platform.Architecture, p.Platform.Variant
		c := &file.Config
		c.Entrypoint, c.Cmd, c.WorkingDir = []string{Entrypoint}, nil, "/"
		c.User = cmp.Or(o.User, DefaultUser)
		if o.Base == "" {
			// The usual places too: runtimes put programs there, such as nvidia-smi.
			c.Env = []string{"PATH=/:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/home/nonroot", "SSL_CERT_FILE=" + certificates}
		}
	})
}

// configured changes the configuration of an image, and adds labels to it.
func configured(img v1.Image, o Options, labels map[string]string, change func(*v1.ConfigFile)) (v1.Image, error) {
	file, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	file = file.DeepCopy()
	file.Created = v1.Time{Time: o.created()}
	if file.Config.Labels == nil && len(labels) > 0 {
		file.Config.Labels = map[string]string{}
	}
	maps.Copy(file.Config.Labels, labels)
	change(file)
	return mutate.ConfigFile(img, file)
}

// base returns the image to add to, and the type of the layers that it takes.
func base(ctx context.Context, p v1.Platform, o Options) (v1.Image, types.MediaType, error) {
	if o.Base == "" {
		img := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
		return img, types.OCILayer, nil
	}
	img, err := o.Remote.pull(ctx, o.Base, p)
	if err != nil {
		return nil, "", fmt.Errorf("base image: %w", err)
	}
	kind, err := img.MediaType()
	if err != nil {
		return nil, "", err
	}
	if kind == types.DockerManifestSchema2 {
		return img, types.DockerLayer, nil
	}
	return img, types.OCILayer, nil
}

func (o Options) created() time.Time {
	if o.Now.IsZero() {
		return time.Unix(0, 0).UTC()
	}
	return o.Now.UTC()
}

func history(o Options, what string) v1.History {
	return v1.History{CreatedBy: "kfpgo build", Comment: what, Created: v1.Time{Time: o.created()}}
}
