package engine_test

import (
	"context"
	"os"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/argo"
	"github.com/kfpgo/kfpgo/internal/local/engine"
)

type dataIn struct{ File dsl.Dataset }

var readData = dsl.Func("read-data", func(_ context.Context, in dataIn, out *textOut) error {
	b, err := os.ReadFile(in.File.Path())
	out.Text.Set(string(b))
	return err
})

// TestRaw: an artifact of argo.Raw is a file with the string.
func TestRaw(t *testing.T) {
	p := dsl.Pipeline("raw", func(s *dsl.Scope, in textIn) textOut {
		return readData.Call(s, dataIn{dsl.Import[dsl.Dataset](s, argo.Raw("a, b/{c}\n% d"))}).Out
	})
	r := start(t, t.Context(), p, engine.Options{Home: t.TempDir()}, `{"text":""}`)
	if got := string(r.Outputs["text"]); got != `"a, b/{c}\n% d"` {
		t.Errorf("got %s: %s", got, r.Error)
	}
}
