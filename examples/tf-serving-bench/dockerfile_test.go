package tfservingbench_test

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kfpgo/kfpgo/compiler"
	tfservingbench "github.com/kfpgo/kfpgo/examples/tf-serving-bench"
)

// dockerfiles are the build arguments that each Dockerfile of TensorFlow Serving declares
// at the tag that is built. None of them copies anything from the build context: the two
// that compile download the tarball of TF_SERVING_VERSION_GIT_COMMIT, by default that
// of HEAD, and the two others copy the server out of the image TF_SERVING_BUILD_IMAGE.
var dockerfiles = map[string][]string{
	"Dockerfile.devel":     {"TF_SERVING_VERSION_GIT_BRANCH", "TF_SERVING_VERSION_GIT_COMMIT", "DEBIAN_FRONTEND", "TF_SERVING_BUILD_OPTIONS", "TF_SERVING_BAZEL_OPTIONS"},
	"Dockerfile.devel-gpu": {"TF_SERVING_VERSION_GIT_BRANCH", "TF_SERVING_VERSION_GIT_COMMIT", "DEBIAN_FRONTEND", "TF_SERVING_BUILD_OPTIONS", "TF_SERVING_BAZEL_OPTIONS"},
	"Dockerfile":           {"TF_SERVING_VERSION", "TF_SERVING_BUILD_IMAGE", "TF_SERVING_VERSION_GIT_BRANCH", "TF_SERVING_VERSION_GIT_COMMIT"},
	"Dockerfile.gpu":       {"TF_SERVING_VERSION", "TF_SERVING_BUILD_IMAGE", "TF_SERVING_VERSION_GIT_BRANCH", "TF_SERVING_VERSION_GIT_COMMIT"},
}

// TestBuildArguments: each build sets what its Dockerfile declares, and among that what
// decides which source is built, or which image the server is copied out of.
func TestBuildArguments(t *testing.T) {
	ir, err := compiler.Compile(tfservingbench.Pipeline, compiler.KFP, compiler.Image("ghcr.io/acme/steps:1"))
	if err != nil {
		t.Fatal(err)
	}
	var file any
	if err := yaml.Unmarshal([]byte(strings.Split(string(ir), "\n---\n")[0]), &file); err != nil {
		t.Fatal(err)
	}
	recipes := tfservingbench.Recipes()
	for _, c := range []struct {
		task     string
		file     func(tfservingbench.Recipe) string
		decisive []string
	}{
		{"build-server", func(r tfservingbench.Recipe) string { return r.Dockerfile.Get() }, []string{"TF_SERVING_VERSION_GIT_COMMIT=2.16.1", "TF_SERVING_BUILD_OPTIONS={"}},
		{"build-server-2", func(r tfservingbench.Recipe) string { return r.Runtime.Get() }, []string{"TF_SERVING_BUILD_IMAGE={", "TF_SERVING_VERSION_GIT_COMMIT=2.16.1"}},
	} {
		args := buildArguments(file, c.task)
		for _, want := range c.decisive {
			if !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, want) }) {
				t.Errorf("%s: the build arguments are %q, without %s", c.task, args, want)
			}
		}
		for _, r := range recipes {
			folder, name, _ := strings.Cut(c.file(r), "docker/")
			declared, ok := dockerfiles[name]
			if !ok || folder != "tensorflow_serving/tools/" {
				t.Errorf("%s: TensorFlow Serving has no %s", r.Name.Get(), c.file(r))
			}
			for _, a := range args {
				if arg, _, _ := strings.Cut(a, "="); !slices.Contains(declared, arg) {
					t.Errorf("%s: %s declares no argument %s", r.Name.Get(), name, arg)
				}
			}
		}
	}
}

// buildArguments returns the constants among the build arguments of a task of the IR.
func buildArguments(file any, task string) (args []string) {
	switch v := file.(type) {
	case []any:
		for _, e := range v {
			args = append(args, buildArguments(e, task)...)
		}
	case map[string]any:
		at := func(v any, keys ...string) any {
			for _, key := range keys {
				m, _ := v.(map[string]any)
				v = m[key]
			}
			return v
		}
		params, _ := at(v, task, "inputs", "parameters").(map[string]any)
		for name, p := range params {
			if text, ok := at(p, "runtimeValue", "constant").(string); ok && strings.HasPrefix(name, "build_arg") {
				args = append(args, text)
			}
		}
		for _, e := range v {
			args = append(args, buildArguments(e, task)...)
		}
	}
	return args
}
