package lazyregexp_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// TestNew: an expression is compiled at once in tests, so that they find a wrong one.
func TestNew(t *testing.T) {
	r := lazyregexp.New(`^(\w+)=(\d+)$`)
	if m := r.FindStringSubmatch("a=12"); len(m) != 3 || m[2] != "12" || r.MatchString("a=b") || r.String() != `^(\w+)=(\d+)$` {
		t.Errorf("got %q", m)
	}
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression isn't found")
		}
	}()
	lazyregexp.New(`(`)
}
