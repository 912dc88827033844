package irdiff

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
)

var archived = regexp.MustCompile(`__KFP_EMBEDDED_ARCHIVE_B64 = '([A-Za-z0-9+/=]*)'`)

// archives replaces the archives of files in the source of Python steps by lists
// of what is in them: when a file was written and by whom makes no difference.
func archives(s string) string {
	return archived.ReplaceAllStringFunc(s, func(found string) string {
		files, err := list(archived.FindStringSubmatch(found)[1])
		if err != nil {
			return found
		}
		return "archive of " + strings.Join(files, ", ")
	})
}

// list returns the files of a base64 .tar.gz with hashes of their contents.
func list(text string) (files []string, err error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if err == io.EOF {
			slices.Sort(files)
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		hash := sha256.New()
		if _, err := io.Copy(hash, t); err != nil {
			return nil, err
		}
		files = append(files, fmt.Sprintf("%s %x", path.Clean(h.Name), hash.Sum(nil)))
	}
}
