// Package owner reports who may use a file.
package owner

import "io/fs"

// Mine reports whether a file is of the user of this process.
func Mine(info fs.FileInfo) bool { return mine(info) }

// Shared reports whether the mode of a file lets other users read or write it.
func Shared(info fs.FileInfo) bool { return shared(info) }
