package freename_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/internal/text/freename"
)

// TestTake: each name is given once, the plain one first, and a number that is taken is
// left out.
func TestTake(t *testing.T) {
	set := map[string]bool{"a-3": true}
	for _, tt := range []struct{ name, sep, want string }{
		{"a", "-", "a"}, {"a", "-", "a-2"}, {"a", "-", "a-4"}, {"a", "_", "a_2"}, {"a-2", "-", "a-2-2"}, {"", "-", ""}, {"", "-", "-2"},
	} {
		if got := freename.TakeWith(set, tt.name, tt.sep); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := freename.Of("a", func(s string) bool { return set[s] }); got != "a-5" {
		t.Errorf("got %q, want a-5", got)
	}
}
