//go:build unix

package owner

import (
	"io/fs"
	"os"
	"syscall"
)

func mine(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(s.Uid) == os.Geteuid()
}

func shared(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }
