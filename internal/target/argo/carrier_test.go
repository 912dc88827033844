package argo_test

import (
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/target/argo"
)

// TestCarried: what a node holds is shown as the step wrote it.
func TestCarried(t *testing.T) {
	for held, want := range map[string]string{
		`"it's {\u007bx}} \u0024(A)"`:         `"it's {{x}} $(A)"`,
		`{"b":"\u0024","a":[1.50,"\\u007b"]}`: `{"b":"$","a":[1.50,"\\u007b"]}`,
		`"\\\u0024 \" \u00e9"`:                `"\\$ \" \u00e9"`,
		`a \u0024 text`:                       `"a \\u0024 text"`,
		`12`:                                  `12`,
	} {
		got := argo.Values([]wfv1.Parameter{{Name: "x", Value: wfv1.AnyStringPtr(held)}})
		if string(got["x"]) != want {
			t.Errorf("%s: %s, want %s", held, got["x"], want)
		}
	}
}
