package dsltest_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// A recorder is a test that may fail.
type recorder struct {
	testing.TB
	said strings.Builder
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) { fmt.Fprintf(&r.said, format, args...) }

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Fatal(args ...any) { r.Fatalf("%s", fmt.Sprint(args...)) }

// failed checks that a test fails and says so.
func failed(t *testing.T, want string, test func(testing.TB)) {
	t.Helper()
	r := &recorder{TB: t}
	done := make(chan bool)
	go func() {
		defer close(done)
		test(r)
	}()
	<-done
	if got := r.said.String(); !strings.Contains(got, want) {
		t.Errorf("said %q, not %q", got, want)
	}
}
