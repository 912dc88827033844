package client_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
)

var submitted = dsl.Pipeline("submitted", func(s *dsl.Scope, _ dsl.None) dsl.None {
	dsl.Func("step", func(context.Context, dsl.None, *dsl.None) error { return nil }).Call(s, dsl.None{})
	return dsl.None{}
})

// A taker takes what is submitted.
type taker struct{ client.Client }

func (taker) Target() compiler.Target { return compiler.KFP }
func (taker) Submit(context.Context, client.Submission) (*client.Run, error) {
	return &client.Run{}, nil
}

// TestImageVariable: an image that KFPGO_IMAGE has wrong is refused by that name, unless another one is given.
func TestImageVariable(t *testing.T) {
	t.Setenv("KFPGO_IMAGE", "UPPER/x:1:2")
	if _, err := client.Submit(t.Context(), taker{}, submitted, dsl.None{}); err == nil || !strings.HasPrefix(err.Error(), `KFPGO_IMAGE: "UPPER/x:1:2" is not an image`) {
		t.Error(err)
	}
	if _, err := client.Submit(t.Context(), taker{}, submitted, dsl.None{}, client.Compile(compiler.Image("ghcr.io/acme/x:1"))); err != nil {
		t.Error(err)
	}
}
