package bertpretrain_test

import (
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/compiler/argo"
	bertpretrain "github.com/kfpgo/kfpgo/examples/bert-pretrain"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

// TestCompile: the names of files and models are what the author wrote, on both
// targets.
func TestCompile(t *testing.T) {
	for name, target := range map[string]compiler.Target{"kfp": compiler.KFP, "argo": argo.Workflow} {
		opts := []compiler.Option{}
		if name == "argo" {
			opts = append(opts, compiler.ArtifactRoot("s3://bucket/runs"))
		}
		got, err := compiler.Compile(bertpretrain.Pipeline, target, opts...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		golden.Check(t, filepath.Join("testdata", name+".yaml"), got)
	}
}
