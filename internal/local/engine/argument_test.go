package engine

import (
	"strings"
	"testing"
)

// TestCarried: what no program can be given is refused by the name of the argument or variable.
func TestCarried(t *testing.T) {
	for text, want := range map[string]string{
		"a":                          "",
		strings.Repeat("a", 1<<17-1): "",
		strings.Repeat("a", 1<<17):   "args[1] has 131072 bytes, and a program takes 131071 in one argument or variable; pass it as an artifact",
		"a\x00b":                     "args[1] has the character NUL, which arguments and variables of programs can't have",
	} {
		err := allCarried("args", []string{"x", text})
		if got := ""; err != nil && err.Error() != want || err == nil && got != want {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
	s := &step{env: []string{"A=a", "B=\x00"}}
	if _, err := s.variables(); err == nil || !strings.HasPrefix(err.Error(), "variable B has the character NUL") {
		t.Error(err)
	}
}
