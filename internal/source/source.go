// Package source finds the line of user code that called into the SDK.
package source

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/kfpgo/kfpgo/internal/graph"
)

// skipped lists the packages whose frames are never the user's.
var skipped = []string{
	"github.com/kfpgo/kfpgo/dsl.",
	"github.com/kfpgo/kfpgo/dsl/k8s.",
	"github.com/kfpgo/kfpgo/internal/",
	"runtime.",
	"reflect.",
	"sync.",
}

// Caller returns the innermost line outside the SDK; in a deferred function
// that recovers, that is the line that panicked. The file name is relative to
// the working directory where that is shorter.
func Caller() graph.Pos {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if !skip(f.Function) {
			return graph.Pos{File: short(f.File), Line: f.Line}
		}
		if !more {
			return graph.Pos{}
		}
	}
}

func skip(function string) bool {
	if strings.Contains(function, "_test.") {
		return false // a test beside the SDK's code defines pipelines as users do
	}
	for _, prefix := range skipped {
		if strings.HasPrefix(function, prefix) {
			return true
		}
	}
	return false
}

func short(file string) string {
	wd, err := os.Getwd()
	if err != nil {
		return file
	}
	rel, err := filepath.Rel(wd, file)
	if err != nil || len(rel) >= len(file) {
		return file
	}
	return rel
}
