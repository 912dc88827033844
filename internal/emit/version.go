package emit

import (
	"runtime/debug"
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

const module = "github.com/kfpgo/kfpgo"

// between matches versions between releases, which name a commit.
var between = lazyregexp.New(`[-.]\d{14}-[0-9a-f]{12}`)

// Version returns the version of kfpgo that this program was built with, or dev
// if that isn't a release: compiled YAML shall not change with every commit.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "dev"
	}
	v := info.Main.Version
	if info.Main.Path != module {
		for _, d := range info.Deps {
			if d.Path == module {
				v = d.Version
				if d.Replace != nil {
					v = d.Replace.Version
				}
			}
		}
	}
	if v == "" || v == "(devel)" || between.MatchString(v) || strings.Contains(v, "+") {
		return "dev"
	}
	return v
}
