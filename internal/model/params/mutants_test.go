package params_test

import (
	"encoding/json"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

// TestMutants: a file of parameters with null, or something else, in any place is refused,
// or its values are JSON.
func TestMutants(t *testing.T) {
	const good = "name: x\nday: 2026-01-02\nepochs: 5\nsmall: 1\nrate: 0.5\nshuffle: true\nsweep: [{Epochs: 1, Rate: 0.5}, {Epochs: 2}]\nweights: {a: 1, b: 2}\nconfig: {Epochs: 1, Rate: 0.1}\ndata: s3://b/d\n"
	mutants.Each(t, []byte(good), func(bad []byte) {
		got, err := params.Read(inputs, params.Options{File: "p.yaml", YAML: bad})
		for k, v := range got {
			if err == nil && !json.Valid(v) {
				t.Errorf("%s is %s", k, v)
			}
		}
	})
}
