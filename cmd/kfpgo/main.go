// Command kfpgo compiles and runs pipelines that are written in Go.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/kfpgo/kfpgo/internal/discover"
	"github.com/kfpgo/kfpgo/internal/graph"
)

func main() {
	format := flag.String("format", "text", "text or json")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: kfpgo [-format text|json] graph PACKAGE[#VARIABLE]")
	}
	flag.Parse()
	if flag.NArg() != 2 || flag.Arg(0) != "graph" || *format != "text" && *format != "json" {
		flag.Usage()
		os.Exit(2)
	}
	if err := show(flag.Arg(1), *format); err != nil {
		fmt.Fprintln(os.Stderr, "kfpgo:", err)
		os.Exit(1)
	}
}

// show prints what a package defines.
func show(arg, format string) error {
	pattern, name, _ := strings.Cut(arg, "#")
	p, err := discover.Build(".", pattern)
	if err != nil {
		return err
	}
	g, err := p.Graph()
	if err != nil {
		return err
	}
	if format == "json" {
		return graph.Write(os.Stdout, g)
	}
	var errs []error
	for _, e := range g.Errors {
		errs = append(errs, e)
	}
	if errs != nil {
		return errors.Join(errs...)
	}
	c, err := g.Pick(name)
	if err != nil {
		return err
	}
	graph.Fprint(os.Stdout, g, c)
	return nil
}
