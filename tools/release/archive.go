package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A file is one of an archive.
type file struct {
	name string
	mode int64
	data []byte
}

// archive builds the command for a system, and writes its archive and its SBOM.
func (r *release) archive(system, tmp string, pages []file) error {
	goos, arch, _ := strings.Cut(system, "/")
	env := []string{"GOOS=" + goos, "GOARCH=" + arch}
	program := "kfpgo"
	if goos == "windows" {
		program += ".exe"
	}
	built := filepath.Join(tmp, program)
	if err := r.build(built, env); err != nil {
		return err
	}
	files := slices.Clone(pages)
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md"} {
		b, err := os.ReadFile(filepath.Join(r.tree, name))
		if err != nil {
			return err
		}
		files = append(files, file{name, 0o644, b})
	}
	binary, err := os.ReadFile(built)
	if err != nil {
		return err
	}
	licenses, err := r.licenses(env)
	if err != nil {
		return err
	}
	files = append(files, file{program, 0o755, binary}, file{"THIRD-PARTY-LICENSES.txt", 0o644, licenses})
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.name, b.name) })

	name := r.name(system)
	pack, end := tarball, ".tar.gz"
	if goos == "windows" {
		pack, end = zipped, ".zip"
	}
	var b bytes.Buffer
	if err := pack(&b, name, files, r.at); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.out, name+end), b.Bytes(), 0o644); err != nil {
		return err
	}
	// Without the number and the time that are new each time.
	_, err = output(tmp, r.sbom, "bin", "-json", "-std", "-noserial", "-notimestamp", "-version", r.version, "-output", filepath.Join(r.out, name+".cdx.json"), built)
	return err
}

func tarball(w io.Writer, dir string, files []file, at time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		head := &tar.Header{Name: path.Join(dir, f.name), Mode: f.mode, Size: int64(len(f.data)), ModTime: at, Format: tar.FormatPAX}
		if err := t.WriteHeader(head); err != nil {
			return err
		}
		if _, err := t.Write(f.data); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), z.Close())
}

func zipped(w io.Writer, dir string, files []file, at time.Time) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		head := &zip.FileHeader{Name: path.Join(dir, f.name), Method: zip.Deflate, Modified: at}
		head.SetMode(os.FileMode(f.mode))
		to, err := z.CreateHeader(head)
		if err != nil {
			return err
		}
		if _, err := to.Write(f.data); err != nil {
			return err
		}
	}
	return z.Close()
}

// checksums writes SHA256SUMS, which sha256sum -c reads.
func (r *release) checksums() error {
	entries, err := os.ReadDir(r.out) // sorted
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(b), e.Name())
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}
