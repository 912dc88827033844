//go:build slow

package calc_test

import (
	"archive/tar"
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/examples/calc"
)

// TestPython runs the pipeline with Python steps, one of which has numpy.
func TestPython(t *testing.T) { check(t, calc.PythonPipeline) }

// TestContainer runs the pipeline with steps in containers. Where the image is
// missing it is made of the machine's own busybox, so that no registry is asked.
func TestContainer(t *testing.T) {
	const image = "docker.io/library/busybox:1.36" // what busybox:1.36 is short for
	if exec.Command("podman", "image", "exists", image).Run() != nil {
		importBusybox(t, image)
	}
	check(t, calc.ContainerPipeline)
}

func importBusybox(t *testing.T, image string) {
	t.Helper()
	path, err := exec.LookPath("busybox")
	if err != nil {
		t.Fatalf("%v; install a static busybox (Debian's busybox-static), or pull %s", err, image)
	}
	program, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	list, err := exec.Command(path, "--list").Output()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	add := func(h tar.Header, content []byte) {
		h.Size = int64(len(content))
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	add(tar.Header{Name: "tmp/", Typeflag: tar.TypeDir, Mode: 0o1777}, nil)
	add(tar.Header{Name: "bin/busybox", Mode: 0o755}, program)
	for name := range strings.FieldsSeq(string(list)) {
		if name != "busybox" {
			add(tar.Header{Name: "bin/" + name, Typeflag: tar.TypeSymlink, Linkname: "busybox", Mode: 0o777}, nil)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("podman", "import", "-", image)
	cmd.Stdin = &b
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("podman import: %v\n%s", err, out)
	}
}
