package savedmodel_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/components/savedmodel"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

type pipelineIn struct{ Model dsl.Param[string] }

var pipeline = dsl.Pipeline("export", func(s *dsl.Scope, in pipelineIn) savedmodel.Out {
	return savedmodel.Export.Call(s, savedmodel.In{Model: dsl.Import[dsl.Model](s, in.Model), InputShape: dsl.Const([]int{784})}).Out
})

// TestCompiled also compares the Python function with the component.
func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }
