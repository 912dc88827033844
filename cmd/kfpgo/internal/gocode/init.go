// Package gocode has the commands that write Go: init, which starts a project, import, which
// makes a package of a compiled pipeline, and gen, which writes Go for components and
// for plain functions.
package gocode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/internal/build/scaffold"
	"github.com/kfpgo/kfpgo/internal/host/child"
)

// Commands returns init, import and gen.
func Commands() []*cobra.Command { return []*cobra.Command{newInit(), newImport(), newGen()} }

const modulePath = "github.com/kfpgo/kfpgo"

func newInit() *cobra.Command {
	var p scaffold.Project
	var names, docs []string
	for _, t := range scaffold.Templates {
		names = append(names, t.Name)
		docs = append(docs, fmt.Sprintf("  %-8s%s", t.Name, t.Doc))
	}
	cmd := &cobra.Command{
		Use:   "init NAME",
		Short: "Create a project: a pipeline with tests, a Makefile and a CI file",
		Long: `Init creates the folder NAME, which must not exist or must be empty, with a Go module: a
pipeline, its tests, its compiled YAML, a Makefile, and a CI file. Then it runs the
tests. The last element of NAME is the name of the pipeline. The templates are

` + strings.Join(docs, "\n") + `

The module requires the version of kfpgo that created it. If kfpgo was built from a
checkout, or with --checkout, the module uses that checkout.`,
		Example: `  kfpgo init digits --template mnist
  kfpgo init batch/nightly-sums --template batch --module example.com/nightly`,
		Args: cli.Exactly(1, "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(names, p.Template) {
				return cli.Usagef(cmd, "there is no template %q; the templates are %s", p.Template, strings.Join(names, ", "))
			}
			dir := args[0]
			abs, err := filepath.Abs(dir)
			if err != nil {
				return err
			}
			p.Name = filepath.Base(abs)
			if p.Module == "" {
				p.Module = "example.com/" + p.Name
			}
			p.Go = strings.TrimPrefix(runtime.Version(), "go")
			if v := strings.SplitN(p.Go, ".", 3); len(v) >= 2 {
				p.Go = v[0] + "." + strings.FieldsFunc(v[1], func(r rune) bool { return r < '0' || r > '9' })[0]
			}
			if err := origin(&p); err != nil {
				return err
			}
			if err := scaffold.Write(dir, &p); err != nil {
				return fmt.Errorf("init %s: %w", dir, err)
			}
			if err := firstTest(cmd, dir); err != nil {
				return fmt.Errorf("init: the project is in %s, but its tests did not pass (KFPGO_UPDATE=1 go test -mod=mod ./... there tries again): %w", dir, err)
			}
			_, err = fmt.Fprintf(cmd.ErrOrStderr(), "%s is there and its tests pass. Next:\n  cd %s && make run\n", dir, cli.ShellWord(dir))
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&p.Template, "template", names[0], "`TEMPLATE`: "+strings.Join(names, ", "))
	f.StringVar(&p.Module, "module", "", "`PATH` of the Go module; default: example.com/NAME")
	f.StringVar(&p.Checkout, "checkout", "", "folder `DIR` of a checkout of kfpgo that the project uses in place of a released version")
	flags.Choices(cmd, "template", names...)
	return cmd
}

// origin says which kfpgo a project uses: the released version that this is, or the
// checkout that it was built from.
func origin(p *scaffold.Project) error {
	if info, ok := debug.ReadBuildInfo(); ok && p.Checkout == "" && info.Main.Path == modulePath && info.Main.Sum != "" {
		p.Version = info.Main.Version
		return nil
	}
	dir := p.Checkout
	if dir == "" {
		_, file, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(file), "../../../..")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(abs, "go.mod"))
	if !strings.HasPrefix(string(mod), "module "+modulePath+"\n") {
		if p.Checkout == "" {
			return errors.New("this kfpgo is of no released version, and doesn't know where its checkout is; say it with --checkout DIR")
		}
		return errors.Join(fmt.Errorf("--checkout %s: there is no checkout of kfpgo", p.Checkout), err)
	}
	p.Version, p.Checkout = "v0.0.0", filepath.ToSlash(abs)
	return nil
}

// firstTest writes the golden file of a new project and runs its tests. The module's
// requirements come along.
func firstTest(cmd *cobra.Command, dir string) error {
	cli.Say(cmd.ErrOrStderr(), "testing %s; the first time, go downloads and compiles what its tests need, which takes a minute", dir)
	for _, env := range []string{"KFPGO_UPDATE=1", "KFPGO_UPDATE="} {
		test := child.Command(cmd.Context(), "go", "test", "-mod=mod", "./...")
		test.Dir = dir
		test.Env = append(os.Environ(), "GOWORK=off", env)
		out := downloads{to: cmd.ErrOrStderr()}
		test.Stdout, test.Stderr = &out, &out
		if err := child.Run(test); err != nil {
			return fmt.Errorf("%w\n%s", err, strings.TrimSpace(out.all.String()))
		}
	}
	return nil
}

// downloads keeps what the go command writes, and shows at once what it downloads.
type downloads struct {
	to  io.Writer
	all bytes.Buffer
}

func (d *downloads) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		if bytes.HasPrefix(line, []byte("go: downloading ")) {
			cli.Say(d.to, "%s", bytes.TrimSpace(line))
		}
	}
	return d.all.Write(b)
}
