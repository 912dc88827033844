package graphviz

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestModule: what is kept here is go-graphviz' module, byte for byte.
func TestModule(t *testing.T) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	if _, err := io.Copy(h, z); err != nil {
		t.Fatal(err)
	}
	const want = "7cc5b0a5f176aeaa69760ed5dc3282ceda2b1b04229b22de77bb0a5eab45578e" // of v0.2.10
	if got := fmt.Sprintf("%x", h.Sum(nil)); got != want {
		t.Errorf("the module's SHA-256 is %s, want %s", got, want)
	}
}

// TestCache starts Graphviz in a process of its own, which must keep compiled code
// in the user's cache, and nothing where others could write.
func TestCache(t *testing.T) {
	if os.Getenv("GRAPHVIZ_TEST") != "" {
		if _, err := Layout(t.Context(), "digraph { a -> b }"); err != nil {
			t.Error(err)
		}
		return
	}
	home, tmp := t.TempDir(), t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestCache$")
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "TMPDIR="+tmp, "GRAPHVIZ_TEST=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("%v is in the folder for temporary files, %v", left, err)
	}
	dir := filepath.Join(home, "kfpgo", "graphviz")
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the cache: %v, %v", info, err)
	}
	if kept, err := filepath.Glob(filepath.Join(dir, "*", "*")); err != nil || len(kept) == 0 {
		t.Errorf("nothing is kept in the user's cache, %v", err)
	}
}

// TestLayout lays out graphs one after the other.
func TestLayout(t *testing.T) {
	for n := 1; n < 200; n += 50 {
		var dot strings.Builder
		dot.WriteString("digraph {\n")
		for i := range n {
			fmt.Fprintf(&dot, "n%d -> n%d\n", i, i+1)
		}
		dot.WriteString("}\n")
		b, err := Layout(t.Context(), dot.String())
		if err != nil {
			t.Fatal(err)
		}
		var g struct {
			BB      string
			Objects []struct{ Name, Pos string }
			Edges   []struct{ Pos string }
		}
		if err := json.Unmarshal(b, &g); err != nil || len(g.Objects) != n+1 || len(g.Edges) != n || g.Objects[n].Pos == "" || g.Edges[n-1].Pos == "" {
			t.Errorf("%d: %v, %s", n, err, b)
		}
	}
}

// TestMistakes are errors, after which there are layouts again.
func TestMistakes(t *testing.T) {
	for _, dot := range []string{"", "digraph {", "not a graph", "digraph { a -> }"} {
		if b, err := Layout(t.Context(), dot); err == nil {
			t.Errorf("%q: %s", dot, b)
		}
	}
	if _, err := Layout(t.Context(), "digraph { a -> b }"); err != nil {
		t.Error(err)
	}
}

// TestTooDeep ends Graphviz with its stack full. The next layout is as ever.
func TestTooDeep(t *testing.T) {
	const n = 3000
	var dot strings.Builder
	dot.WriteString("digraph {\n")
	for i := range n {
		fmt.Fprintf(&dot, "subgraph cluster%d {\n", i)
	}
	dot.WriteString("a -> b\n" + strings.Repeat("}\n", n) + "}\n")
	if b, err := Layout(t.Context(), dot.String()); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %d bytes, %.300v", len(b), err)
	}
	if _, err := Layout(t.Context(), "digraph { a -> b }"); err != nil {
		t.Error(err)
	}
}
