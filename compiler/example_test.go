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
