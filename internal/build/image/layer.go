package image

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// certificates is where a Linux program looks first for the authorities to trust.
const certificates = "/etc/ssl/certs/ca-certificates.crt"

// systemLayer is what a static program expects of a system: certificates, a user
// with a home folder, and a folder for temporary files that anyone may write to
// (contracts: a step's /tmp is there).
func systemLayer(media types.MediaType) (v1.Layer, error) {
	return filesLayer([]file{
		{"etc/", 0o755, nil, 0},
		{"etc/passwd", 0o644, []byte("root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n"), 0},
		{"etc/group", 0o644, []byte("root:x:0:\nnonroot:x:65532:\n"), 0},
		{"etc/ssl/", 0o755, nil, 0},
		{"etc/ssl/certs/", 0o755, nil, 0},
		{certificates[1:], 0o644, roots(), 0},
		{"home/", 0o755, nil, 0},
		{"home/nonroot/", 0o700, nil, 65532},
		{"tmp/", 0o1777, nil, 0},
		// Where KFP's launcher has a step put its artifacts. KFP before 2.3 mounts nothing
		// there, and the step's user can't make folders in /.
		{"gcs/", 0o1777, nil, 0},
		{"minio/", 0o1777, nil, 0},
		{"s3/", 0o1777, nil, 0},
	}, media)
}

// roots returns the authorities of Mozilla's program, as the Go project publishes
// them. Those with a date after which they are not trusted are left out: a file of
// certificates can't say so.
func roots() []byte {
	var b bytes.Buffer
	for r := range bundle.Roots() {
		if r.Constraint == nil {
			pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: r.Certificate})
		}
	}
	return b.Bytes()
}

// programLayer is the program alone, so that it is all that a new version uploads.
func programLayer(file string, media types.MediaType) (v1.Layer, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	return layer(func() (io.ReadCloser, error) {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		r, w := io.Pipe()
		go func() {
			defer f.Close()
			t := tar.NewWriter(w)
			err := t.WriteHeader(&tar.Header{Name: Entrypoint[1:], Mode: 0o755, Size: info.Size(), ModTime: time.Unix(0, 0), Format: tar.FormatPAX})
			if err == nil {
				_, err = io.Copy(t, f)
			}
			if err == nil {
				err = t.Close()
			}
			if err != nil {
				err = fmt.Errorf("%s: %w", file, err)
			}
			w.CloseWithError(err)
		}()
		return r, nil
	}, media)
}

// layer compresses once and keeps the result: a digest, a size and an upload each
// ask for all of it.
func layer(open tarball.Opener, media types.MediaType) (v1.Layer, error) {
	return tarball.LayerFromOpener(open, tarball.WithMediaType(media), tarball.WithCompressionLevel(gzip.DefaultCompression), tarball.WithCompressedCaching)
}
