//go:build unix

package doctor

import "syscall"

// writable returns why this process can't write to a folder.
func writable(dir string) error { return syscall.Access(dir, 2) }

// free returns how many bytes the disk of a folder has left for this user.
func free(dir string) (float64, error) {
	var fs syscall.Statfs_t
	err := syscall.Statfs(dir, &fs)
	return float64(fs.Bavail) * float64(fs.Bsize), err
}
