package cli

import "testing"

// TestShellWord: what is shown to be copied is one word, and shows all of it.
func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{
		"run-1":               "run-1",
		"":                    "''",
		"a b":                 "'a b'",
		"a'; touch x; '":      `'a'\''; touch x; '\'''`,
		"$(touch x)":          "'$(touch x)'",
		"a\x1b[2Jb":           `$'a\x1b[2Jb'`,
		"a\n'; touch x; '\\b": `$'a\n\'; touch x; \'\\b'`,
		"a\u202eb":            `$'a\u202eb'`,
	} {
		if got := ShellWord(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}
