package pyrun_test

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/target/pyrun"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

// TestPacked: the packed files hold the Python files; -update packs them.
func TestPacked(t *testing.T) {
	for file, sources := range map[string][]string{
		"runtime.packed":  {"artifacts", "dsl", "step", "main"},
		"notebook.packed": {"notebook"},
	} {
		var want bytes.Buffer
		for _, s := range sources {
			b, err := os.ReadFile("py/" + s + ".py")
			if err != nil {
				t.Fatal(err)
			}
			want.Write(b)
		}
		if golden.Update() && !bytes.Equal(unpacked(t, file), want.Bytes()) {
			var z bytes.Buffer
			w, _ := zlib.NewWriterLevel(&z, zlib.BestCompression)
			w.Write(want.Bytes())
			w.Close()
			text, lines := base64.StdEncoding.EncodeToString(z.Bytes()), ""
			for ; len(text) > 160; text = text[160:] {
				lines += text[:160] + "\n"
			}
			if err := os.WriteFile(file, []byte(lines+text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(unpacked(t, file), want.Bytes()) {
			t.Errorf("%s isn't what is in py/; run go test ./internal/target/pyrun -update, and build again", file)
		}
	}
}

func unpacked(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	z, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(string(b), "\n", ""))
	if err != nil || len(z) == 0 {
		return nil
	}
	r, err := zlib.NewReader(bytes.NewReader(z))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestSyntax holds the runtime to the grammar of Python 3.6, and the part that
// says that a Python is too old to that of 3.4, the oldest that can be asked for.
func TestSyntax(t *testing.T) {
	files, err := filepath.Glob("py/*.py")
	if err != nil || len(files) < 5 {
		t.Fatalf("%q, %v", files, err)
	}
	const check = "import ast, sys\nfor f in sys.argv[1:]:\n    ast.parse(open(f).read(), f, feature_version=(3, 6 if 'sdk_' in f or 'notebook' in f else 4))"
	if out, err := exec.Command("python3", append([]string{"-c", check}, files...)...).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	// What feature_version lets pass: newer library calls, without a check for them.
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, newer := range []string{"removeprefix", "removesuffix", "capture_output", "text=True", "asyncio.run(", "missing_ok", "dirs_exist_ok", "functools.cache", "dataclass", ":="} {
			if strings.Contains(string(b), newer) {
				t.Errorf("%s: %s isn't in Python 3.6", f, newer)
			}
		}
	}
}

// TestTooOld: a Python below 3.6 says so.
func TestTooOld(t *testing.T) {
	step := append(pyrun.Command(), pyrun.Args(component("add", "sum"), `{"outputs":{}}`, true)...)
	step[2] = "import sys; sys.version_info, sys.version = (3, 5, 9), '3.5.9 (default)'\n" + step[2]
	out, err := exec.Command(step[0], step[1:]...).CombinedOutput()
	if want := "add: the image has Python 3.5.9; steps need 3.6 or later\n"; err == nil || string(out) != want {
		t.Errorf("got %s, %v; want %s", out, err, want)
	}
}
