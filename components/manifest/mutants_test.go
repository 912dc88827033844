package manifest_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kfpgo/kfpgo/components/manifest"
	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

// TestMutants: a manifest with null, or something else, in any place is a mistake, or
// stays what it is.
func TestMutants(t *testing.T) {
	const good = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x, labels: {a: b}, ownerReferences: [{name: x}]}\nspec:\n  replicas: 2\n  template:\n    spec:\n      containers: [{name: c, image: i, args: [a], resources: {limits: {cpu: 1}}}]\n"
	mutants.Each(t, []byte(good), func(bad []byte) { manifest.Strict(string(bad), appsv1.Deployment{}) })
	for _, text := range []string{"", "null", "- null", "---\n---\n", "a: &a [*a]", "&a {spec: *a}", "spec: &s {template: {spec: *s}}"} {
		mutants.Try(t, text, []byte(text), func(b []byte) { manifest.Strict(string(b), appsv1.Deployment{}) })
	}
}
