package engine

import (
	"errors"
	"fmt"
	"strings"
)

// longestText is what Linux takes for one argument or variable of a program, with the NUL that
// ends it. Pods on a cluster have the same limit.
const longestText = 128 << 10

// carried reports what a program can't be given as an argument or a variable. The system
// would say "invalid argument" or "argument list too long", of the whole command.
func carried(what, text string) error {
	switch {
	case strings.Contains(text, "\x00"):
		return fmt.Errorf("%s has the character NUL, which arguments and variables of programs can't have", what)
	case len(text) >= longestText:
		return fmt.Errorf("%s has %d bytes, and a program takes %d in one argument or variable; pass it as an artifact", what, len(text), longestText-1)
	}
	return nil
}

func allCarried(what string, list []string) error {
	var errs []error
	for i, text := range list {
		errs = append(errs, carried(fmt.Sprintf("%s[%d]", what, i), text))
	}
	return errors.Join(errs...)
}
