package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/argo"
	"github.com/kfpgo/kfpgo/internal/local/engine"
)

var inTurn, mostInTurn atomic.Int64

var takeTurn = dsl.Func("take-turn", func(_ context.Context, in textIn, out *textOut) error {
	now := inTurn.Add(1)
	defer inTurn.Add(-1)
	for range 1000 {
		runtime.Gosched()
		mostInTurn.Store(max(mostInTurn.Load(), now, inTurn.Load()))
	}
	out.Text.Set(in.Text.Get())
	return nil
})

// TestLocks: of the steps with a mutex one runs at a time, and of those with a semaphore
// as many as its config map says.
func TestLocks(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "config-maps", "limits", "turns")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("2\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		options []dsl.Option
		most    int64
		err     string
	}{
		{"mutex", []dsl.Option{argo.Mutex("m")}, 1, ""},
		{"both", []dsl.Option{argo.Semaphore("limits", "turns"), argo.Mutex("m")}, 1, ""},
		{"database", []dsl.Option{argo.DatabaseSemaphore("k")}, 1, ""},
		{"semaphore", []dsl.Option{argo.Semaphore("limits", "turns")}, 2, ""},
		{"nothing", []dsl.Option{argo.Semaphore("limits", "other")}, 0, "write it to " + filepath.Join(home, "config-maps", "limits", "other")},
	} {
		mostInTurn.Store(0)
		p := dsl.Pipeline("turns", func(s *dsl.Scope, in textIn) dsl.None {
			dsl.ParallelFor(s, dsl.Const([]string{"a", "b", "c", "d", "e", "f"}), func(s *dsl.Scope, text dsl.Param[string]) dsl.None {
				takeTurn.Call(s, textIn{text}, tt.options...)
				return dsl.None{}
			})
			return dsl.None{}
		})
		r := start(t, t.Context(), p, engine.Options{Home: home, Parallel: 6}, `{"text":""}`)
		if got := mostInTurn.Load(); got > tt.most || (got == 0) != (tt.err != "") || !strings.Contains(r.Error, tt.err) || tt.err == "" && r.Error != "" {
			t.Errorf("%s: %d at a time, want %d; %s", tt.name, got, tt.most, r.Error)
		}
	}
}
