package components_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/components"
	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

// TestMutants: a component with null, or something else, in any place is a mistake of the
// definition, or a component.
func TestMutants(t *testing.T) {
	mutants.Each(t, trainYAML, func(bad []byte) { components.Load[trainIn, trainOut](components.Bytes("x.yaml", bad)) })
	mutants.Each(t, helloIR, func(bad []byte) { components.Load[helloIn, helloOut](components.Bytes("x.yaml", bad)) })
}

// FuzzLoad reads any component.
func FuzzLoad(f *testing.F) {
	f.Add(trainYAML)
	f.Add(helloIR)
	f.Fuzz(func(t *testing.T, b []byte) { components.Load[trainIn, trainOut](components.Bytes("x.yaml", b)) })
}
