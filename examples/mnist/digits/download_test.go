package digits

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFetch takes the same files from every kind of source.
func TestFetch(t *testing.T) {
	files := small(20, 10)
	folder, unpacked := packed(t, files), t.TempDir()
	for name, content := range files {
		write(t, filepath.Join(unpacked, name), content)
	}
	write(t, filepath.Join(folder, "mnist.npz"), npz(t, files))
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer server.Close()
	for _, source := range []string{
		folder, "file://" + folder, server.URL, server.URL + "/", unpacked,
		folder + "/mnist.npz", "file://" + folder + "/mnist.npz", server.URL + "/mnist.npz",
	} {
		dir := t.TempDir()
		if err := fetch(t.Context(), manifest(source, files), dir); err != nil {
			t.Error(err)
			continue
		}
		for name, want := range files {
			if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %s differs, %v", source, name, err)
			}
		}
		if left, err := filepath.Glob(dir + "/*.part"); len(left) > 0 || err != nil {
			t.Errorf("%s left %v, %v", source, left, err)
		}
	}
}

// TestFetchWrong says what is wrong with what was fetched, and leaves nothing.
func TestFetchWrong(t *testing.T) {
	files := small(20, 10)
	images := files[trainImages]
	other := bytes.Clone(images)
	other[100]++
	name := trainImages + ".gz"
	archive := npz(t, files)
	for _, test := range []struct {
		name, file string
		content    []byte
		want       string
	}{
		{"cut", name, zipped(images)[:500], trainImages + " is truncated: "},
		{"short", name, zipped(images[:1000]), "is truncated: 1000 of 15696 bytes"},
		{"long", name, zipped(append(bytes.Clone(images), 0)), "is not MNIST's: it has more than 15696 bytes"},
		{"changed", name, zipped(other), "is not MNIST's: its SHA-256 is "},
		{"page", name, []byte("<html>not found</html>"), "is not a gzip file"},
		{"empty", name, nil, "is not a gzip file, or a truncated one"},
		{"none", "other", nil, "no such file"},
		{"cut npz", "mnist.npz", archive[:len(archive)/2], "is not an npz file, or a truncated one"},
		{"other npz", "mnist.npz", npz(t, small(21, 10)), "is not MNIST's"},
		{"less npz", "mnist.npz", npz(t, map[string][]byte{trainImages: images}), "has no y_train.npy"},
	} {
		folder, dir := t.TempDir(), t.TempDir()
		write(t, filepath.Join(folder, test.file), test.content)
		source := folder
		if test.file == "mnist.npz" {
			source += "/mnist.npz"
		}
		err := fetch(t.Context(), manifest(source, files), dir)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
		if left, _ := filepath.Glob(dir + "/*images*"); strings.HasSuffix(test.file, ".gz") && len(left) > 0 {
			t.Errorf("%s: left %v", test.name, left)
		}
	}
}

// TestFetchAgain has a server that breaks off twice, and one that never works.
func TestFetchAgain(t *testing.T) {
	files := small(20, 10)
	folder := http.FileServer(http.Dir(packed(t, files)))
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch asked++; asked {
		case 1:
			http.Error(w, "busy", http.StatusServiceUnavailable)
		case 2:
			w.Header().Set("Content-Length", "5000")
			w.Write(zipped(files[trainImages])[:500])
		default:
			folder.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	if err := fetch(t.Context(), manifest(server.URL, files), t.TempDir()); err != nil {
		t.Error(err)
	}
	if want := 2 + len(files); asked != want {
		t.Errorf("%d requests, want %d", asked, want)
	}
	asked = 0
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Error(w, "busy", http.StatusServiceUnavailable)
	}))
	defer broken.Close()
	err := fetch(t.Context(), manifest(broken.URL, files), t.TempDir())
	if want := "503 Service Unavailable"; err == nil || !strings.Contains(err.Error(), want) || asked != tries {
		t.Errorf("got %v after %d requests, want %q after %d", err, asked, want, tries)
	}
}

// npz returns the files as NumPy saves arrays.
func npz(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range files {
		w, err := z.Create(npzArrays[name])
		if err != nil {
			t.Fatal(err)
		}
		n, shape, data := binary.BigEndian.Uint32(content[4:]), "(%d,)", content[8:]
		if strings.Contains(name, "images") {
			shape, data = "(%d, 28, 28)", content[16:]
		}
		header := fmt.Sprintf("{'descr': '|u1', 'fortran_order': False, 'shape': "+shape+", }", n)
		header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
		w.Write([]byte("\x93NUMPY\x01\x00"))
		binary.Write(w, binary.LittleEndian, uint16(len(header)))
		w.Write([]byte(header))
		w.Write(data)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
