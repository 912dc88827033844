// Command compare measures kfpgo beside KFP's own Python SDK, and Hera where it is
// there: whole processes, the same pipelines. It times how long it takes from a command
// to YAML on disk, for pipelines of 10, 100 and 1,000 tasks, what a task costs in a run
// on this machine, and how a step starts, and writes a page with graphs. It fails if
// kfpgo's IR isn't equal to Python's, if it is less faster than it promises to be, or if
// programs take longer to start than they should beside one that does nothing.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
)

// How many times faster than Python it must be: kfpgo compile of a package that
// has not changed, at most sizes and at 1,000 tasks, and a program of one's own
// that was built before.
const leastCommand, leastLarge, leastProgram, large = 20, 200, 100, 1000

// How many times as long as a Go program that does nothing each may take to start
// and end: kfpgo, a step in its container, and a program that compiles 10 tasks.
const mostStart, mostStep, mostProgram = 15, 4, 6

// How much longer kfpgo compile may take after an edit than go build, for a small pipeline:
// that is kfpgo's own share.
const mostShare, small = 60 * time.Millisecond, 10

func main() {
	c := comparison{out: os.Stdout}
	flag.StringVar(&c.python, "python", os.Getenv("KFP_PYTHON"), "`program` that has kfp 2.17; default KFP_PYTHON")
	flag.IntVar(&c.times, "n", 7, "how often each is done; the quickest counts")
	flag.BoolVar(&c.check, "check", false, "fail where it is slower than wanted")
	flag.StringVar(&c.page, "o", "", "also measure runs and steps, and write a page with graphs to this `folder`")
	flag.Parse()
	if err := c.run([]int{10, 100, 1000}); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

type comparison struct {
	python string // or none
	times  int
	check  bool // fail where it is slower than wanted
	page   string
	out    io.Writer

	root, dir, kfpgo string
}

// A row is what one size takes.
type row struct {
	tasks                                       int
	python, unchanged, afterEdit, program, hera cost
	goBuild                                     cost // of the same pipeline with a main, after an edit
}

// A cost is what a command takes at best: its time, and the memory of its largest process.
type cost struct {
	time   time.Duration
	memory int64 // bytes
}

func (c *comparison) run(sizes []int) (err error) {
	if c.root, err = filepath.Abs("."); err != nil {
		return err
	}
	if c.dir, err = os.MkdirTemp("", "kfpgo-compare-"); err != nil {
		return err
	}
	defer os.RemoveAll(c.dir)
	c.kfpgo = filepath.Join(c.dir, "kfpgo")
	if err := c.call(c.root, "go", "build", "-o", c.kfpgo, "./cmd/kfpgo"); err != nil {
		return err
	}
	mod := fmt.Sprintf("module example.com/chain\n\ngo 1.26.0\n\nrequire github.com/kfpgo/kfpgo v0.0.0\n\nreplace github.com/kfpgo/kfpgo => %s\n", c.root)
	if err := c.write("go.mod", mod); err != nil {
		return err
	}
	var rows []row
	for _, n := range sizes {
		r, err := c.size(n)
		if err != nil {
			return fmt.Errorf("%d tasks: %w", n, err)
		}
		rows = append(rows, r)
	}
	err = c.report(rows)
	if failed := c.starts(); failed != nil {
		err = errors.Join(err, failed)
	}
	if c.page != "" {
		m, failed := c.measure(rows)
		if failed != nil {
			return failed
		}
		if failed := m.write(c.page); failed != nil {
			return failed
		}
		fmt.Fprintln(c.out, "\nThe page is", filepath.Join(c.page, "index.html"))
	}
	return err
}

// size compares pipelines of one size.
func (c *comparison) size(n int) (r row, err error) {
	r.tasks = n
	pkg := fmt.Sprintf("chain%d", n)
	ours, program, theirs := filepath.Join(c.dir, "kfpgo.yaml"), filepath.Join(c.dir, pkg+".program"), filepath.Join(c.dir, "kfp.yaml")
	compile := []string{"compile", "./" + pkg, "-o", ours}
	if err := c.write(pkg+"/chain.go", fmt.Sprintf(goPipeline, pkg, n)); err != nil {
		return r, err
	}
	if n == 10 { // the list of modules is complete with the first package
		if err := c.call(c.dir, "go", "mod", "tidy"); err != nil {
			return r, err
		}
	}
	if err := c.call(c.dir, c.kfpgo, compile...); err != nil {
		return r, err
	}
	if r.unchanged, err = c.quickest(c.times, c.cmd(c.kfpgo, compile...)); err != nil {
		return r, err
	}
	edit := func(i int) error { return c.write(pkg+"/edited.go", edited(pkg, i)) }
	r.afterEdit, err = c.quickest(min(c.times, 3), c.cmd(c.kfpgo, compile...), edit)
	if err != nil {
		return r, err
	}
	if r.goBuild, err = c.goBuild(pkg, n); err != nil {
		return r, err
	}
	if err := c.build(n, program); err != nil {
		return r, err
	}
	if r.program, err = c.quickest(c.times, c.cmd(program, ours)); err != nil || c.python == "" {
		return r, err
	}
	if err := c.write(pkg+".py", fmt.Sprintf(pyPipeline, n)); err != nil {
		return r, err
	}
	kfp := filepath.Join(filepath.Dir(c.python), "kfp")
	again := min(c.times, 3)
	if n >= large {
		again = 1
	}
	r.python, err = c.quickest(again, c.cmd(kfp, "dsl", "compile", "--py", pkg+".py", "--output", theirs))
	if err != nil {
		return r, err
	}
	if err := equal(ours, theirs); err != nil || !c.has("hera") {
		return r, err
	}
	if err := c.write("hera_"+pkg+".py", fmt.Sprintf(heraPipeline, n)); err != nil {
		return r, err
	}
	r.hera, err = c.quickest(again, c.cmd(c.python, "hera_"+pkg+".py", filepath.Join(c.dir, "hera.yaml")))
	return r, err
}

// goBuild measures go build of a pipeline with a main after an edit, with the flags that
// kfpgo compile gives it.
func (c *comparison) goBuild(pkg string, n int) (cost, error) {
	dir := pkg + "main"
	text := fmt.Sprintf(goPipeline, "main", n) + "\nfunc main() { dsl.Main(Pipeline) }\n"
	if err := c.write(dir+"/chain.go", text); err != nil {
		return cost{}, err
	}
	edit := func(i int) error { return c.write(dir+"/edited.go", edited("main", i)) }
	build := c.cmd("go", "build", "-ldflags=-w", "-o", filepath.Join(c.dir, dir+".program"), "./"+dir)
	if _, err := c.quickest(1, build); err != nil {
		return cost{}, err
	}
	return c.quickest(min(c.times, 3), build, edit)
}

// build builds the program that compiles a pipeline itself. It needs all that
// package compiler does, so it is built as if it lay in this module.
func (c *comparison) build(n int, to string) error {
	replace := map[string]string{}
	for name, text := range map[string]string{"main.go": goMain, "chain.go": fmt.Sprintf(goPipeline, "main", n)} {
		file := fmt.Sprintf("program%d/%s", n, name)
		if err := c.write(file, text); err != nil {
			return err
		}
		replace[filepath.Join(c.root, "internal", "tool", "compare", "chain", name)] = filepath.Join(c.dir, file)
	}
	var pairs []string
	for from, to := range replace {
		pairs = append(pairs, fmt.Sprintf("%q: %q", from, to))
	}
	if err := c.write("overlay.json", `{"Replace": {`+strings.Join(pairs, ", ")+"}}"); err != nil {
		return err
	}
	return c.call(c.root, "go", "build", "-overlay", filepath.Join(c.dir, "overlay.json"), "-o", to, "./internal/tool/compare/chain")
}

// cmd returns a command that is run in the folder.
func (c *comparison) cmd(name string, args ...string) func() *exec.Cmd {
	return func() *exec.Cmd {
		cmd := exec.Command(name, args...)
		cmd.Dir = c.dir
		cmd.Env = c.env()
		return cmd
	}
}

// quickest returns what a command takes at best, with what comes before it left out:
// what else the machine does only adds to it.
func (c *comparison) quickest(times int, f func() *exec.Cmd, before ...func(int) error) (best cost, err error) {
	for i := range max(times, 1) {
		for _, b := range before {
			if err := b(i); err != nil {
				return best, err
			}
		}
		cmd := f()
		start := time.Now()
		out, err := cmd.CombinedOutput()
		took := time.Since(start)
		if err != nil {
			return best, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
		}
		if i == 0 || took < best.time {
			best.time = took
		}
		if used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && (i == 0 || used.Maxrss<<10 < best.memory) {
			best.memory = used.Maxrss << 10 // Linux counts in KiB
		}
	}
	return best, nil
}

// has reports whether the Python has a module.
func (c *comparison) has(module string) bool {
	return c.python != "" && exec.Command(c.python, "-c", "import "+module).Run() == nil
}

func (c *comparison) env() []string {
	return append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off", "GOSUMDB=off", "KFPGO_HOME="+filepath.Join(c.dir, "home"))
}

func (c *comparison) call(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = c.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
	return nil
}

func (c *comparison) write(name, text string) error {
	file := filepath.Join(c.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// equal compares two files of IR.
func equal(ours, theirs string) error {
	got, err := os.ReadFile(ours)
	if err != nil {
		return err
	}
	want, err := os.ReadFile(theirs)
	if err != nil {
		return err
	}
	differences, err := irdiff.Compare(got, want)
	if err == nil && len(differences) > 0 {
		err = fmt.Errorf("the IR differs from Python's: %s", strings.Join(differences[:min(len(differences), 5)], "; "))
	}
	return err
}

// report prints the measured times, and which of them are too long.
func (c *comparison) report(rows []row) error {
	w := tabwriter.NewWriter(c.out, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "tasks\tkfp (Python)\tkfpgo compile\tfaster\tbuilt program\tfaster\tafter an edit\tgo build\t")
	var slow []string
	for _, r := range rows {
		command, program := times(r.python.time, r.unchanged.time), times(r.python.time, r.program.time)
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", r.tasks, shown(r.python.time), shown(r.unchanged.time), factor(command), shown(r.program.time), factor(program), shown(r.afterEdit.time), shown(r.goBuild.time))
		if share := r.afterEdit.time - r.goBuild.time; r.tasks <= small && share > mostShare {
			slow = append(slow, fmt.Sprintf("%d tasks: after an edit, kfpgo compile takes %s longer than go build, want at most %s", r.tasks, shown(share), shown(mostShare)))
		}
		least := leastCommand
		if r.tasks >= large {
			least = leastLarge
		}
		if c.python == "" {
			continue
		}
		if command < float64(least) {
			slow = append(slow, fmt.Sprintf("%d tasks: kfpgo compile is %.0f times as fast as Python, want %d", r.tasks, command, least))
		}
		if program < leastProgram {
			slow = append(slow, fmt.Sprintf("%d tasks: a built program is %.0f times as fast as Python, want %d", r.tasks, program, leastProgram))
		}
	}
	err := w.Flush()
	if c.python == "" {
		fmt.Fprintln(c.out, "\nKFP_PYTHON names no Python with kfp, so there is nothing to compare with.")
	}
	fmt.Fprintln(c.out, "\nWhole processes. After an edit the package is built first; go build is that alone.")
	if len(slow) > 0 && c.check {
		return fmt.Errorf("too slow:\n%s", strings.Join(slow, "\n"))
	}
	if len(slow) > 0 {
		fmt.Fprintf(c.out, "\nSlower than wanted, which a busy machine may be the reason of:\n%s\n", strings.Join(slow, "\n"))
	}
	return err
}

func times(theirs, ours time.Duration) float64 { return float64(theirs) / float64(cmp.Or(ours, 1)) }

func factor(f float64) string {
	if f == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0fx", f)
}

func shown(d time.Duration) string {
	switch {
	case d == 0:
		return "-"
	case d < time.Second:
		return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}
