//go:build slow

package kfpgo_test

import "testing"

// TestConsumersTidy: go mod tidy, which fetches what the tests of dependencies
// need, works in consumers with no replace of their own.
func TestConsumersTidy(t *testing.T) {
	for name, program := range map[string]string{"k8s": alsoK8s, "compiler": alsoCompiler} {
		t.Run(name, func(t *testing.T) {
			dir := consumer(t, program, "v0.0.0")
			env := []string{"GOFLAGS=", "GOWORK=off"}
			run(t, dir, env, "go", "mod", "tidy")
			checkConsumer(t, dir, env, name)
		})
	}
}
