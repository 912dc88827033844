package argo

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestVariables: an error about a value that a variable of the environment has
// names the variable.
func TestVariables(t *testing.T) {
	for _, tt := range []struct{ variable, bad string }{
		{"ARGO_SERVER", "::bad"}, {"KFPGO_CONTEXT", "nope"}, {"KFPGO_CONFIG", t.TempDir()}, {"KFPGO_CA", "/nonexistent"},
		{"KFPGO_TOKEN", "a\nb"}, {"ARGO_TOKEN", "a\nb"},
	} {
		t.Run(tt.variable, func(t *testing.T) {
			t.Setenv("HOME", t.TempDir())
			for _, unset := range []string{"KUBECONFIG", "KFPGO_CONTEXT", "KFPGO_CA", "KFPGO_TOKEN", "ARGO_TOKEN"} {
				t.Setenv(unset, "")
			}
			t.Setenv("KFPGO_CONFIG", filepath.Join(t.TempDir(), "config.yaml"))
			t.Setenv("ARGO_SERVER", "127.0.0.1:1")
			t.Setenv(tt.variable, tt.bad)
			o, err := FromContext("")
			if err == nil {
				_, err = Connect(o)
			}
			if err == nil || !strings.Contains(err.Error(), tt.variable) {
				t.Errorf("%s=%q: %v", tt.variable, tt.bad, err)
			}
		})
	}
}
