package run

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/localruns"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/server"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/local/replay"
	"github.com/kfpgo/kfpgo/internal/local/report"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// replayFlags say which step to run again, and how.
type replayFlags struct {
	flags.Server
	home, gpus   string
	debug, shell bool
	listen       string
}

func (f *replayFlags) replay(cmd *cobra.Command, id, task, pipeline string) error {
	ctx := cmd.Context()
	home, err := flags.Home(f.home)
	if err == nil {
		home, err = filepath.Abs(home)
	}
	if err != nil {
		return err
	}
	var p *pastStep
	if f.On == "local" {
		p, err = localPast(ctx, home, id, task, pipeline)
	} else {
		p, err = f.serverPast(cmd, id, task, pipeline)
	}
	if err != nil {
		return err
	}
	step, err := replay.Find(p.Program, p.record.Path, p.as)
	if err != nil {
		return err
	}
	runID := engine.NewID(&program.Program{Name: "replay-" + p.Program.Name})
	if err := run.MakeHome(home); err != nil {
		return err
	}
	dir, err := run.MakeDir(home, runID)
	if err != nil {
		return err
	}
	began := false
	defer func() {
		if !began {
			os.RemoveAll(dir)
		}
	}()
	if p.fetch != nil {
		if err := p.fetch(ctx, filepath.Join(dir, "inputs"), step.Component); err != nil {
			return err
		}
	}
	alone, given, notes, err := replay.Alone(p.Program, step, p.record, f.On != "local")
	if err != nil {
		return err
	}
	if p.volumes != "" && len(step.Task.Settings.PVCMounts) > 0 {
		if _, err := os.Stat(p.volumes); err == nil { // a copy: the run stays as it was
			if err := os.CopyFS(filepath.Join(dir, "volumes"), os.DirFS(p.volumes)); err != nil {
				return fmt.Errorf("the volumes of run %s: %w", p.record.Run, err)
			}
		}
	}
	o := engine.Options{Home: home, Dir: dir, Params: given, NoCache: true, Shell: f.shell && step.Component.Exec.Container != nil}
	if err := setGPUs(&o, f.gpus); err != nil {
		return cli.Usagef(cmd, "%v", err)
	}
	goStep := step.Component.Exec.Go != nil || alone.Components[1].Exec.OnLocal
	if p.Built != nil {
		o.Program = p.Built.File
	} else if x := step.Component.Exec.Go; goStep && (x == nil || x.Image == "" || f.debug) {
		return fmt.Errorf("%s is a Go step, whose program is needed: give the package as PIPELINE, such as kfpgo replay %s %s ./mnist", p.record.Path, id, task)
	}
	w := cmd.ErrOrStderr()
	cli.Say(w, "step %s of run %s %s there%s", p.record.Path, p.record.Run, kfptype.Word(p.record.State), cli.Because(p.record.Error))
	inputs(w, p.record, step.Component)
	for _, n := range notes {
		cli.Say(w, "note: %s", n)
	}
	at := &attached{f: f, w: w, out: cmd.OutOrStdout(), step: step, built: p.Built}
	defer at.close()
	if o.Attach, err = at.hook(ctx, &o); err != nil {
		return err
	}
	r, err := engine.Run(ctx, alone, o)
	at.close()
	if began = r != nil; !began {
		return err
	}
	if err = cmp.Or(err, report.Write(r.Dir)); err != nil {
		return fmt.Errorf("the run in %s: %w", r.Dir, err)
	}
	summarize(cmd.OutOrStdout(), r)
	return compared(cmd.OutOrStdout(), p.record, r)
}

func newReplay() *cobra.Command {
	f := &replayFlags{}
	cmd := &cobra.Command{
		Use:   "replay RUN TASK [PIPELINE]",
		Short: "Run one step of a past run again on this machine",
		Long: `Replay runs one step of a past run again on this machine, with the same parameters and
artifacts, to debug a failure that happened on a cluster and to test a fix. The run was
one on this machine or, with --on kfp or --on argo, on a server. TASK is the path of the
step, or its name if that is unique.

PIPELINE defines the step: the current package, or a compiled file. A run on this machine
records its pipeline, and a run on KFP its specification; for a run on Argo, give PIPELINE.
The package's program runs Go steps, python3 runs Python steps, and podman or docker runs
containers with the same image.

With --debug, a Go step runs in Delve, with a breakpoint at the beginning of its function,
and a Python step waits for an editor that debugs with debugpy. With --listen, Delve waits
for an editor too. With --shell, replay starts a shell in place of the step, in its
container if it has one, with its environment: eval "$KFPGO_COMMAND" runs the step.

The exit code is 0 if the step succeeded, and 1 if it failed.`,
		Example: `  kfpgo replay mnist-20260314T150926-5358 train
  kfpgo replay mnist-20260314T150926-5358 for-loop-1/3/train --debug
  kfpgo replay mnist-7f3a9c21 train ./examples/mnist --on argo
  kfpgo replay 0f6c2a5e-6f3e-4f0e-9d52-6a4b0c1d2e3f evaluate --on kfp --shell`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) < 2:
				return cli.Usagef(cmd, "RUN and TASK are needed")
			case len(args) > 3:
				return cli.Usagef(cmd, "unexpected argument %q", args[3])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.debug && f.shell {
				return cli.Usagef(cmd, "give --debug or --shell, not both")
			}
			if f.listen != "" && !f.debug {
				return cli.Usagef(cmd, "--listen is for --debug")
			}
			return f.replay(cmd, args[0], args[1], strings.Join(args[2:], ""))
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			switch len(args) {
			case 0:
				return server.CompleteRuns(f.runs)(cmd, args, typed)
			case 1:
				return server.CompleteTasks(f.runs)(cmd, args, typed)
			case 2:
				return input.CompleteAll(cmd, args, typed)
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
	}
	fs := cmd.Flags()
	f.Server.Add(fs)
	f.AddStore(fs)
	flags.Engine(cmd, fs, &f.On, "has the run")
	fs.StringVar(&f.home, "home", "", "`DIR` of runs, in place of KFPGO_HOME")
	fs.StringVar(&f.gpus, "gpus", "", "`N` GPUs are there, or ignore to run without those that the step asks for")
	fs.BoolVar(&f.debug, "debug", false, "run it in a debugger: Delve for Go, debugpy for Python")
	fs.StringVar(&f.listen, "listen", "", "with --debug: `HOST:PORT` at which the debugger waits for an editor")
	fs.BoolVar(&f.shell, "shell", false, "start a shell in place of the step")
	return cmd
}

// runs returns the client that has the runs.
func (f *replayFlags) runs(cmd *cobra.Command) (client.Client, error) {
	if f.On != "local" {
		return f.Connect(cmd)
	}
	home, err := flags.Home(f.home)
	return localruns.Client{Home: home}, err
}

// A pastStep is a step of a past run, to run again.
type pastStep struct {
	*input.Pipeline
	record  *replay.Record
	as      func(string) string // what the engine calls a task
	fetch   func(ctx context.Context, to string, c *program.Component) error
	volumes string // folder with those of the run
}

// localPast finds a step of a run of this machine.
func localPast(ctx context.Context, home, id, task, pipeline string) (*pastStep, error) {
	r, err := records.Find(home, id)
	if err != nil {
		return nil, err
	}
	p := &pastStep{volumes: filepath.Join(r.Dir, "volumes")}
	if p.record, err = replay.Local(r, task); err != nil {
		return nil, err
	}
	if pipeline == "" && r.Source != nil && r.Source.Pipeline != "-" {
		if err := os.Chdir(r.Source.Dir); err != nil {
			return nil, fmt.Errorf("run %s was started in a folder that isn't there any more; give the pipeline: %w", r.ID, err)
		}
		pipeline = r.Source.Pipeline
	}
	if pipeline != "" {
		p.Pipeline, err = input.Load(ctx, pipeline)
		return p, err
	}
	b, err := os.ReadFile(filepath.Join(r.Dir, "program.json"))
	if err != nil {
		return nil, err
	}
	p.Pipeline = &input.Pipeline{}
	if p.Program, err = program.Read(b); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(r.Dir, "program.json"), err)
	}
	return p, nil
}

// inputs shows what the step is given.
func inputs(w io.Writer, r *replay.Record, c *program.Component) {
	for _, name := range slices.Sorted(maps.Keys(r.Params)) {
		if c.Input(name) != nil {
			cli.Say(w, "  %s = %s", name, cli.Value(compact(r.Params[name])))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Arts)) {
		for _, a := range r.Arts[name] {
			cli.Say(w, "  %s: %s", name, strings.TrimPrefix(a.URI, "file://"))
		}
	}
}

func compact(b json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	if json.Compact(&out, b) != nil {
		return b
	}
	return out.Bytes()
}

// compared says whether the step ended as it did in its run.
func compared(w io.Writer, was *replay.Record, r *run.Run) error {
	var now *run.Task
	if len(r.Tasks) > 0 {
		now = r.Tasks[0]
	}
	if r.State == run.Cancelled {
		return context.Canceled
	}
	ended := func(state run.State, code string) string {
		s := kfptype.Word(state)
		if state == run.Cached {
			s = "succeeded"
		}
		if code != "" && code != "0" {
			s += " with exit code " + code
		}
		return s
	}
	code := ""
	if now != nil {
		code = now.ExitCode
	}
	if was.ExitCode == "" { // nobody took note of it
		code = ""
	}
	there, here := ended(was.State, was.ExitCode), ended(r.State, code)
	line := func(name, text string) { cli.Say(w, "%-8s %s", name, text) }
	if there == here {
		line("then", here+", as here")
	} else {
		line("then", there+"; here it "+here)
	}
	if r.State == run.Succeeded {
		return nil
	}
	return fmt.Errorf("the step failed: %s", r.Error)
}
