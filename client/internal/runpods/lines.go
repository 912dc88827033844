package runpods

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// The lines that an engine's own programs write into the log of a step: Argo's executor,
// which starts the step, and before the step's first and after its last line KFP's
// launcher, whose lines have the name of one of its source files.
var (
	argoLine   = lazyregexp.New(`^time="?[^ ]+ level=\w+ msg=.* argo=true( |$)`)
	glogLine   = lazyregexp.New(`^[IWEF]\d{4} \d{2}:\d{2}:\d{2}\.\d{6} +\d+ (\w+)\.go:\d+\] `)
	ofLauncher = map[string]bool{"launcher_v2": true, "importer_launcher": true, "object_store": true, "registry": true, "cache": true}
)

// Engines returns what reports, line by line of the log of one step, which of them its
// engine's programs have written.
func Engines() func(line string) bool {
	first, inside := true, false
	return func(line string) bool {
		line = strings.TrimSuffix(line, "\n")
		if inside { // a dump of the launcher's, of several lines
			inside = line != "}"
			return true
		}
		if argoLine.MatchString(line) {
			return true
		}
		m := glogLine.FindStringSubmatch(line)
		if m == nil || !first && !ofLauncher[m[1]] {
			first = false
			return false
		}
		inside = strings.HasSuffix(line, "] ExecutorOutput: {")
		return true
	}
}
