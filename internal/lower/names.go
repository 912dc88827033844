package lower

import (
	"strings"
	"unicode"

	"github.com/kfpgo/kfpgo/internal/model/expr"
)

// clean returns a name as KFP's Python SDK does for Kubernetes: lower case, with
// a dash for what isn't a letter or digit. A name of which no letter is left gets
// one that says what it is.
func clean(name string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		} else {
			dash = true
		}
	}
	s := b.String()
	if !strings.ContainsFunc(s, unicode.IsLetter) {
		return strings.TrimSuffix("task-"+s, "-")
	}
	return s
}

// taskName returns the name of a task: a clean one that a task which others wait for
// can have in a Workflow, such as KFP's server makes of IR.
func taskName(name string) string {
	s := clean(name)
	if s[0] < 'a' || expr.Reserved(s) {
		return "t-" + s
	}
	return s
}
