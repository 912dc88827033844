package kfptype_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

func TestOfJSON(t *testing.T) {
	for value, want := range map[string]string{
		"": "", " null ": "", `"3"`: kfptype.String, "\n[1]": kfptype.List, "{}": kfptype.Struct, "true": kfptype.Boolean, "false": kfptype.Boolean,
		"3": kfptype.Integer, "-3": kfptype.Integer, "3.0": kfptype.Double, "3e2": kfptype.Double, "3E2": kfptype.Double,
	} {
		if got := kfptype.OfJSON([]byte(value)); got != want {
			t.Errorf("%q: got %q, want %q", value, got, want)
		}
	}
}
