// Command kfpgo compiles pipelines that are written in Go, and runs them.
//
// Results go to the standard output, messages to the standard error. The exit
// code is 0 if all went well, 1 if the work failed, 2 for wrong usage and 130
// after ctrl-C.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	_ "github.com/kfpgo/kfpgo/cmd/kfpgo/internal/first"
	"github.com/kfpgo/kfpgo/internal/net/contexts"
)

func main() {
	contexts.Hide()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second ctrl-C ends kfpgo at once
	cmd := newRoot()
	err := cmd.ExecuteContext(ctx)
	interrupted := ctx.Err() != nil
	stop()
	code := exitCode(cmd.ErrOrStderr(), err, interrupted)
	stdout.Flush()
	stderr.Flush()
	os.Exit(code)
}
