package dsl_test

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
)

type perhapsIn struct {
	Retrain dsl.Param[bool]
	Data    dsl.Dataset
}

type perhapsOut struct{ Model dsl.Model }

// TestOptional: what an If makes is an output of the pipeline out of its own group.
func TestOptional(t *testing.T) {
	p := dsl.Pipeline("perhaps", func(s *dsl.Scope, in perhapsIn) perhapsOut {
		model := dsl.OneOf(s, dsl.True(in.Retrain), func(s *dsl.Scope) dsl.Model {
			return Train.Call(s, TrainIn{Data: in.Data}).Out.Model
		}).Optional()
		return perhapsOut{model}
	})
	g := recorded.Graph(p)
	prog, err := lower.Lower(g, g.Component(1))
	if err != nil {
		t.Fatal(err)
	}
	ir, err := kfp.Write(prog, kfp.Options{Image: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"producerSubtask: condition-1", "outputArtifactKey: pipelinechannel--train-model"} {
		if !strings.Contains(string(ir), want) {
			t.Errorf("the IR has no %q:\n%s", want, ir)
		}
	}
	bad := dsl.Pipeline("bad", func(s *dsl.Scope, in perhapsIn) perhapsOut {
		train := func(s *dsl.Scope) dsl.Model { return Train.Call(s, TrainIn{Data: in.Data}).Out.Model }
		return perhapsOut{dsl.OneOf(s, dsl.True(in.Retrain), train).Elif(dsl.Not(dsl.True(in.Retrain)), train).Optional()}
	})
	if err := bad.Check(); err == nil || !strings.Contains(err.Error(), "Optional after an Elif") {
		t.Errorf("Check: %v", err)
	}
}
