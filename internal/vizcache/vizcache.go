// Package vizcache gives the layout engine of package picture a folder of the
// user's own for its compiled code.
//
// go-graphviz compiles Graphviz when a program starts, and keeps and loads the
// native code in go-graphviz below the folder for temporary files, which other
// users of the machine can write to. It has no setting for another place. Go
// initializes packages in the order of their import paths once all that they
// import is initialized (the Go specification, "Program initialization"): this
// one, which needs the standard library only, comes before go-graphviz, which
// needs github.com/tetratelabs/wazero. A test holds that.
package vizcache

import (
	"os"
	"path/filepath"
)

var (
	before string
	was    bool
	set    bool
)

func init() {
	cache, err := os.UserCacheDir()
	if err != nil {
		return // no home: a container, where nobody else is
	}
	dir := filepath.Join(cache, "kfpgo", "graphviz")
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	before, was = os.LookupEnv("TMPDIR")
	set = os.Setenv("TMPDIR", dir) == nil
}

// Restore puts the folder for temporary files back. Package picture calls it when
// it is initialized, which is after go-graphviz.
func Restore() {
	switch {
	case !set:
	case was:
		os.Setenv("TMPDIR", before)
	default:
		os.Unsetenv("TMPDIR")
	}
	set = false
}
