package gocode

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/read/raise"
)

func newImport() *cobra.Command {
	var dir, pkg string
	var force, noCheck bool
	cmd := &cobra.Command{
		Use:   "import FILE -o DIR",
		Short: "Convert a compiled pipeline or an Argo Workflow to a Go package",
		Long: `Import converts a file of KFP's intermediate representation, as "kfp dsl compile"
writes it, to a Go package: components with typed inputs and outputs, control flow as
functions, and Python sources in separate files. The package compiles to IR that is equal
to the file, except for internal names.

It also reads Argo's Workflow, WorkflowTemplate, ClusterWorkflowTemplate and
CronWorkflow: those that KFP 1 compiled, and those that were written by hand.
The package compiles to an equivalent Workflow.

If the language can't express a part of the file, import reports an error that names this
part and writes nothing. It replaces a folder that isn't empty only with --force.

Import compiles the package and compares it with the file before it writes the folder: a
difference is a warning, and a package that doesn't compile is an error, which leaves
the folder unchanged. This check needs the go command and a module that requires
github.com/kfpgo/kfpgo; --no-check skips it.`,
		Example: `  kfpgo import train.yaml -o ./train
  kfpgo compile ./train -o again.yaml`,
		Args: cli.Exactly(1, "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if dir == "" {
				return cli.Usagef(cmd, "no folder was given; name it with -o")
			}
			if err := input.NeedFile(args[0], "import makes a package of a compiled pipeline, such as pipeline.yaml"); err != nil {
				return err
			}
			p, err := input.File(args[0])
			if err == nil {
				err = params.InFile(p)
			}
			if err != nil {
				return err
			}
			abs, err := filepath.Abs(dir)
			if err != nil {
				return err
			}
			if pkg == "" {
				pkg = raise.PackageName(filepath.Base(abs))
			} else if pkg != raise.PackageName(pkg) {
				return cli.Usagef(cmd, "--package: %q is not a valid package name; %s is one", pkg, raise.PackageName(pkg))
			}
			files, err := raise.Source(p, raise.Options{Package: pkg, From: filepath.Base(args[0])})
			if err != nil {
				return err
			}
			check := importCheck{read: p, file: args[0], dir: dir}
			err = writeDir(abs, files, force, func(made string) error {
				if noCheck || !inModule(abs) {
					return nil
				}
				return check.run(cmd.Context(), made)
			})
			if err != nil {
				return fmt.Errorf("-o %s: %w", dir, cli.Cause(err))
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: package %s with %s\n", dir, pkg, names(files))
			check.report(cmd.ErrOrStderr())
			if !inModule(abs) {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s is in no Go module, so it wasn't compiled and compared with %s; make one with: cd %s && go mod init %s && go get github.com/kfpgo/kfpgo\n", dir, args[0], cli.ShellWord(dir), pkg)
			}
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return input.CompleteFile(cmd, args, typed)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&dir, "output", "o", "", "write the package to `DIR`, which is made")
	f.StringVar(&pkg, "package", "", "`NAME` of the package; default: that of the folder")
	f.BoolVar(&force, "force", false, "replace the contents of the folder")
	f.BoolVar(&noCheck, "no-check", false, "don't compile the package and compare it with FILE")
	cmd.MarkFlagDirname("output")
	return cmd
}

// names lists files.
func names(files map[string][]byte) string {
	list := slices.Sorted(maps.Keys(files))
	if len(list) > 8 {
		list = append(list[:7], fmt.Sprintf("%d more", len(list)-7))
	}
	return strings.Join(list, ", ")
}

// writeDir writes files to a folder. They are written beside it first, and take
// its place when all are there and check has nothing against them.
func writeDir(dir string, files map[string][]byte, force bool, check func(made string) error) error {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	old, err := os.ReadDir(dir)
	if info, e := os.Stat(dir); e == nil && !info.IsDir() {
		return fmt.Errorf("a file of that name is there; name a folder")
	} else if err != nil && !os.IsNotExist(err) {
		return err
	}
	if len(old) > 0 && !force {
		return fmt.Errorf("the folder isn't empty; --force replaces its contents")
	}
	for _, e := range old {
		if e.Name() == ".git" || e.Name() == "go.mod" {
			return fmt.Errorf("the folder holds %s, and so more than a package that was imported; choose another one", e.Name())
		}
	}
	if cwd, err := os.Getwd(); err == nil && len(old) > 0 {
		if rel, err := filepath.Rel(dir, cwd); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return fmt.Errorf("kfpgo works in that folder, which can't be replaced; go to the one above it")
		}
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	made := filepath.Join(tmp, "new")
	if err := raise.WriteFiles(made, files); err != nil {
		return err
	}
	if err := check(made); err != nil {
		return err
	}
	if old == nil {
		os.Remove(dir) // an empty folder
		return os.Rename(made, dir)
	}
	was := filepath.Join(tmp, "old")
	if err := os.Rename(dir, was); err != nil {
		return err
	}
	if err := os.Rename(made, dir); err != nil {
		os.Rename(was, dir)
		return err
	}
	return nil
}

// inModule reports whether a folder is in a Go module.
func inModule(dir string) bool {
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}
