// Command windows checks runs on this machine, as a program and not as a test, so that one
// that is built for Windows on Linux can be started in Wine: a Wine that has bcryptprimitives.dll,
// as from 9 on. It prints ok.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/local"
)

type written struct {
	Size dsl.Param[int]
	Data dsl.Dataset
}

// Write leaves an artifact, and a program that runs until somebody ends it.
var Write = dsl.Func("write", func(_ context.Context, in struct{ Left dsl.Param[string] }, out *written) error {
	f, err := out.Data.Create()
	if err != nil {
		return err
	}
	n, err := io.WriteString(f, "some data")
	out.Size.Set(n)
	child := exec.Command(os.Args[0], wait, in.Left.Get())
	pipe, err2 := child.StdoutPipe()
	if err := errors.Join(err, err2, f.Close(), child.Start()); err != nil {
		return err
	}
	_, err = pipe.Read(make([]byte, 1)) // it runs, with the file open
	return err
})

type read struct{ Text dsl.Param[string] }

// Read reads the artifact.
var Read = dsl.Func("read", func(_ context.Context, in written, out *read) error {
	b, err := os.ReadFile(in.Data.Path())
	out.Text.Set(fmt.Sprintf("%d %s", in.Size.Get(), b))
	return err
})

var pipeline = dsl.Pipeline("on-windows", func(s *dsl.Scope, in struct{ Left dsl.Param[string] }) read {
	return Read.Call(s, Write.Call(s, in).Out).Out
})

// Block ends when it is asked to, with an output on the way.
var Block = dsl.Func("block", func(ctx context.Context, in struct{ Started dsl.Param[string] }, _ *struct{}) error {
	if err := os.WriteFile(in.Started.Get(), nil, 0o600); err != nil {
		return err
	}
	<-ctx.Done()
	return errors.Join(os.WriteFile(in.Started.Get()+".asked", nil, 0o600), ctx.Err())
})

var blocked = dsl.Pipeline("blocked-on-windows", func(s *dsl.Scope, in struct{ Started dsl.Param[string] }) struct{} {
	Block.Call(s, in)
	return struct{}{}
})

// wait is the first argument of a copy of this program that ends only when it is ended.
const wait = "wait"

func main() {
	dsl.Init(pipeline, blocked)
	if len(os.Args) == 3 && os.Args[1] == wait {
		if _, err := os.Create(os.Args[2]); err == nil {
			fmt.Print(".")
			time.Sleep(time.Hour)
		}
		return
	}
	if err := check(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("ok")
}

func check() error {
	dir, err := os.MkdirTemp("", "kfpgo-windows-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	o := local.Options{Home: filepath.Join(dir, "home")}

	left := filepath.Join(dir, "left")
	r, err := local.Run(ctx, pipeline, struct{ Left dsl.Param[string] }{dsl.Const(left)}, o)
	if err != nil {
		return err
	}
	if got := r.Out.Text.Get(); got != "9 some data" {
		return fmt.Errorf("the second step read %q", got)
	}
	// Windows removes no file that a program has open, and another process can't be there
	// without it.
	if err := os.Remove(left); err != nil {
		return fmt.Errorf("the program that a step left behind runs: %w", err)
	}

	started := filepath.Join(dir, "started")
	stop, cancelRun := context.WithCancel(ctx)
	go func() {
		for stop.Err() == nil {
			if _, err := os.Stat(started); err == nil {
				cancelRun()
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	_, err = local.Run(stop, blocked, struct{ Started dsl.Param[string] }{dsl.Const(started)}, o)
	if err == nil {
		return errors.New("a run that was cancelled succeeded")
	}
	if _, asked := os.Stat(started + ".asked"); asked != nil {
		fmt.Println("the step of the cancelled run was killed, since there is no console for ctrl-break")
	}
	return nil
}
