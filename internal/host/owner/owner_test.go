//go:build unix

package owner_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/internal/host/owner"
)

func TestShared(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for mode, want := range map[os.FileMode]bool{0o600: false, 0o700: false, 0o640: true, 0o604: true, 0o601: true} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if !owner.Mine(info) || owner.Shared(info) != want {
			t.Errorf("%o: mine %v, shared %v", mode, owner.Mine(info), owner.Shared(info))
		}
	}
}
