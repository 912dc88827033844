package digits

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
)

// mount makes a new folder stand for a volume.
func mount(t *testing.T, path string) string {
	t.Helper()
	dir := t.TempDir()
	b, err := json.Marshal(map[string]string{path: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("KFPGO_MOUNTS", string(b))
	return dir
}

// small is MNIST with few images that are easy to tell apart: the label is
// where the bright rows are.
func small(images, labels int) map[string][]byte {
	r := rand.New(rand.NewPCG(1, 1))
	set := func(n int) (im, la []byte) {
		im = binary.BigEndian.AppendUint32([]byte{0, 0, 8, 3}, uint32(n))
		im = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(im, side), side)
		la = binary.BigEndian.AppendUint32([]byte{0, 0, 8, 1}, uint32(n))
		for i := range n {
			image := make([]byte, pixels)
			for j := range 2 * side {
				image[(i%classes)*2*side+j] = byte(128 + r.IntN(128))
			}
			im, la = append(im, image...), append(la, byte(i%classes))
		}
		return im, la
	}
	files := map[string][]byte{}
	files[trainImages], files[trainLabels] = set(images)
	files[testImages], files[testLabels] = set(labels)
	return files
}

// manifest lists files as the download does.
func manifest(source string, files map[string][]byte) Manifest {
	m := Manifest{Source: source}
	for _, name := range []string{trainImages, trainLabels, testImages, testLabels} {
		m.Files = append(m.Files, File{name, int64(len(files[name])), fmt.Sprintf("%x", sha256.Sum256(files[name]))})
	}
	return m
}

// packed writes the files to a folder as a mirror has them.
func packed(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		write(t, filepath.Join(dir, name+".gz"), zipped(content))
	}
	return dir
}

func zipped(content []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(content)
	z.Close()
	return b.Bytes()
}

func write(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.WriteFile(file, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// smallData puts small into a volume, and returns its folder and its manifest
// as an artifact.
func smallData(t *testing.T) (dir string, data dsl.Dataset) {
	t.Helper()
	files := small(300, 50)
	dir = mount(t, dataPath)
	m := manifest(packed(t, files), files)
	if err := fetch(context.Background(), m, dir); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "data")
	write(t, file, b)
	return dir, dsl.File[dsl.Dataset](file)
}
