package pyrun

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"io"
	"path"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// What KFP's SDK 2.17 puts in a module with an embedded artifact or a notebook,
// with places for the archive and the notebook's name.
var (
	//go:embed py/sdk_files.py
	sdkFiles string
	//go:embed py/sdk_notebook.py
	sdkNotebook string
)

// helper returns what KFP's SDK puts in front of the source of a step with files.
func helper(p *program.Python) string {
	switch {
	case len(p.Files) == 0:
		return ""
	case p.Notebook != "":
		return strings.NewReplacer("{embedded_archive}", archive(p.Files), "{notebook}", p.Notebook).Replace(sdkNotebook)
	}
	return strings.Replace(sdkFiles, "{embedded_archive}", archive(p.Files), 1)
}

// archive packs files: base64 of a .tar.gz. It depends on nothing else.
func archive(files []graph.File) string {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	t := tar.NewWriter(z)
	for _, f := range files {
		// Writes to a buffer don't fail, and the names were checked.
		t.WriteHeader(&tar.Header{Name: f.Name, Size: int64(len(f.Data)), Mode: 0o644, ModTime: time.Unix(0, 0), Format: tar.FormatPAX})
		t.Write(f.Data)
	}
	t.Close()
	z.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// maxUnpacked bounds how much of an archive is read.
const maxUnpacked = 16 << 20

// unpack reads what archive wrote.
func unpack(text string) (files []graph.File, err error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	t := tar.NewReader(io.LimitReader(z, maxUnpacked))
	for {
		h, err := t.Next()
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		data, err := io.ReadAll(t)
		if err != nil {
			return nil, err
		}
		files = append(files, graph.File{Name: path.Clean(h.Name), Data: data})
	}
}
