//go:build slow

package argo_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/examples/calc"
)

// TestPythonContract gets numpy with pip, as the pod would.
func TestPythonContract(t *testing.T) { checkContract(t, calc.PythonPipeline) }
