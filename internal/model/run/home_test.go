package run_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/run"
)

// TestMakeHome: a home that kfpgo makes is its user's alone. One that is there is left
// as it is, but for the default one.
func TestMakeHome(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	given := filepath.Join(t.TempDir(), "given")
	for _, tt := range []struct {
		name, home   string
		before, want os.FileMode
	}{
		{"new, by default", filepath.Join(state, "kfpgo"), 0, 0o700},
		{"of an earlier version", filepath.Join(state, "kfpgo"), 0o755, 0o700},
		{"new, of KFPGO_HOME", given, 0, 0o700},
		{"there, of KFPGO_HOME", given, 0o755, 0o755},
		{"shared by a group", given, 0o775, 0o775},
		{"below others", filepath.Join(given, "a", "b"), 0, 0o700},
	} {
		t.Setenv("KFPGO_HOME", "")
		if tt.home == given {
			t.Setenv("KFPGO_HOME", given)
		}
		if tt.before != 0 {
			if err := os.Chmod(tt.home, tt.before); err != nil {
				t.Fatal(err)
			}
		}
		if err := run.MakeHome(tt.home); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if info, err := os.Stat(tt.home); err != nil || info.Mode().Perm() != tt.want {
			t.Errorf("%s: %v, %v; want %v", tt.name, info.Mode().Perm(), err, tt.want)
		}
	}
	elsewhere := t.TempDir()
	os.Chmod(elsewhere, 0o755)
	os.RemoveAll(filepath.Join(state, "kfpgo"))
	if err := os.Symlink(elsewhere, filepath.Join(state, "kfpgo")); err != nil {
		t.Fatal(err)
	}
	if err := run.MakeHome(filepath.Join(state, "kfpgo")); err != nil {
		t.Error(err)
	}
	if info, _ := os.Stat(elsewhere); info.Mode().Perm() != 0o755 {
		t.Errorf("what a link leads to has %v now", info.Mode().Perm())
	}
	if err := run.MakeHome("/dev/null/x"); err == nil {
		t.Error("no error")
	}
}
