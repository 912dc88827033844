package progress

import (
	"os"

	"golang.org/x/sys/windows"
)

// ansi reports whether a terminal moves its cursor as it is written to, after a console of
// Windows was asked to.
func ansi(f *os.File) bool {
	var mode uint32
	if err := windows.GetConsoleMode(windows.Handle(f.Fd()), &mode); err != nil {
		return false
	}
	return windows.SetConsoleMode(windows.Handle(f.Fd()), mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
