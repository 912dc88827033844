package dsl

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// maxName is the length that KFP allows for the name of a pipeline, and more than
// any other target does.
const maxName = 128

// checkName returns the error in the name of a component. Names are free
// text, which the targets make their own names from: small letters, digits and
// dashes, with a number where two are equal. The text itself is what UIs show.
func checkName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return fmt.Errorf("has no name")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("named %q: a name is one line of text", name)
	case strings.HasPrefix(name, contract.Own):
		return fmt.Errorf("named %q: names that start with %s are those of kfpgo's own steps", name, contract.Own)
	case !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return fmt.Errorf("named %q: a name has a letter or a digit in it", name)
	case utf8.RuneCountInString(name) > maxName:
		return fmt.Errorf("named %.20q...: a name has at most %d characters, and this has %d", name, maxName, utf8.RuneCountInString(name))
	}
	return nil
}

var (
	portForm         = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
	pipelinePortForm = lazyregexp.New(`^[A-Za-z_][-A-Za-z0-9_]*$`)
)

// checkPort returns the error in the name of an input or output of a step,
// which may be a variable of its code.
func checkPort(name string) error {
	return checkForm(name, portForm, "ASCII letters, digits and _, not a digit first")
}

// checkPipelinePort is checkPort for a pipeline, where KFP's SDK makes names such
// as train-model, of a task and its output.
func checkPipelinePort(name string) error {
	return checkForm(name, pipelinePortForm, "ASCII letters, digits, _ and -, a letter or _ first")
}

func checkForm(name string, form *lazyregexp.Regexp, must string) error {
	switch {
	case !form.MatchString(name):
		return fmt.Errorf("the name %q must be %s; give it one with a kfp tag", name, must)
	case len(name) > maxName:
		return fmt.Errorf("the name %.20q... has %d characters, and %d are allowed", name, len(name), maxName)
	}
	return nil
}
