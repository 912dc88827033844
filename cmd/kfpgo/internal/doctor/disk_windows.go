package doctor

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// writable returns why this process can't write to a folder. Only an attempt shows it on Windows.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".kfpgo-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// free returns how many bytes the disk of a folder has left for this user.
func free(dir string) (float64, error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var bytes uint64
	err = windows.GetDiskFreeSpaceEx(name, &bytes, nil, nil)
	return float64(bytes), err
}
