//go:build unix

package progress

import "os"

// ansi reports whether a terminal moves its cursor as it is written to.
func ansi(*os.File) bool { return true }
