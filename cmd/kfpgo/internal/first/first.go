// Package first sets what holds for the whole process before the packages that
// kfpgo links are initialized: packages are initialized by their paths as far as
// their imports allow, so this one, which imports next to nothing, comes early.
package first

import (
	"os"
	"runtime/debug"
)

// Most commands are over before their garbage matters. Linked packages allocate
// some megabytes when they are initialized, which would be collected at once.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(800)
	}
	// Input that is read and compiled at once is at most some 100 MB; only a file that is made
	// to take much comes near this, and then garbage is collected in time.
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(384 << 20)
	}
}
