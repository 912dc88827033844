package dsl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/source"
)

// grace is how long a step may take to end after SIGTERM.
const grace = 10 * time.Second

// Main is the whole main function of a program that only holds pipelines.
//
//	func main() { dsl.Main(mnist.Pipeline, mnist.Nightly) }
//
// Most programs need none: kfpgo makes one for the package that it is given.
// What isn't a [Definition] is skipped, so that it may pass all variables.
func Main(defs ...any) {
	Init(defs...)
	fmt.Fprintln(os.Stderr, "this program holds pipelines; use kfpgo to compile or run them")
	os.Exit(2)
}

// Init comes first in the main function of a program that also does other
// things, such as submitting its pipelines. Where the program was started as
// the container of a [Func] component, or by kfpgo, Init does that work
// and exits. Otherwise it returns.
func Init(defs ...any) {
	record.Reexec = true
	if len(os.Args) < 2 || !strings.HasPrefix(os.Args[1], contract.Own) {
		return
	}
	if os.Args[1] != contract.Graph {
		source.Off()
	}
	if os.Args[1] == contract.Exec {
		crashOutput(terminationLog)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, func() {
		time.Sleep(grace)
		fmt.Fprintf(os.Stderr, "%s: did not end in the %v after SIGTERM\n", strings.Join(os.Args[1:min(3, len(os.Args))], " "), grace)
		os.Exit(1)
	})
	if err := dispatch(ctx, os.Args[1:], os.Stdout, defs); err != nil {
		if p := (*panicked)(nil); errors.As(err, &p) {
			os.Stderr.Write(p.stack)
		}
		fmt.Fprintln(os.Stderr, err) // last: it is what the engine of this machine looks for
		if os.Args[1] == contract.Exec {
			lastWords(terminationLog, err)
		}
		os.Exit(1)
	}
	os.Exit(0)
}

// terminationLog is the file whose text Kubernetes keeps as the message of a
// container that has ended. Argo makes it the message of the task, and of the
// final status that exit handlers get.
const terminationLog = "/dev/termination-log"

// maxLastWords is how much of an error goes there. Kubernetes takes twice that.
const maxLastWords = 2048

// lastWords writes an error to a file that is there already. Outside a container
// of Kubernetes there is none, and none is made.
func lastWords(file string, err error) {
	f, openErr := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
	if openErr != nil {
		return
	}
	defer f.Close()
	msg := err.Error()
	if len(msg) > maxLastWords {
		msg = strings.ToValidUTF8(msg[:maxLastWords], "") + "…"
	}
	io.WriteString(f, msg)
}

// crashOutput has Go's runtime write to such a file, too, what it writes when a
// goroutine of the step's own panics: nothing can recover that.
func crashOutput(file string) {
	if f, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0); err == nil {
		debug.SetCrashOutput(f, debug.CrashOptions{})
		f.Close()
	}
}

func dispatch(ctx context.Context, args []string, w io.Writer, defs []any) error {
	switch {
	case args[0] == contract.Graph:
		return graph.Write(w, program(defs, args[1:]))
	case args[0] == contract.Objects:
		return planAll(ctx, os.Stdin, w, record.ComponentsOf(defs))
	case args[0] == contract.Exec && len(args) == 3:
		run := func(_ context.Context, input json.RawMessage) (json.RawMessage, error) { return nil, passOn(input) }
		if args[1] != contract.HandOn {
			c, err := record.Find(record.ComponentsOf(defs), args[1])
			if err != nil {
				return err
			}
			run = c.Run
		}
		input := []byte(args[2])
		if file, ok := strings.CutPrefix(args[2], "@"); ok {
			var err error
			if input, err = os.ReadFile(file); err != nil {
				return err
			}
		}
		_, err := run(ctx, json.RawMessage(input))
		switch {
		case err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled):
			return fmt.Errorf("%s: got SIGTERM: %w", args[1], err)
		case err != nil:
			return fmt.Errorf("%s: %w", args[1], err)
		}
		return nil
	}
	return fmt.Errorf("bad arguments %q; kfpgo:exec takes a component and an executor input, or @ and the file that holds it", args)
}

// rootsOf returns the roots of what is a definition.
func rootsOf(defs []any, names ...string) (roots []record.Root) {
	for i, d := range defs {
		if d, ok := d.(Definition); ok && !isNil(d) {
			r := d.root()
			if i < len(names) {
				r.Var = names[i]
			}
			roots = append(roots, r)
		}
	}
	return roots
}

// isNil reports whether a variable holds no definition yet.
func isNil(d Definition) bool {
	v := reflect.ValueOf(d)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// program returns the graph of the definitions; the names are their variables.
func program(defs []any, names []string) *graph.Graph {
	g := record.Graph(rootsOf(defs, names...))
	if info, ok := debug.ReadBuildInfo(); ok {
		g.Program = strings.TrimSuffix(info.Path, "/kfpgo_main")
	}
	return g
}
