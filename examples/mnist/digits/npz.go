package digits

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// npzArrays are the arrays of Keras' mnist.npz, by the file with the same data.
var npzArrays = map[string]string{
	trainImages: "x_train.npy", trainLabels: "y_train.npy",
	testImages: "x_test.npy", testLabels: "y_test.npy",
}

// fetchNPZ puts the files of a manifest into the folder, out of one archive.
func fetchNPZ(ctx context.Context, m Manifest, dir string) error {
	return retry(ctx, func() error {
		archive := filepath.Join(dir, "mnist.npz.part")
		defer os.Remove(archive)
		if err := saveAs(ctx, m.Source, archive); err != nil {
			return err
		}
		z, err := zip.OpenReader(archive)
		if err != nil {
			return fmt.Errorf("%s is not an npz file, or a truncated one: %w", m.Source, err)
		}
		defer z.Close()
		for _, f := range m.Files {
			r, err := z.Open(npzArrays[f.Name])
			if err != nil {
				return fmt.Errorf("%s has no %s", m.Source, npzArrays[f.Name])
			}
			defer r.Close()
			idx, err := npyToIDX(bufio.NewReader(r))
			if err != nil {
				return fmt.Errorf("%s: %s: %w", m.Source, npzArrays[f.Name], err)
			}
			if err := f.save(idx, dir); err != nil {
				return fmt.Errorf("%s: %w", m.Source, err)
			}
		}
		return nil
	})
}

func saveAs(ctx context.Context, source, file string) error {
	r, err := open(ctx, source, "")
	if err != nil {
		return err
	}
	defer r.Close()
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}

var npyHeader = regexp.MustCompile(`'descr': *'([^']*)', *'fortran_order': *(True|False), *'shape': *\(([0-9, ]*)\)`)

// npyToIDX returns an array of bytes as an IDX file, from NumPy's format: a
// magic, a version, the length of a header, the header as a Python literal, and
// the data.
func npyToIDX(r io.Reader) (io.Reader, error) {
	var start struct {
		Magic        [6]byte
		Major, Minor byte
		Length       uint16
	}
	if err := binary.Read(r, binary.LittleEndian, &start); err != nil {
		return nil, err
	}
	if string(start.Magic[:]) != "\x93NUMPY" || start.Major != 1 {
		return nil, errors.New("not an npy file of version 1")
	}
	header := make([]byte, start.Length)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, err
	}
	match := npyHeader.FindSubmatch(header)
	if match == nil || string(match[1]) != "|u1" || string(match[2]) != "False" {
		return nil, fmt.Errorf("not an array of bytes in C order: %s", bytes.TrimSpace(header))
	}
	var sizes []byte
	for dim := range strings.SplitSeq(string(match[3]), ",") {
		if dim = strings.TrimSpace(dim); dim == "" {
			continue
		}
		n, err := strconv.ParseUint(dim, 10, 32)
		if err != nil {
			return nil, err
		}
		sizes = binary.BigEndian.AppendUint32(sizes, uint32(n))
	}
	idx := append([]byte{0, 0, 8, byte(len(sizes) / 4)}, sizes...)
	return io.MultiReader(bytes.NewReader(idx), r), nil
}
