package lower

import (
	"strings"
	"unicode"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// clean returns a name for Kubernetes. A name of which no letter is left gets one that says
// what it is.
func clean(name string) string {
	s := program.CleanName(name)
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
