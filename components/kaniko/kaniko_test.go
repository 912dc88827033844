package kaniko_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/components/gitclone"
	"github.com/kfpgo/kfpgo/components/internal/tried"
	"github.com/kfpgo/kfpgo/components/kaniko"
	"github.com/kfpgo/kfpgo/dsl"
)

var pipeline = dsl.Pipeline("image", func(s *dsl.Scope, _ dsl.None) kaniko.Out {
	code := gitclone.Clone.Call(s, gitclone.In{URL: dsl.Const("https://github.com/acme/train")})
	return kaniko.Build.Call(s, kaniko.In{Context: code.Out.Source, Destination: dsl.Const("ghcr.io/acme/train:4")}).Out
})

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }
