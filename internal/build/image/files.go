package image

import (
	"archive/tar"
	"bytes"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// A file of a layer. A name that ends in / is a folder's.
type file struct {
	name string
	mode int64
	text []byte
	uid  int // of the owner and its group
}

// packageFiles returns what pip put into a folder, as it belongs into an image:
// sorted, without what is of this machine.
func packageFiles(dir string) ([]file, error) {
	files := []file{{name: "opt/", mode: 0o755}, {name: "opt/kfpgo/", mode: 0o755}, {name: packagesDir + "/", mode: 0o755}}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		name := packagesDir + "/" + filepath.ToSlash(rel)
		switch {
		case d.IsDir() && d.Name() == "__pycache__":
			return filepath.SkipDir
		case d.IsDir():
			files = append(files, file{name: name + "/", mode: 0o755})
			return nil
		}
		info, err := os.Stat(p) // pip makes no links, but a wheel's script may be one
		if err != nil {
			return err
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		mode := int64(0o644)
		if info.Mode()&0o111 != 0 {
			mode = 0o755
		}
		files = append(files, file{name, mode, portable(name, text), 0})
		return nil
	})
	return files, err
}

// portable takes this machine's Python out of scripts, and out of the lists that
// hold their hashes.
func portable(name string, text []byte) []byte {
	switch {
	case path.Dir(name) == packagesDir+"/bin" && bytes.HasPrefix(text, []byte("#!")):
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if bytes.Contains(line, []byte("python")) {
			return append([]byte("#!/usr/bin/env python3\n"), rest...)
		}
	case path.Base(name) == "RECORD" && strings.HasSuffix(path.Dir(name), ".dist-info"):
		var kept []byte
		for line := range bytes.Lines(text) {
			if !bytes.HasPrefix(line, []byte("../../bin/")) && !bytes.HasPrefix(line, []byte("bin/")) {
				kept = append(kept, line...)
			}
		}
		return kept
	}
	return text
}

// filesLayer is a layer of files that root owns.
func filesLayer(files []file, media types.MediaType) (v1.Layer, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: f.mode, Uid: f.uid, Gid: f.uid, Size: int64(len(f.text)), ModTime: time.Unix(0, 0), Format: tar.FormatPAX}
		if strings.HasSuffix(f.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return layer(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil }, media)
}
