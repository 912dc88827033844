package source

import (
	"runtime"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// Guard is the function of package dsl that calls a step's code and recovers: what
// is beyond it isn't the step's.
const Guard = "github.com/kfpgo/kfpgo/dsl.guard"

// Panic returns the line that panicked, in a deferred function that has recovered:
// the innermost one of the user's own module or, if there is none, of a module that
// it uses, or else of the SDK. It works after [Off] too.
func Panic() graph.Pos {
	pcs := make([]uintptr, 64)
	for n := runtime.Callers(2, pcs); n == len(pcs); n = runtime.Callers(2, pcs) {
		pcs = make([]uintptr, 2*len(pcs)) // a recursion that went deep
	}
	var l liner
	panicking := false
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		switch {
		case f.Function == Guard || f.Function == "":
			return l.pos()
		case f.Function == "runtime.gopanic":
			panicking = true
		case panicking:
			l.frame(f)
		}
		if !more {
			return l.pos()
		}
	}
}

// Crash reads what Go's runtime writes when a program dies of a panic that nothing
// recovers, in another goroutine, or of a fatal error. The message is its first
// line, and the position that of the user's innermost line, if there is one.
func Crash(log string) (message string, at graph.Pos, ok bool) {
	log = "\n" + log
	start := max(strings.LastIndex(log, "\npanic: "), strings.LastIndex(log, "\nfatal error: "))
	dump := strings.Index(log[max(start, 0):], "\ngoroutine ")
	if start < 0 || dump < 0 {
		return "", graph.Pos{}, false
	}
	message, _, _ = strings.Cut(log[start+1:], "\n")
	lines := strings.Split(log[start+dump+1:], "\n")
	var l liner
	for i := 1; i+1 < len(lines) && lines[i] != ""; i++ {
		m := frameLine.FindStringSubmatch(lines[i+1])
		if m == nil {
			continue
		}
		name := strings.TrimPrefix(lines[i], "created by ")
		if j := strings.LastIndexByte(name, '('); j > 0 && !strings.HasPrefix(lines[i], "created by ") {
			name = name[:j]
		}
		n, _ := strconv.Atoi(m[2])
		l.frame(runtime.Frame{Function: name, File: m[1], Line: n})
		i++
	}
	return message, l.pos(), true
}

// frameLine is the second line of a frame: its file, line and offset.
var frameLine = lazyregexp.New(`^\t(.+):(\d+)(?: \+0x[0-9a-f]+)?$`)

// A liner picks the line to show among the frames of a stack, the innermost first.
type liner struct{ own, used, sdk graph.Pos }

func (l *liner) frame(f runtime.Frame) {
	first := func(p *graph.Pos) {
		if p.File == "" {
			*p = graph.Pos{File: short(f.File), Line: f.Line}
		}
	}
	switch {
	case strings.HasPrefix(f.Function, "runtime.") || f.Function == "panic" || isStandard(f):
	case isSDK(f.Function):
		first(&l.sdk)
	case strings.Contains(f.File, "@v"): // in the cache of modules, also where paths are trimmed
		first(&l.used)
	default:
		first(&l.own)
	}
}

func (l *liner) pos() graph.Pos {
	for _, p := range []graph.Pos{l.own, l.used} {
		if p.File != "" {
			return p
		}
	}
	return l.sdk
}
