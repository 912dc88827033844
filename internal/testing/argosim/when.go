package argosim

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/expr-lang/expr"
)

var bareWord = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z_][A-Za-z0-9_.-]*`)

// when evaluates a condition, in which words without quotes are texts.
func (s *Sim) when(when string) (bool, error) {
	switch {
	case when == "true" || when == "false":
		return when == "true", nil
	case s.Strict:
		return false, fmt.Errorf("the condition became %q", when)
	}
	code := bareWord.ReplaceAllStringFunc(when, func(w string) string {
		if w[0] == '"' || w[0] == '\'' || w == "true" || w == "false" {
			return w
		}
		return strconv.Quote(w)
	})
	v, err := expr.Eval(code, nil)
	if err != nil {
		return false, fmt.Errorf("when %s: %w", code, err)
	}
	ok, is := v.(bool)
	if !is {
		return false, fmt.Errorf("when %s is %v", code, v)
	}
	return ok, nil
}
