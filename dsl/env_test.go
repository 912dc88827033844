package dsl

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestEnvInputs sets variables from the inputs that stand for them on KFP.
func TestEnvInputs(t *testing.T) {
	type out struct{ Text Param[string] }
	c := Func("env", func(_ context.Context, _ None, out *out) error {
		out.Text.Set(os.Getenv("KFPGO_TEST_A") + os.Getenv("KFPGO_TEST_B"))
		return nil
	})
	t.Setenv("KFPGO_TEST_A", "")
	t.Setenv("KFPGO_TEST_B", "kept")
	b, err := c.c.Run(t.Context(), json.RawMessage(`{"inputs":{"parameterValues":{"kfpgo-env--KFPGO_TEST_A":"it's {{x}} ","kfpgo-env--KFPGO_TEST_B":null}}}`))
	if err != nil || !strings.Contains(string(b), `"it's {{x}} kept"`) {
		t.Errorf("%s, %v", b, err)
	}
	if _, err := c.c.Run(t.Context(), json.RawMessage(`{"inputs":{"parameterValues":{"kfpgo-env--":"x"}}}`)); err == nil {
		t.Error("a variable without a name is set")
	}
}
