package picture_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCache starts a program that has the layout engine, which must keep its
// compiled code in a folder of the user and leave the environment as it was.
func TestCache(t *testing.T) {
	if os.Getenv("KFPGO_TEST_TMP") != "" {
		if got := os.Getenv("TMPDIR"); got != os.Getenv("KFPGO_TEST_TMP") {
			t.Errorf("TMPDIR is %s", got)
		}
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home, tmp := t.TempDir(), t.TempDir()
	cmd := exec.Command(exe, "-test.run=^TestCache$")
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "TMPDIR="+tmp, "KFPGO_TEST_TMP="+tmp)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(tmp, "go-graphviz")); err == nil {
		t.Error("compiled code is in the folder for temporary files")
	}
	if kept, _ := filepath.Glob(filepath.Join(home, "kfpgo", "graphviz", "go-graphviz", "*")); len(kept) == 0 {
		t.Error("compiled code is not kept in the user's cache")
	}
}
