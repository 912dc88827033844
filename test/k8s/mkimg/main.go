// Command mkimg makes an image of files of this machine, as a tar file that
// containerd imports, with no base image and no registry.
//
//	mkimg -o FILE -t NAME:TAG [-entrypoint PROGRAM] [-user UID] FROM=TO...
//
// The word applets in place of FROM is links for all commands of busybox, and python
// is this machine's Python, with a link to it.
package main

import (
	"archive/tar"
	"bytes"
	"flag"
	"io"
	"log"
	"os"
	"os/exec"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

func main() {
	out := flag.String("o", "", "`FILE` to write")
	tag := flag.String("t", "", "`NAME:TAG` of the image")
	entrypoint := flag.String("entrypoint", "", "")
	user := flag.String("user", "", "")
	flag.Parse()
	if err := run(*out, *tag, *entrypoint, *user, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

func run(out, tag, entrypoint, user string, files []string) error {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.WriteHeader(&tar.Header{Name: "tmp/", Typeflag: tar.TypeDir, Mode: 0o1777}); err != nil {
		return err
	}
	if err := add(w, "etc/passwd", []byte("root:x:0:0:root:/root:/bin/sh\n"), 0o644); err != nil {
		return err
	}
	for _, f := range files {
		from, to, _ := strings.Cut(f, "=")
		if make, ok := map[string]func(*tar.Writer, string) error{"applets": applets, "python": python}[from]; ok {
			if err := make(w, to); err != nil {
				return err
			}
			continue
		}
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := add(w, strings.TrimPrefix(to, "/"), text, 0o755); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil })
	if err != nil {
		return err
	}
	img, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return err
	}
	c, err := img.ConfigFile()
	if err != nil {
		return err
	}
	c = c.DeepCopy()
	c.OS, c.Architecture = "linux", "amd64"
	c.Config = v1.Config{Env: []string{"PATH=/bin"}, User: user}
	if entrypoint != "" {
		c.Config.Entrypoint = []string{entrypoint}
	}
	if img, err = mutate.ConfigFile(img, c); err != nil {
		return err
	}
	ref, err := name.NewTag(tag)
	if err != nil {
		return err
	}
	return tarball.WriteToFile(out, ref, img)
}

func add(w *tar.Writer, name string, text []byte, mode int64) error {
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: mode, Size: int64(len(text))}); err != nil {
		return err
	}
	_, err := w.Write(text)
	return err
}

func applets(w *tar.Writer, dir string) error {
	out, err := exec.Command("busybox", "--list").Output()
	if err != nil {
		return err
	}
	for a := range strings.FieldsSeq(string(out)) {
		if a == "busybox" {
			continue
		}
		h := &tar.Header{Name: strings.TrimPrefix(dir, "/") + "/" + a, Typeflag: tar.TypeSymlink, Linkname: "busybox", Mode: 0o777}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
	}
	return nil
}
