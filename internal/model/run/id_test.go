package run_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/run"
)

func TestIDs(t *testing.T) {
	for id, ok := range map[string]bool{
		"sum-20261129T010421-ee31": true, "a": true, "A_b.c": true, "1.2": true,
		"": false, ".": false, "..": false, "../../x": false, "/etc": false, "a/b": false, `a\b`: false, ".hidden": false, "-rf": false,
		"a b": false, "a\nb": false, "a\n": false, "a\x00b": false, "ü": false, strings.Repeat("x", 200): true, strings.Repeat("x", 201): false,
	} {
		home := t.TempDir()
		dir, err := run.MakeDir(home, id)
		if (err == nil) != ok || ok && dir != filepath.Join(home, "runs", id) {
			t.Errorf("%q: %s, %v", id, dir, err)
		}
		if _, err := os.Stat(filepath.Join(home, "runs")); !ok && err == nil {
			t.Errorf("%q: a folder was made", id)
		}
	}
}

// TestNewIDs: whatever a file calls its pipeline, its runs have IDs that may be.
func TestNewIDs(t *testing.T) {
	for _, name := range []string{"sum", "", "../../x", "My Pipeline", "übung", "-rf", strings.Repeat("long", 100), "a\x1b[2J"} {
		if id := run.NewID(name, time.Now()); run.CheckID(id) != nil {
			t.Errorf("%q: %v", name, run.CheckID(id))
		}
	}
}

// TestMakeDir: of several that want one ID, one gets it, and what is there stays.
func TestMakeDir(t *testing.T) {
	home := t.TempDir()
	var mu sync.Mutex
	made := 0
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			dir, err := run.MakeDir(home, "x")
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				made++
				os.WriteFile(filepath.Join(dir, "run.json"), []byte("{}"), 0o600)
			} else if !strings.Contains(err.Error(), "there is a run of that ID") {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if made != 1 {
		t.Errorf("%d of 10 got it", made)
	}
	if _, err := run.MakeDir(home, "x"); err == nil {
		t.Error("a later one got it")
	}
}
