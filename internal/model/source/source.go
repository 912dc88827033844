// Package source finds the line of user code that called into the SDK.
package source

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/kfpgo/kfpgo/internal/model/graph"
)

// skipped lists the packages whose frames are never the user's.
var skipped = []string{
	"github.com/kfpgo/kfpgo/dsl.",
	"github.com/kfpgo/kfpgo/dsl/argo.",
	"github.com/kfpgo/kfpgo/dsl/k8s.",
	"github.com/kfpgo/kfpgo/dsl/k8s/pod.",
	"github.com/kfpgo/kfpgo/components.",
	"github.com/kfpgo/kfpgo/components/",
	"github.com/kfpgo/kfpgo/internal/model/graph.",
	"github.com/kfpgo/kfpgo/internal/kube/kubeop.",
	"github.com/kfpgo/kfpgo/internal/model/record.",
	"github.com/kfpgo/kfpgo/internal/model/source.",
	"runtime.",
	"reflect.",
	"sync.",
}

// Caller returns the innermost line outside the SDK and the standard library; in
// a deferred function that recovers, that is the line that panicked or whose
// call did. The file name is relative to the working directory where that is
// shorter. It is the zero Pos where no frame is the user's.
func Caller() graph.Pos {
	if off.Load() {
		return graph.Pos{}
	}
	var pcs [depth]uintptr
	n := runtime.Callers(2, pcs[:])
	known.Lock()
	pos, ok := known.calls[pcs]
	known.Unlock()
	if ok {
		return pos
	}
	pos, ok = find(pcs[:n])
	for skip := 2 + depth; !ok && n > 0; skip += depth {
		var more [depth]uintptr
		n = runtime.Callers(skip, more[:])
		if pos, ok = find(more[:n]); ok {
			return pos // what is further away isn't in the key
		}
	}
	known.Lock()
	defer known.Unlock()
	if ok && len(known.calls) < maxKnown {
		if known.calls == nil {
			known.calls = map[[depth]uintptr]graph.Pos{}
		}
		known.calls[pcs] = pos
	}
	return pos
}

var off atomic.Bool

// Off makes Caller return the zero Pos from now on. In a step all pipelines are
// recorded to find its component, and no lines are reported.
func Off() { off.Store(true) }

// depth is how many calls are looked at first: the user is a few away, except in
// odd cases.
const depth = 12

// maxKnown is how many calls are remembered. A line in a loop is one of them.
const maxKnown = 10_000

// known are the lines that were found before, by the calls that lead to them: to
// look names of functions up takes longer than all else that a task takes.
var known struct {
	sync.Mutex
	calls map[[depth]uintptr]graph.Pos
}

// find returns the first line that is the user's.
func find(pcs []uintptr) (graph.Pos, bool) {
	if len(pcs) == 0 {
		return graph.Pos{}, false
	}
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if f.Function != "" && !isSDK(f.Function) && !isStandard(f) {
			return graph.Pos{File: short(f.File), Line: f.Line}, true
		}
		if !more {
			return graph.Pos{}, false
		}
	}
}

func isSDK(function string) bool {
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

// isStandard reports whether a frame is one of Go's own packages.
func isStandard(f runtime.Frame) bool {
	if root := goroot(); root != "" {
		return strings.HasPrefix(f.File, root)
	}
	return standardName(f.Function) // built with -trimpath
}

// standardName reports whether a function is one of Go's own packages by its
// name: those have no domain, as may be the program's own and those of its module.
func standardName(function string) bool {
	first, _, long := strings.Cut(function, "/")
	if long {
		return !strings.Contains(first, ".") && first != mainModule()
	}
	pkg, _, _ := strings.Cut(first, ".") // strings.Cut
	return pkg != "main" && pkg != mainModule()
}

// goroot returns the folder of Go's sources in file names; empty if they have none.
var goroot = sync.OnceValue(func() string {
	f := runtime.FuncForPC(reflect.ValueOf(strings.ToUpper).Pointer())
	if f == nil {
		return ""
	}
	file, _ := f.FileLine(f.Entry())
	root, _ := strings.CutSuffix(filepath.ToSlash(file), "strings/strings.go")
	if root == filepath.ToSlash(file) {
		return ""
	}
	return root
})

// mainModule returns the first element of the path of the program's module.
var mainModule = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	first, _, _ := strings.Cut(info.Main.Path, "/")
	return first
})

var workingDir = sync.OnceValue(func() string {
	wd, err := os.Getwd()
	if err != nil {
		return ""
	}
	return wd
})

var shorts sync.Map // what short has answered: there are few files and many calls

func short(file string) string {
	if s, ok := shorts.Load(file); ok {
		return s.(string)
	}
	s := shorten(file)
	shorts.Store(file, s)
	return s
}

func shorten(file string) string {
	wd := workingDir()
	if wd == "" {
		return file
	}
	rel, err := filepath.Rel(wd, file)
	if err != nil || len(rel) >= len(file) {
		return file
	}
	return rel
}
