package compiler_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
)

type GreetIn struct {
	Name dsl.Param[string] `default:"you"`
}

var Greet = dsl.Func("greet", func(_ context.Context, in GreetIn, _ *struct{}) error {
	fmt.Println("hello,", in.Name.Get())
	return nil
})

var Hello = dsl.Pipeline("hello", func(s *dsl.Scope, in GreetIn) struct{} {
	Greet.Call(s, in)
	return struct{}{}
})

func ExampleCompile() {
	yaml, err := compiler.Compile(Hello, compiler.KFP, compiler.Image("ghcr.io/acme/hello:1.0"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(string(yaml)) {
		if strings.HasPrefix(line, "# Name:") || strings.Contains(line, "image:") {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	// Output:
	// # Name: hello
	// image: ghcr.io/acme/hello:1.0
}

// print prints the lines of YAML that begin with one of some words.
func print(yaml []byte, err error, words ...string) {
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(string(yaml)) {
		for _, w := range words {
			if strings.HasPrefix(strings.TrimSpace(line), w) {
				fmt.Println(strings.TrimSpace(line))
			}
		}
	}
}

// What compiling may change: names, defaults, and whether results are kept.
func ExampleCompile_changed() {
	yaml, err := compiler.Compile(Hello, compiler.KFP, compiler.Image("ghcr.io/acme/hello:1.0"),
		compiler.Name("hello-nightly"), compiler.DisplayName("Hello, at night"),
		compiler.Defaults(map[string]any{"name": "moon"}), compiler.NoCache())
	print(yaml, err, "# Name:", "displayName:", "defaultValue:", "cachingOptions:")
	// Output:
	// # Name: hello-nightly
	// defaultValue: you
	// displayName: Hello, at night
	// cachingOptions: {}
	// defaultValue: moon
}

// A component alone is a pipeline of one task.
func ExampleCompile_component() {
	yaml, err := compiler.Compile(Greet, compiler.KFP, compiler.Image("ghcr.io/acme/hello:1.0"))
	print(yaml, err, "# Name:")
	// Output:
	// # Name: greet
}

// Objects for kubectl, for KFP servers that keep pipelines in Kubernetes.
func ExampleCompile_manifest() {
	yaml, err := compiler.Compile(Hello, compiler.KFPManifest, compiler.Image("ghcr.io/acme/hello:1.0"),
		compiler.Objects(compiler.Manifest{Namespace: "ml", Version: "hello-2", WithPipeline: true}))
	print(yaml, err, "kind:", "namespace:", "pipelineName:")
	// Output:
	// kind: Pipeline
	// namespace: ml
	// kind: PipelineVersion
	// namespace: ml
	// pipelineName: hello
}

// IR for a server that is older than the compiler.
func ExampleKFPVersion() {
	yaml, err := compiler.Compile(Hello, compiler.KFP, compiler.Image("ghcr.io/acme/hello:1.0"), compiler.KFPVersion("2.3"))
	print(yaml, err, "# Name:")
	// Output:
	// # Name: hello
}
