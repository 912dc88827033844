//go:build slow

package image_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kfpgo/kfpgo/internal/build/image"
)

// wheelOf makes a wheel of the package own, version 1, in Python alone.
func wheelOf(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range [][2]string{
		{"own.py", text},
		{"own-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: own\nVersion: 1\n"},
		{"own-1.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
		{"own-1.dist-info/RECORD", "own.py,,\nown-1.dist-info/METADATA,,\nown-1.dist-info/WHEEL,,\nown-1.dist-info/RECORD,,\n"},
	} {
		w, err := z.Create(f[0])
		if err == nil {
			_, err = w.Write([]byte(f[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestHashesOfPip: pip itself refuses a wheel that isn't what the requirements, the index
// or the first look say.
func TestHashesOfPip(t *testing.T) {
	t.Setenv("PIP_NO_CACHE_DIR", "1")
	t.Setenv("PIP_CONFIG_FILE", "/dev/null")
	good, evil := wheelOf(t, "x = 1\n"), wheelOf(t, "x = 'evil'\n")
	sum := fmt.Sprintf("%x", sha256.Sum256(good))
	for _, tt := range []struct {
		name, requirement, published string
		serve                        func(n int32) []byte // the nth download of the wheel
		want                         string               // in the error
	}{
		{"published", "own", "#sha256=" + sum, func(int32) []byte { return good }, ""},
		{"not published", "own", "", func(int32) []byte { return good }, ""},
		{"given", "own==1 --hash=sha256:" + sum, "", func(int32) []byte { return good }, ""},
		{"given and wrong", "own==1 --hash=sha256:" + strings.Repeat("0", 64), "", func(int32) []byte { return good }, "HASHES"},
		{"published and wrong", "own", "#sha256=" + sum, func(int32) []byte { return evil }, "HASHES"},
		{"changed between the looks", "own", "", func(n int32) []byte { return map[bool][]byte{true: good, false: evil}[n == 1] }, "HASHES"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var n atomic.Int32
			index := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/simple/own/":
					w.Header().Set("Content-Type", "text/html")
					fmt.Fprintf(w, `<!DOCTYPE html><html><body><a href="/own-1-py3-none-any.whl%s">own-1-py3-none-any.whl</a></body></html>`, tt.published)
				case "/own-1-py3-none-any.whl":
					b := tt.serve(n.Add(1))
					w.Write(b)
				default:
					w.WriteHeader(http.StatusNotFound)
				}
			}))
			defer index.Close()
			img, err := image.BuildPython(t.Context(), image.Requirements{Base: pythonBase(t), Packages: []string{tt.requirement}, PipOptions: []string{"--index-url", index.URL + "/simple"}}, amd64, image.Options{})
			if tt.want != "" {
				if err == nil || !strings.Contains(strings.ToUpper(err.Error()), tt.want) {
					t.Errorf("got %v, want %s", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			ref, err := img.Push(t.Context(), server(t)+"/own:1", image.Remote{})
			if err != nil {
				t.Fatal(err)
			}
			conf, err := pull(t, ref).ConfigFile()
			if err != nil || conf.Config.Labels["kfpgo.packages"] != "own==1 --hash=sha256:"+sum+"\n" {
				t.Errorf("labels %v, %v", conf.Config.Labels, err)
			}
		})
	}
}
