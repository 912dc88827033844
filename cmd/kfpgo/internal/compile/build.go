package compile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/internal/build/discover"
	"github.com/kfpgo/kfpgo/internal/build/image"
	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// A buildPlan says how to build the image of a package.
type buildPlan struct {
	options   image.Options
	platforms []string
	labels    []string
}

// flags adds those that say what is in the image.
func (p *buildPlan) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&p.options.Base, "base", "", "`IMAGE` to put the program on; default: none")
	f.StringSliceVar(&p.platforms, "platform", []string{"linux/amd64"}, "`OS/ARCH` to build for, linux/amd64 or linux/arm64; may be repeated")
	f.StringVar(&p.options.User, "user", image.DefaultUser, "`UID:GID` that the program runs as")
	f.StringArrayVar(&p.labels, "label", nil, "a label of the image, as `KEY=VALUE`; may be repeated")
	f.BoolVar(&p.options.Remote.Insecure, "insecure", false, "reach registries by plain HTTP; localhost is anyhow")
}

// build builds the programs of a package and the image of them.
func (p *buildPlan) build(cmd *cobra.Command, pattern string) (*image.Image, *discover.Package, error) {
	pattern, _, _ = strings.Cut(pattern, "#")
	o := p.options
	o.Labels = map[string]string{}
	for _, l := range p.labels {
		k, v, ok := strings.Cut(l, "=")
		if !ok || k == "" {
			return nil, nil, cli.Usagef(cmd, "--label is KEY=VALUE, not %q", l)
		}
		o.Labels[k] = v
	}
	for _, platform := range p.platforms {
		if platform != "linux/amd64" && platform != "linux/arm64" {
			return nil, nil, cli.Usagef(cmd, "--platform is linux/amd64 or linux/arm64, not %q", platform)
		}
	}
	tmp, err := os.MkdirTemp("", "kfpgo-image-*")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(tmp)
	programs, pkg, err := p.programs(cmd.Context(), pattern, tmp)
	if err != nil {
		return nil, nil, err
	}
	if _, ok := o.Labels["org.opencontainers.image.title"]; !ok {
		o.Labels["org.opencontainers.image.title"] = pkg.ImportPath
	}
	img, err := image.Build(cmd.Context(), programs, o)
	if err == nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "image of %s: %.1f MB\n", pkg.ImportPath, float64(img.Size())/1e6)
	}
	return img, pkg, err
}

// programs builds the program for each platform, all at once.
func (p *buildPlan) programs(ctx context.Context, pattern, dir string) ([]image.Program, *discover.Package, error) {
	programs := make([]image.Program, len(p.platforms))
	errs := make([]error, len(p.platforms))
	pkgs := make([]*discover.Package, len(p.platforms))
	var wg sync.WaitGroup
	for i, platform := range p.platforms {
		_, arch, _ := strings.Cut(platform, "/")
		programs[i] = image.Program{Platform: v1.Platform{OS: "linux", Architecture: arch}, File: filepath.Join(dir, arch)}
		wg.Go(func() { pkgs[i], errs[i] = discover.Static(ctx, ".", pattern, arch, programs[i].File) })
	}
	wg.Wait()
	for _, err := range errs { // the same mistake on each platform is one
		if err != nil {
			return nil, nil, err
		}
	}
	return programs, pkgs[0], nil
}

func newBuild() *cobra.Command {
	var plan buildPlan
	var push, tar, tag, layout string
	cmd := &cobra.Command{
		Use:   "build PACKAGE",
		Short: "Build the container image of a package with pipelines",
		Long: `Build builds the image that the Go steps of a package run in, without Docker: the
package's program, built for Linux, on a base image or from scratch. An image without a
base contains certificates, time zones, a user and /tmp, and nothing else. A package main
without pipelines is built as it is.

The image goes to a registry with --push, to a file for docker load and podman load
with --tar, or to a folder with --oci-layout. Build uses the credentials of docker login
and podman login. The same sources and the same Go version produce the same image.

Build prints the image's name with its digest. Compile with this name, since a tag can be
moved.`,
		Example: `  kfpgo build ./examples/calc --push registry.example.com/calc:1
  kfpgo build ./examples/calc --tar calc.tar && podman load -i calc.tar
  kfpgo build ./examples/mnist --base debian:12-slim --platform linux/amd64,linux/arm64 --push localhost:5000/mnist
  kfpgo compile ./examples/calc --image "$(kfpgo build ./examples/calc --push registry.example.com/calc:1)"`,
		Args: cli.Exactly(1, "PACKAGE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if push == "" && tar == "" && layout == "" {
				return cli.Usagef(cmd, "the image goes nowhere; give --push REF, --tar FILE or --oci-layout DIR")
			}
			img, pkg, err := plan.build(cmd, args[0])
			if err != nil {
				return err
			}
			name := img.Digest()
			if push != "" {
				if name, err = pushImage(cmd, img, push, plan.options.Remote); err != nil {
					return err
				}
			}
			if tar != "" {
				err = img.Tar(tar, cmp.Or(tag, path.Base(pkg.ImportPath)+":latest"))
			}
			if layout != "" {
				err = errors.Join(err, img.Layout(layout))
			}
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), name)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&push, "push", "", "upload to a registry as `REF`")
	f.StringVar(&tar, "tar", "", "write a `FILE` for docker load and podman load")
	f.StringVar(&tag, "tag", "", "with --tar: `NAME` that the image is loaded under; default: the package's name")
	f.StringVar(&layout, "oci-layout", "", "write a `DIR` in the OCI image layout")
	plan.flags(cmd)
	return cmd
}

// Images makes the images of a package, for --build, and pushes them to o.Image: that of
// its program, which o names by its digest then, and those of its Python components. A
// pipeline that can't be compiled is refused before anything is uploaded.
func Images(cmd *cobra.Command, p *input.Pipeline, target string, o *emit.Options) error {
	if o.Image == "" {
		return cli.Usagef(cmd, "--build needs --image REF, or KFPGO_IMAGE, to push to")
	}
	if _, err := emit.Emit(p.Program, target, *o); err != nil {
		return err
	}
	plan := buildPlan{platforms: []string{"linux/amd64"}}
	img, _, err := plan.build(cmd, p.Name)
	if err != nil {
		return err
	}
	if err := buildPython(cmd, p.Program, o.Image, plan.options.Remote); err != nil {
		return err
	}
	o.Image, err = pushImage(cmd, img, o.Image, plan.options.Remote)
	return err
}

// pushImage uploads an image, with progress on a terminal.
func pushImage(cmd *cobra.Command, img *image.Image, ref string, r image.Remote) (string, error) {
	if w := cli.Terminal(cmd.ErrOrStderr()); w != nil {
		last := -1
		r.Progress = func(p image.Progress) {
			if percent := int(p.Done * 100 / max(p.Total, 1)); percent != last {
				last = percent
				fmt.Fprintf(w, "\rpush %s: %d%% of %.1f MB\x1b[K", printable.Line(ref), percent, float64(p.Total)/1e6)
			}
		}
		defer fmt.Fprint(w, "\r\x1b[K")
	}
	return img.Push(cmd.Context(), ref, r)
}
