package dsl

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/kfpgo/kfpgo/internal/graph"
	"github.com/kfpgo/kfpgo/internal/record"
)

// The verbs are reserved first arguments, spelled so that a program can have
// arguments of its own.
const (
	execVerb  = "kfpgo:exec"  // COMPONENT, EXECUTOR_INPUT or @FILE
	graphVerb = "kfpgo:graph" // the names of the variables that were given to Main
)

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
// the container of a [Func] component, or by kfpgo, Init does what was asked
// for and exits. Otherwise it returns.
func Init(defs ...any) {
	if len(os.Args) < 2 || !strings.HasPrefix(os.Args[1], "kfpgo:") {
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, func() { time.Sleep(10 * time.Second); os.Exit(1) })
	if err := dispatch(ctx, os.Args[1:], os.Stdout, defs); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func dispatch(ctx context.Context, args []string, w io.Writer, defs []any) error {
	switch {
	case args[0] == graphVerb:
		return graph.Write(w, program(defs, args[1:]))
	case args[0] == execVerb && len(args) == 3:
		c := find(defs, args[1])
		if c == nil {
			return fmt.Errorf("this program has no Go component %q", args[1])
		}
		input := []byte(args[2])
		if file, ok := strings.CutPrefix(args[2], "@"); ok {
			var err error
			if input, err = os.ReadFile(file); err != nil {
				return err
			}
		}
		if _, err := c.Run(ctx, json.RawMessage(input)); err != nil {
			return fmt.Errorf("%s: %w", args[1], err)
		}
		return nil
	}
	return fmt.Errorf("bad arguments %q", args)
}

// program returns the graph of the definitions; the names are their variables.
func program(defs []any, names []string) *graph.Graph {
	var roots []record.Root
	for i, d := range defs {
		if d, ok := d.(Definition); ok {
			r := d.root()
			if i < len(names) {
				r.Var = names[i]
			}
			roots = append(roots, r)
		}
	}
	g := record.Graph(roots)
	if info, ok := debug.ReadBuildInfo(); ok {
		g.Program = strings.TrimSuffix(info.Path, "/kfpgo_main")
	}
	return g
}

// find looks for a component in the definitions and all that they call. Where
// two have the name, the definition is wrong and neither runs.
func find(defs []any, name string) (found *record.Component) {
	n := 0
	seen := map[*record.Component]bool{}
	var visit func(c *record.Component)
	var inScope func(*record.Scope)
	visit = func(c *record.Component) {
		if seen[c] {
			return
		}
		seen[c] = true
		if c.Name == name && (c.Kind == graph.Func || c.OnLocal) {
			found = c
			n++
		}
		if c.Body != nil {
			inScope(c.Body)
		}
	}
	inScope = func(s *record.Scope) {
		for _, node := range s.Nodes {
			switch node := node.(type) {
			case *record.Task:
				visit(node.Component)
			case *record.Scope:
				inScope(node)
			}
		}
	}
	for _, d := range defs {
		if d, ok := d.(Definition); ok {
			if c := d.root().Component; c != nil {
				visit(c)
			}
		}
	}
	if n > 1 {
		return nil
	}
	return found
}
