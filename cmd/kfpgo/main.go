// Command kfpgo compiles pipelines that are written in Go, and runs them.
//
// Results go to the standard output, messages to the standard error. The exit
// code is 0 if all went well, 1 if the work failed, 2 for wrong usage and 130
// after ctrl-C.
//
// Its commands are in packages below internal, a group of them in each.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
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
	code := cli.ExitCode(cmd.ErrOrStderr(), err, interrupted)
	cli.Stdout.Flush()
	cli.Stderr.Flush()
	os.Exit(code)
}
