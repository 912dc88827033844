package image

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// Requirements are what pip puts on a base image.
type Requirements struct {
	Base       string   // the image with Python
	Packages   []string // as pip takes them
	PipOptions []string // index URLs and trusted hosts
	Python     string   // the pip that resolves them runs in it; empty: python3
}

// packagesDir is where the packages are in the image: a folder of their own, which
// Python looks in first, wherever the base has its Python.
const packagesDir = "opt/kfpgo/packages"

// BuildPython makes an image of a base and requirements: pip chooses wheels for the
// base's Python and platform, and nothing is installed when a step runs. A package
// that has no wheel for them is an error; none is built here. The hashes of the wheels
// are those that were chosen, and stand in a label of the image, as requirements.
func BuildPython(ctx context.Context, r Requirements, p v1.Platform, o Options) (*Image, error) {
	if err := r.noCredentials(); err != nil {
		return nil, err
	}
	o.Base = r.Base
	base, kind, err := base(ctx, p, o)
	if err != nil {
		return nil, err
	}
	file, err := base.ConfigFile()
	if err != nil {
		return nil, fmt.Errorf("base image %s: %w", r.Base, err)
	}
	version, err := pythonVersion(r.Base, file)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "kfpgo-packages-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	chosen, err := r.install(ctx, dir, version, wheelPlatforms(r.Base, p))
	if err != nil {
		return nil, err
	}
	files, err := packageFiles(dir)
	if err != nil {
		return nil, err
	}
	packages, err := filesLayer(files, kind)
	if err != nil {
		return nil, err
	}
	img, err := mutate.Append(base, mutate.Addendum{Layer: packages, History: history(o, "pip install "+strings.Join(strings.Split(strings.TrimSpace(chosen.lock(false)), "\n"), " "))})
	if err != nil {
		return nil, err
	}
	img, err = configured(img, o, map[string]string{labelPackages: chosen.lock(false)}, func(file *v1.ConfigFile) {
		file.Config.Env = prepend(file.Config.Env, "PYTHONPATH", "/"+packagesDir, "")
		file.Config.Env = prepend(file.Config.Env, "PATH", "/"+packagesDir+"/bin", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
	})
	if err != nil {
		return nil, err
	}
	return measured(&Image{image: img, Unverified: r.unverified(chosen)}, img)
}

// prepend puts a folder in front of those of a variable.
func prepend(env []string, name, dir, unset string) []string {
	env = slices.Clone(env)
	for i, e := range env {
		if old, ok := strings.CutPrefix(e, name+"="); ok {
			env[i] = name + "=" + strings.TrimSuffix(dir+":"+old, ":")
			return env
		}
	}
	return append(env, name+"="+strings.TrimSuffix(dir+":"+unset, ":"))
}

var (
	fullVersion = lazyregexp.New(`^(3\.\d+)(\.|$)`)
	inReference = lazyregexp.New(`python:?-?(3\.\d+)`)
)

// pythonVersion returns the version of a base's Python, such as 3.12: the official
// images say it in a variable, others in their names.
func pythonVersion(ref string, c *v1.ConfigFile) (string, error) {
	for _, e := range c.Config.Env {
		if v, ok := strings.CutPrefix(e, "PYTHON_VERSION="); ok {
			if m := fullVersion.FindStringSubmatch(v); m != nil {
				return m[1], nil
			}
		}
	}
	if m := inReference.FindStringSubmatch(ref); m != nil {
		return m[1], nil
	}
	return "", fmt.Errorf("base image %s doesn't say which Python it has: neither its variable PYTHON_VERSION nor its name; use an image such as python:3.12-slim, or install the packages in an image of your own", ref)
}

// wheelPlatforms returns the tags of wheels that a base takes, the best first.
func wheelPlatforms(ref string, p v1.Platform) []string {
	arch := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[p.Architecture]
	names := []string{"manylinux_2_28", "manylinux_2_27", "manylinux_2_26", "manylinux_2_24", "manylinux_2_17", "manylinux2014", "manylinux_2_12", "manylinux2010", "manylinux_2_5", "manylinux1", "linux"}
	if strings.Contains(ref, "alpine") {
		names = []string{"musllinux_1_2", "musllinux_1_1", "linux"}
	}
	for i := range names {
		names[i] += "_" + arch
	}
	return names
}

// tail returns the last lines of what a command said.
func tail(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-8):], "\n")
}
