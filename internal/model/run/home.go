package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kfpgo/kfpgo/internal/host/owner"
)

// Home returns the folder where runs are kept: $KFPGO_HOME, or else [DefaultHome].
func Home() (string, error) {
	if dir := os.Getenv("KFPGO_HOME"); dir != "" {
		return filepath.Abs(dir)
	}
	return DefaultHome()
}

// DefaultHome returns the folder where runs are kept if nobody says where: kfpgo in
// the user's state folder.
func DefaultHome() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "kfpgo"), nil
	}
	dir, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no place for runs: %w; set KFPGO_HOME", err)
	}
	return filepath.Join(dir, ".local", "state", "kfpgo"), nil
}

// Unusable says of an error about the home folder, or what is in it, where that comes from.
func Unusable(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the folder for runs, from KFPGO_HOME or --home, can't be used: %w", err)
}

// MakeHome makes a home folder that only its user can enter: it holds parameters,
// logs and secrets. One that is there already keeps its permissions, since it may be
// shared on purpose, unless it is the default one, which kfpgo itself has made, with
// more permissions in earlier versions.
func MakeHome(home string) error { return Unusable(makeHome(home)) }

func makeHome(home string) error {
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		return err
	}
	err := os.Mkdir(home, 0o700)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if byDefault, err := DefaultHome(); err != nil || filepath.Clean(home) != byDefault {
		return nil
	}
	info, err := os.Lstat(home) // a link leads to a folder of the user's own
	if err != nil || !info.IsDir() || !owner.Shared(info) {
		return err
	}
	if !owner.Mine(info) {
		return nil
	}
	return os.Chmod(home, 0o700)
}
