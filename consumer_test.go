package kfpgo_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const onlyDSL = `package main

import (
	"context"

	"github.com/kfpgo/kfpgo/dsl"
)

type In struct{ Name dsl.Param[string] }

var Step = dsl.Func("step", func(context.Context, In, *dsl.None) error { return nil })

var Pipeline = dsl.Pipeline("consumer", func(s *dsl.Scope, in In) dsl.None {
	Step.Call(s, in)
	return dsl.None{}
})

func main() { dsl.Main(Pipeline) }
`

const alsoK8s = `package main

import (
	"github.com/kfpgo/kfpgo/components/kserve"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

var Pipeline = dsl.Pipeline("consumer", func(s *dsl.Scope, in kserve.ServeIn) kserve.ServeOut {
	return kserve.Serve.Call(s, in, k8s.NodeSelector("pool", "cpu")).Out
})

func main() { dsl.Main(Pipeline) }
`

const alsoCompiler = `package main

import (
	"context"
	"fmt"
	"os"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/compiler/argo"
	"github.com/kfpgo/kfpgo/dsl"
)

var Step = dsl.Func("step", func(context.Context, dsl.None, *dsl.None) error { return nil })

var Pipeline = dsl.Pipeline("consumer", func(s *dsl.Scope, _ dsl.None) dsl.None {
	Step.Call(s, dsl.None{})
	return dsl.None{}
})

func main() {
	dsl.Init(Pipeline)
	for _, target := range []compiler.Target{compiler.KFP, argo.Workflow} {
		yaml, err := compiler.Compile(Pipeline, target, compiler.Image("example.com/consumer:1"))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%s---\n", yaml)
	}
}
`

// consumer makes a module outside the repository that requires kfpgo and nothing
// else, with a local replace where the version is none of the proxy's.
func consumer(t *testing.T, program, version string) (dir string) {
	t.Helper()
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	mod := "module example.com/consumer\n\ngo 1.26.0\n\nrequire " + module + " " + version + "\n"
	if version == "v0.0.0" {
		mod += "\nreplace " + module + " => " + filepath.ToSlash(root) + "\n"
	}
	write(t, filepath.Join(dir, "go.mod"), mod)
	write(t, filepath.Join(dir, "main.go"), program)
	return dir
}

// offline keeps the go command from the network: modules come from the cache.
var offline = []string{"GOPROXY=off", "GOSUMDB=off", "GOFLAGS=-mod=mod", "GOWORK=off"}

// TestConsumerOfDSL: a program that imports dsl alone builds with a require and a
// replace of kfpgo itself and without any go.sum, and go mod tidy adds nothing to
// its go.mod.
func TestConsumerOfDSL(t *testing.T) {
	dir := consumer(t, onlyDSL, "v0.0.0")
	before := string(read(t, filepath.Join(dir, "go.mod")))
	run(t, dir, append(slices.Clone(offline), "GOFLAGS=-mod=readonly"), "go", "build", "-o", "consumer", ".")
	run(t, dir, offline, "go", "mod", "tidy")
	if after := string(read(t, filepath.Join(dir, "go.mod"))); after != before {
		t.Errorf("go mod tidy made of go.mod\n%s", after)
	}
}

// TestConsumers: programs that import more build with no replace of their own. Their
// go mod tidy looks for the tests of what they import, so it is a slow test.
func TestConsumers(t *testing.T) {
	for name, program := range map[string]string{"k8s": alsoK8s, "compiler": alsoCompiler} {
		t.Run(name, func(t *testing.T) {
			dir := consumer(t, program, "v0.0.0")
			checkConsumer(t, dir, offline, name)
		})
	}
}

func checkConsumer(t *testing.T, dir string, env []string, name string) {
	t.Helper()
	run(t, dir, env, "go", "build", "-o", "consumer", ".")
	if n := strings.Count(string(read(t, filepath.Join(dir, "go.mod"))), "=>"); n != 1 {
		t.Errorf("go.mod has %d replaces, want the one of kfpgo", n)
	}
	if name != "compiler" {
		return
	}
	out := run(t, dir, nil, filepath.Join(dir, "consumer"))
	for _, want := range []string{"schemaVersion: ", "kind: Workflow", "example.com/consumer:1"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output has no %q:\n%s", want, out)
		}
	}
}

// TestInstall: what go install makes of a version from a module proxy works, and
// says which version it is.
func TestInstall(t *testing.T) {
	r := publish(t)
	r.install(t)
	if got := run(t, r.dir, nil, filepath.Join(r.bin, "kfpgo"), "version"); !strings.Contains(got, r.version) {
		t.Errorf("kfpgo version says %q, want %s in it", got, r.version)
	}

	// A consumer that requires that version tidies against the proxy.
	user := consumer(t, onlyDSL, r.version)
	run(t, user, r.env, "go", "mod", "tidy")
	run(t, user, r.env, "go", "build", "-o", "consumer", ".")
	if mod := string(read(t, filepath.Join(user, "go.mod"))); strings.Contains(mod, "indirect") || !strings.Contains(mod, r.version) {
		t.Errorf("go mod tidy made of go.mod\n%s", mod)
	}
}
