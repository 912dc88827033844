// Command mnist learns to read handwritten digits. Its pipeline, in package digits,
// downloads MNIST into a volume, trains several models side by side, in Go or in
// TensorFlow, evaluates the best one, and serves it if it is good enough. It runs
// every night.
//
// The command is what the steps run, and what the pipeline deploys: a server for
// the model.
//
//	kfpgo run ./examples/mnist
//	go run ./examples/mnist serve -model model.json
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/mnist/digits"
)

// What kfpgo finds in the command.
var (
	Pipeline = digits.Pipeline
	Nightly  = digits.Nightly
)

const usage = `usage: mnist serve -model FILE [-addr HOST:PORT]

To compile or run the pipeline, use kfpgo: kfpgo run ./examples/mnist
`

func main() {
	dsl.Init(Pipeline, Nightly)
	if len(os.Args) < 2 || os.Args[1] != "serve" {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	flags := flag.NewFlagSet("mnist serve", flag.ExitOnError)
	model := flags.String("model", "", "the model's `file`, as the pipeline writes it")
	addr := flags.String("addr", "127.0.0.1:8501", "the `address` to listen on")
	flags.Parse(os.Args[2:])

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := digits.ListenAndServe(ctx, *model, *addr); err != nil {
		fmt.Fprintln(os.Stderr, "mnist:", err)
		os.Exit(1)
	}
}
