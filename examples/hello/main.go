// Command hello is a pipeline in one file.
package main

import (
	"context"

	"github.com/kfpgo/kfpgo/dsl"
)

type HelloIn struct {
	Name dsl.Param[string] `default:"World" doc:"who to greet"`
}

type HelloOut struct {
	Greeting dsl.Param[string]
}

var SayHello = dsl.Func("say-hello", func(_ context.Context, in HelloIn, out *HelloOut) error {
	out.Greeting.Set("Hello, " + in.Name.Get() + "!")
	return nil
})

var Pipeline = dsl.Pipeline("hello", func(s *dsl.Scope, in HelloIn) HelloOut {
	return SayHello.Call(s, in).Out
})

func main() { dsl.Main(Pipeline) }
