package argo_test

import (
	"context"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type perhapsOut struct {
	Data dsl.Dataset `kfp:",optional"`
}

type surelyIn struct{ Data dsl.Dataset }

var (
	perhaps = dsl.Func("perhaps", func(context.Context, dsl.None, *perhapsOut) error { return nil })
	surely  = dsl.Func("surely", func(context.Context, surelyIn, *dsl.None) error { return nil })
	within  = dsl.Pipeline("within", func(s *dsl.Scope, in surelyIn) dsl.None { surely.Call(s, in); return dsl.None{} })
)

// TestUnwritten: an artifact that may not be written may be absent at each place that it
// passes, so that its reader runs, as here.
func TestUnwritten(t *testing.T) {
	p := lowered.Program(t, dsl.Pipeline("p", func(s *dsl.Scope, _ dsl.None) dsl.None {
		within.Call(s, surelyIn{perhaps.Call(s, dsl.None{}).Out.Data})
		return dsl.None{}
	}))
	b, err := argo.Write(p, argo.Options{Image: "x"})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, tmpl := range strict(t, b).Spec.Templates {
		for _, a := range append(tmpl.Inputs.Artifacts, tmpl.Outputs.Artifacts...) {
			if a.Name == "data" {
				if seen++; !a.Optional {
					t.Errorf("template %s: artifact data has to be there", tmpl.Name)
				}
			}
		}
	}
	if seen != 3 {
		t.Errorf("%d artifacts", seen)
	}
}
