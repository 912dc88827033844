// Command gendocs writes the pages of docs/reference, which are what the command
// line's help says and the table of features, and those of docs/rules. make docs
// calls it.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
	"github.com/kfpgo/kfpgo/internal/model/feature"
)

func main() {
	kfpgo := flag.String("kfpgo", "bin/kfpgo", "the `program`")
	out := flag.String("o", "docs/reference", "`folder` for the pages")
	flag.Parse()
	if err := generate(*kfpgo, *out); err != nil {
		fmt.Fprintln(os.Stderr, "gendocs:", err)
		os.Exit(1)
	}
}

func generate(kfpgo, out string) error {
	cli, err := commandLine(func(args ...string) (string, error) {
		text, err := exec.Command(kfpgo, args...).Output()
		return string(text), err
	})
	if err != nil {
		return err
	}
	fromPython, err := python(".")
	if err != nil {
		return err
	}
	expected, err := schedules()
	if err != nil {
		return err
	}
	run, err := servers(".")
	if err != nil {
		return err
	}
	mistakes, err := hints(".")
	if err != nil {
		return err
	}
	for name, text := range map[string]string{"cli.md": cli, "hints.md": mistakes, "features.md": features(), "python.md": fromPython, "schedules.md": expected, "servers.md": run} {
		if err := replace(filepath.Join(out, name), text); err != nil {
			return err
		}
	}
	page, err := compiles()
	if err != nil {
		return err
	}
	if err := replace(filepath.Join(out, "..", "compiles.md"), page); err != nil {
		return err
	}
	return writeRules(filepath.Join(out, "..", "rules"))
}

func replace(path, text string) error { return atomicfile.Write(path, 0o644, []byte(text)) }

const generated = "<!-- Made by make docs; change the source and run it again. -->\n"

// features returns the page with the table of features.
func features() string {
	targets := []feature.Target{feature.KFP, feature.Argo, feature.Local}
	var page strings.Builder
	page.WriteString("# What each target can do\n\n" + generated + `
A pipeline that uses what a target can't do does not compile for it: the error names
the task, the line and what to do. Nothing is dropped silently. ` + "`kfp`" + ` is IR for Kubeflow
Pipelines 2, ` + "`argo`" + ` a Workflow for Argo Workflows 3.6 and later, ` + "`local`" + ` a run on this
machine.

| in the pipeline | kfp | argo | local |
| --- | --- | --- | --- |
`)
	for _, r := range feature.Table {
		fmt.Fprintf(&page, "| %s |", escape(r.Write))
		for _, target := range targets {
			s := r.Support[target]
			cell := "no"
			if s.OK {
				cell = "yes"
			}
			if s.Note != "" {
				cell += ": " + escape(s.Note)
			}
			fmt.Fprintf(&page, " %s |", cell)
		}
		page.WriteString("\n")
	}
	return page.String()
}

func escape(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
