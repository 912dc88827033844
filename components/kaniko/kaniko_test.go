package kaniko_test

import (
	"context"
	"testing"

	"github.com/kfpgo/kfpgo/components/gitclone"
	"github.com/kfpgo/kfpgo/components/kaniko"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

var pipeline = dsl.Pipeline("image", func(s *dsl.Scope, _ dsl.None) kaniko.Out {
	code := gitclone.Clone.Call(s, gitclone.In{URL: dsl.Const("https://github.com/acme/train")})
	return kaniko.Build.Call(s, kaniko.In{Context: code.Out.Source, Destination: dsl.Const("ghcr.io/acme/train:4"), BuildArg: dsl.Const("A=1"), BuildArg2: dsl.Sprintf("COMMIT=%s", code.Out.Commit)}).Out
})

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

// TestNew: a pipeline's own Build has a stand-in, and the package's has none.
func TestNew(t *testing.T) {
	build := kaniko.New("build-server").OnLocal(func(_ context.Context, in kaniko.In, out *kaniko.Out) error {
		out.Digest.Set("none of " + in.Destination.Get())
		return nil
	})
	out, err := build.Run(t.Context(), kaniko.In{Destination: dsl.Const("x:1"), Context: dsl.File[dsl.Any](t.TempDir())})
	if err != nil || out.Digest.Get() != "none of x:1" || kaniko.Build.Func() != nil {
		t.Error(out, err)
	}
}
