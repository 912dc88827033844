package cli

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// ShellWord quotes a word for a shell if it needs that: in a command that is shown,
// to be copied, so that what isn't visible is written as escapes.
func ShellWord(word string) string {
	if printable.Line(word) != word {
		return "$'" + printable.Line(strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(word)) + "'"
	}
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-") == "" {
		return word
	}
	return engine.Quoted([]string{word})
}

// Value returns a parameter as it reads on one line: a simple string as it is,
// others as JSON, and not all of it if it is long.
func Value(b json.RawMessage) string {
	var s string
	if json.Unmarshal(b, &s) != nil || s == "" || printable.Line(s) != s {
		s = string(printable.JSON(b))
	}
	return Short(s, 200)
}

// Short returns the first letters of a string that has more than most.
func Short(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return s
}

// Because ends a sentence with the first line of a reason, if there is one.
func Because(reason string) string {
	first := FirstLine(reason)
	switch {
	case reason == "":
		return ""
	case first != strings.TrimSpace(reason):
		first += " ..."
	}
	return ": " + first
}

// FirstLine returns the first line of a string.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// Version returns a line such as "kfpgo v0.3.0 (1a2b3c4d5e6f) go1.26.0 linux/amd64".
func Version() string {
	v, commit := "(devel)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			v = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				commit = " (" + s.Value[:12] + ")"
			}
		}
	}
	return fmt.Sprintf("kfpgo %s%s %s %s/%s", v, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
