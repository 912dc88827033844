package gosrc

import "testing"

// Unescaped switches escaping off until the test has ended: of comments, literals
// or names.
func Unescaped(t *testing.T, what string) {
	was := escape
	t.Cleanup(func() { escape = was })
	switch what {
	case "comments":
		escape.comments = false
	case "literals":
		escape.literals = false
	case "names":
		escape.names = false
	default:
		t.Fatalf("%s?", what)
	}
}
