// Package doctor has kfpgo doctor, which says what works on this machine, on its server and
// in its cluster, and how to fix the rest.
package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/internal/host/child"
	"github.com/kfpgo/kfpgo/internal/host/owner"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/net/contexts"
)

// A checkup is what doctor found out about one thing.
type checkup struct {
	Area  string `json:"area"`  // machine, kfp or kubernetes
	What  string `json:"what"`  // Python, permission to create Workflows
	State string `json:"state"` // ok; missing: not there; broken: there, and doesn't work; warning: so, and only some pipelines need it
	Says  string `json:"says"`  // what was seen
	Fix   string `json:"fix,omitempty"`
}

// A doctor collects checkups.
type doctor struct {
	ctx   context.Context
	area  string
	found []checkup
}

func (d *doctor) ok(what, format string, args ...any) {
	d.found = append(d.found, checkup{d.area, what, "ok", fmt.Sprintf(format, args...), ""})
}

func (d *doctor) missing(what, says, fix string) {
	d.found = append(d.found, checkup{d.area, what, "missing", says, fix})
}

func (d *doctor) broken(what, says, fix string) {
	d.found = append(d.found, checkup{d.area, what, "broken", says, fix})
}

func (d *doctor) warning(what, says, fix string) {
	d.found = append(d.found, checkup{d.area, what, "warning", says, fix})
}

func (d *doctor) table(t *cli.Table) {
	area := ""
	for _, c := range d.found {
		if c.Area != area {
			if area != "" {
				t.Row()
			}
			area = c.Area
			t.Row(area)
		}
		t.Row("  "+c.State, c.What, c.Says)
		if c.Fix != "" {
			t.Row("  ", "", "-> "+c.Fix)
		}
	}
}

// output runs a program for at most ten seconds.
func (d *doctor) output(name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(d.ctx, 10*time.Second)
	defer cancel()
	cmd := child.Command(ctx, name, args...)
	cmd.WaitDelay = time.Second
	out, err := child.CombinedOutput(cmd)
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil && !errors.Is(err, exec.ErrNotFound) {
		err = fmt.Errorf("%s: %w: %s", name, err, first)
	}
	return first, err
}

// machine checks what compiling and local runs use.
func (d *doctor) machine() {
	d.area = "this machine"
	d.ok("kfpgo", "%s", cli.Version())
	for _, l := range []struct {
		what, prefix string
		major, minor int
		fix          string
		bad          func(what, says, fix string)
		command      []string
	}{
		{"Go", "go", 1, 26, "Go packages can't be compiled, only files; install Go 1.26 or newer: https://go.dev/dl", d.broken, []string{"go", "env", "GOVERSION"}},
		{"Python", "Python ", 3, 6, "Python steps can't run here; install Python 3.6 or newer as python3", d.warning, []string{"python3", "--version"}},
	} {
		switch v, err := d.output(l.command[0], l.command[1:]...); {
		case errors.Is(err, exec.ErrNotFound):
			d.missing(l.what, "no command "+l.command[0], l.fix)
		case err != nil:
			l.bad(l.what, err.Error(), l.fix)
		case olderThan(strings.TrimPrefix(v, l.prefix), l.major, l.minor):
			l.bad(l.what, v, l.fix)
		default:
			d.ok(l.what, "%s", v)
		}
	}
	d.containers()
	switch n, err := d.output("nvidia-smi", "--query-gpu=count,name,driver_version", "--format=csv,noheader"); {
	case errors.Is(err, exec.ErrNotFound):
		d.missing("GPUs", "no command nvidia-smi", "steps that ask for a GPU run here only with --gpus ignore")
	case err != nil:
		d.warning("GPUs", err.Error(), "the driver doesn't answer: reboot, or install it again; only steps that ask for a GPU need it")
	default:
		d.ok("GPUs", "%s", n)
	}
	d.home()
	if path, err := contexts.Path(os.Getenv); err == nil {
		switch info, err := os.Stat(path); {
		case err != nil:
			d.missing("contexts", "there is no "+path, "kfpgo context set NAME --endpoint URL makes one")
		case owner.Shared(info):
			d.broken("contexts", fmt.Sprintf("%s can be read by others (mode %o), and may hold secrets", path, info.Mode().Perm()), "chmod 600 "+path)
		default:
			d.ok("contexts", "%s", path)
		}
	}
}

// containers checks whether a container engine answers, not only its client.
func (d *doctor) containers() {
	var said []string
	for _, tool := range []string{"podman", "docker"} {
		switch v, err := d.output(tool, "info", "--format", "{{.Host.OCIRuntime.Name}}{{.ServerVersion}}"); {
		case err == nil:
			d.ok("containers", "%s %s", tool, v)
			return
		case !errors.Is(err, exec.ErrNotFound):
			// Each understands its own half of the format only.
			if _, err = d.output(tool, "info"); err == nil {
				d.ok("containers", "%s", tool)
				return
			}
			said = append(said, err.Error())
		}
	}
	if said == nil {
		d.missing("containers", "neither podman nor docker", "container steps can't run here; install podman")
		return
	}
	d.warning("containers", strings.Join(said, "; "), "the client is there and its engine doesn't answer: start it, or install podman; only container steps need it")
}

// home checks the folder for runs.
func (d *doctor) home() {
	home, err := engine.Home()
	if err != nil {
		d.broken("folder for runs", err.Error(), "set KFPGO_HOME")
		return
	}
	at := home
	for { // of a folder that isn't there yet, the one that it would be made in
		if _, err := os.Stat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		at = filepath.Dir(at)
	}
	if err := writable(at); err != nil {
		d.broken("folder for runs", fmt.Sprintf("%s: nothing can be written to %s: %v", home, at, err), "set KFPGO_HOME to a folder of yours")
		return
	}
	bytes, err := free(at)
	if err != nil {
		d.broken("folder for runs", fmt.Sprintf("%s: %v", home, err), "")
		return
	}
	gib := bytes / (1 << 30)
	if gib < 1 {
		d.broken("folder for runs", fmt.Sprintf("%s: %.1f GiB are left there", home, gib), "delete old runs, or set KFPGO_HOME to a larger disk")
		return
	}
	d.ok("folder for runs", "%s, %.0f GiB free", home, gib)
}

// Command returns kfpgo doctor.
func Command() *cobra.Command {
	var format, kubeconfig, kubeContext, namespace string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check this machine and its clusters, and suggest fixes",
		Long: `Doctor checks the tools that kfpgo uses: Go, Python, podman or docker, GPUs and the folder
for runs on this machine; the configured KFP server; and the cluster of the kubeconfig:
whether it responds, your permissions there, the kinds of objects that it serves, the
devices of its nodes, and the quotas left. Doctor changes nothing.

A tool that isn't installed is "missing", which is fine if you don't need it. A tool that
is installed and doesn't work is "broken", and the exit code is 1. It is a "warning" if
only some pipelines need it: Python, podman or docker, and GPUs.`,
		Example: `  kfpgo doctor
  kfpgo doctor --namespace kubeflow -o json`,
		Args: cli.Exactly(0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := &doctor{ctx: cmd.Context()}
			d.machine()
			d.server()
			d.cluster(kubeconfig, kubeContext, namespace)
			broken := 0
			for _, c := range d.found {
				if c.State == "broken" {
					broken++
				}
			}
			if err := cli.Display(cmd, format, d.found, d.table); err != nil {
				return err
			}
			if broken > 0 {
				return fmt.Errorf("%d of %d checks found something broken", broken, len(d.found))
			}
			return nil
		},
	}
	f := cmd.Flags()
	flags.FormatOf(cmd, &format, "table", "json", "yaml")
	f.StringVar(&kubeconfig, "kubeconfig", "", "`FILE` of the cluster; default: the kubeconfig that kubectl reads")
	f.StringVar(&kubeContext, "kube-context", "", "`NAME` of the kubeconfig's context; default: its current one")
	f.StringVarP(&namespace, "namespace", "n", "", "`NAME` of the namespace of the runs; default: the kubeconfig's")
	return cmd
}

// olderThan compares the beginning of a version such as 1.26.3 or 3.9.1+.
func olderThan(version string, major, minor int) bool {
	parts := strings.SplitN(version, ".", 3)
	var n [2]int
	for i := range min(len(parts), 2) {
		digits := strings.TrimRight(parts[i], "abcdefghijklmnopqrstuvwxyz+-")
		n[i], _ = strconv.Atoi(digits)
	}
	return cmp.Or(cmp.Compare(n[0], major), cmp.Compare(n[1], minor)) < 0
}
