//go:build !linux

package usage

// Supported says that steps can't be measured.
func Supported() error { return ErrSystem }

func processes(int) ([]process, error) { return nil, ErrSystem }
