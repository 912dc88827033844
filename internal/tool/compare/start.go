package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/contract"
)

const goNothing = "package main\n\nfunc main() {}\n"

// A start is a program and how many times as long as one that does nothing it may take.
type start struct {
	name string
	args []string
	most float64
}

// starts measures how long programs take to start, do next to nothing, and end. What
// packages do when they are initialized is most of it. All take turns, so that what
// else the machine does is the same to all.
func (c *comparison) starts() error {
	nothing, step, program := filepath.Join(c.dir, "nothing"), filepath.Join(c.dir, "start.step"), filepath.Join(c.dir, "chain10.program")
	if err := c.write("nothing/main.go", goNothing); err != nil {
		return err
	}
	if err := c.write("step/main.go", stepProgram(10)); err != nil {
		return err
	}
	for _, args := range [][]string{{"build", "-o", nothing + ".program", "./nothing"}, {"build", "-o", step, "./step"}} {
		if err := c.call(c.dir, "go", args...); err != nil {
			return err
		}
	}
	all := []start{
		{"a Go program that does nothing", []string{nothing + ".program"}, 1},
		{"a step", []string{step, contract.Exec, "add", c.input("start")}, mostStep},
		{"a program that compiles 10 tasks", []string{program, filepath.Join(c.dir, "start.yaml")}, mostProgram},
		{"kfpgo version", []string{c.kfpgo, "version"}, mostStart},
	}
	best := make([]time.Duration, len(all))
	for range 4 * max(c.times, 1) {
		for i, s := range all {
			took, err := c.quickest(1, c.cmd(s.args[0], s.args[1:]...))
			if err != nil {
				return err
			}
			if best[i] == 0 || took.time < best[i] {
				best[i] = took.time
			}
		}
	}
	return c.reportStarts(all, best)
}

// reportStarts prints what the programs took, the first of which does nothing, and says
// where that is too long.
func (c *comparison) reportStarts(all []start, best []time.Duration) error {
	w := tabwriter.NewWriter(c.out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "\nfrom start to end\ttime\ttimes as long\tat most")
	var slow []string
	for i, s := range all {
		ratio := times(best[i], best[0])
		fmt.Fprintf(w, "%s\t%s\t%.1f\t%.0f\n", s.name, shown(best[i]), ratio, s.most)
		if ratio > s.most {
			slow = append(slow, fmt.Sprintf("%s takes %.1f times as long as a program that does nothing, want at most %.0f", s.name, ratio, s.most))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	switch text := strings.Join(slow, "\n"); {
	case text == "":
	case c.check:
		return errors.New("slow to start:\n" + text)
	default:
		fmt.Fprintf(c.out, "\nSlower to start than wanted:\n%s\n", text)
	}
	return nil
}

// stepProgram is the program of a package of n tasks, as it would be in the image.
func stepProgram(n int) string {
	return strings.Replace(fmt.Sprintf(goFunctions, n), "package local", "package main", 1) + "\nfunc main() { dsl.Main(Pipeline) }\n"
}
