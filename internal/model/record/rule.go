package record

import (
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
	"github.com/kfpgo/kfpgo/internal/text/quantity"
)

// A Rule is what a string must look like for Kubernetes to take it.
type Rule struct {
	What string // the text is, for messages
	Form *lazyregexp.Regexp
	Max  int // length; 0: no limit
	Hint string

	Test func(text string) error // in place of all others
}

// EnvName is the rule for the names of environment variables.
var EnvName = Rule{
	What: "the name of an environment variable", Form: lazyregexp.New(`^[-._a-zA-Z][-._a-zA-Z0-9]*$`),
	Hint: "letters, digits, _, - and dots, not a digit first",
}

// SizeLimit is the rule for how large a folder may become, and Size that for claims.
var (
	SizeLimit = Rule{Test: quantity.Limit}
	Size      = Rule{Test: quantity.Size}
)

// Resource is the rule for requests and limits of a resource, such as cpu.
func Resource(name string) Rule {
	return Rule{Test: func(text string) error { return quantity.Resource(name, text) }}
}

// Check returns an error where the text breaks the rule. A string that stands for
// a reference or a mistake passes: it gets a message of its own.
func (r Rule) Check(text string) error {
	if _, bad := Misused(text); bad {
		return nil
	}
	if r.Test != nil {
		return r.Test(text)
	}
	if !r.Form.MatchString(text) || strings.Contains(text, "..") {
		return fmt.Errorf("%q is not %s: %s", text, r.What, r.Hint)
	}
	if r.Max > 0 && len(text) > r.Max {
		return fmt.Errorf("%q is not %s: it has %d characters, and %d are allowed", text, r.What, len(text), r.Max)
	}
	return nil
}
