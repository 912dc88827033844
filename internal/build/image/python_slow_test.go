//go:build slow

package image_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/kfpgo/kfpgo/internal/build/image"
)

// TestPython takes real packages from the index: one in Python alone, and one with
// a part for the base's Python and platform, whichever this machine has.
func TestPython(t *testing.T) {
	if out, err := exec.Command("python3", "-m", "pip", "--version").CombinedOutput(); err != nil {
		t.Fatalf("slow tests need pip: %v %s", err, out)
	}
	host := server(t)
	c, err := empty.Image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	c = c.DeepCopy()
	c.OS, c.Architecture, c.Config.Env = "linux", "arm64", []string{"PATH=/usr/local/bin", "PYTHON_VERSION=3.12.4"}
	base, err := mutate.ConfigFile(empty.Image, c)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := name.ParseReference(host + "/python:3")
	if err != nil {
		t.Fatal(err)
	}
	if err := remote.Write(ref, base); err != nil {
		t.Fatal(err)
	}
	var digests []string
	for range 2 {
		img, err := image.BuildPython(t.Context(), image.Requirements{Base: host + "/python:3", Packages: []string{"six==1.16.0", "markupsafe==2.1.5"}}, arm64, image.Options{})
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, img.Digest())
		pushed, err := img.Push(t.Context(), host+"/calc:python", image.Remote{})
		if err != nil {
			t.Fatal(err)
		}
		got := pull(t, pushed)
		all := files(t, got)
		if all["opt/kfpgo/packages/six.py"] == nil || all["opt/kfpgo/packages/markupsafe/_speedups.cpython-312-aarch64-linux-gnu.so"] == nil {
			t.Errorf("files %v", all)
		}
		conf, err := got.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if env := strings.Join(conf.Config.Env, " "); env != "PATH=/opt/kfpgo/packages/bin:/usr/local/bin PYTHON_VERSION=3.12.4 PYTHONPATH=/opt/kfpgo/packages" {
			t.Error(env)
		}
	}
	if digests[0] != digests[1] {
		t.Error(digests)
	}
	_, err = image.BuildPython(t.Context(), image.Requirements{Base: host + "/python:3", Packages: []string{"six==99"}}, arm64, image.Options{})
	if err == nil || !bytes.Contains([]byte(err.Error()), []byte("pip found no wheels of six==99 for Python 3.12 on manylinux_2_28_aarch64")) {
		t.Error(err)
	}
	_, err = image.BuildPython(t.Context(), image.Requirements{Base: host + "/python:3", Packages: []string{"six==1.16.0"}}, amd64, image.Options{})
	if err == nil || !strings.Contains(err.Error(), "is for linux/arm64") {
		t.Error(err)
	}
}
