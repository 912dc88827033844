// Package run has the commands that run pipelines on this machine: run, which also submits
// them to servers, and replay, which runs one step again.
package run

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/localruns"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/server"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/local/progress"
	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/local/report"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// Commands returns run and replay.
func Commands() []*cobra.Command { return []*cobra.Command{newRun(), newReplay()} }

func newRun() *cobra.Command {
	var given params.Options
	var o engine.Options
	var gpus, on, format, resume string
	var watching bool
	var show logsShown
	var to flags.Server
	var submit server.SubmitFlags
	cmd := &cobra.Command{
		Use:   "run PIPELINE",
		Short: "Run a pipeline on this machine, on KFP or on Argo",
		Long: `Run runs a pipeline on this machine, with the same meaning as on a cluster: Go steps as
processes of the pipeline's program, Python steps with python3, and containers with podman
or docker. It doesn't connect to a cluster.

If PIPELINE is a compiled file, KFP's Python steps run with python3 too, without KFP's
SDK, and Go steps run in a container with their image.

If PIPELINE is a schedule, such as ./mnist#Nightly, its pipeline runs as if the schedule
fired now, with its arguments; -p replaces single arguments.

Give parameters as -p name=value. A string is written as it is, and a value of any other
type as JSON; the pipeline's inputs determine the type. A parameter that isn't given has its
default.

A step that waits for a person (suspend) asks on the terminal. --answer TASK.OUTPUT=VALUE
answers in advance, and --answer TASK takes the defaults of its outputs.

A run writes run.json, logs, artifacts and report.html to a folder below the home folder:
KFPGO_HOME, or else kfpgo in the state folder of the user.

--logs shows the lines that the steps write, each after the name of its step; a run of one
step shows them without it. If a step fails, run shows the last lines of its log.

With --on kfp or --on argo, the pipeline runs on the server of the context (see kfpgo
context). Run compiles the pipeline, checks its arguments and creates the run; --wait
follows it. Ctrl-C doesn't stop the run, and prints how to follow it again.

--usage measures the CPUs, memory and GPUs that each step uses. The report and kfpgo ui show
them as curves. A step that ends within 200 ms has none.

--resume RUN continues a run that failed or was stopped: steps that succeeded with the same
inputs don't run again, even if their code has changed since. Parameters that aren't given
are those of RUN.

--watch builds and runs the package again whenever one of its files or --params-file is
saved. Steps whose code, definition and inputs are unchanged don't run again, and run
prints why each other step ran. The code of a Go step is the declarations of its package
that it uses, and all of the other packages.

The exit code is 0 if the run succeeded, 1 if it failed, and 130 after ctrl-C.`,
		Example: `  kfpgo run ./examples/calc -p a=12
  kfpgo run ./examples/calc -p a=12 --on kfp --image registry.example.com/calc:1 --wait
  kfpgo run ./examples/mnist -p trainer=go -p 'sweep=[{"epochs": 1, "rate": 0.3}]'
  kfpgo run ./examples/mnist --params-file params.yaml -p threshold=0.9
  kfpgo run ./examples/mnist -p trainer=tensorflow --gpus ignore
  kfpgo run ./examples/mnist --resume mnist-20260314T150926-5358
  kfpgo run ./examples/mnist -p trainer=go --usage
  kfpgo run ./examples/calc -p a=12 --watch
  kfpgo run pipeline.yaml -p name=Ada
  kfpgo run release.yaml --answer approve.deploy=YES`,
		Args: cobra.MatchAll(cli.NotRun, cli.PipelineArg(1), cli.Exactly(1, "PIPELINE")),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := setGPUs(&o, gpus); err != nil {
				return cli.Usagef(cmd, "%v", err)
			}
			if err := flags.ReadParams(&given); err != nil {
				return err
			}
			if on != "local" {
				if err := flags.Refuse(cmd, "is for runs on this machine", onlyHere...); err != nil {
					return err
				}
				to.On, submit.Compile.NoCache = on, o.NoCache
				return submit.Submit(cmd, &to, args[0], given, format)
			}
			remote := slices.Concat(flags.ServerNames(), server.SubmitNames, []string{"output", "format"})
			if err := flags.Refuse(cmd, "is for runs on a server; give --on kfp or --on argo", remote...); err != nil {
				return err
			}
			if resume != "" {
				home, err := flags.Home(o.Home)
				if err != nil {
					return err
				}
				if o.Resume, err = records.Find(home, resume); err != nil {
					return fmt.Errorf("--resume: %w", err)
				}
			}
			if dir, err := os.Getwd(); err == nil && args[0] != "-" {
				o.Source = &run.Source{Pipeline: args[0], Dir: dir}
			}
			show.given = cmd.Flags().Changed("logs")
			switch {
			case !watching:
				return runPipeline(cmd, args[0], given, o, show)
			case input.IsFile(args[0]):
				return cli.Usagef(cmd, "--watch is for packages, and %s is a file", args[0])
			case resume != "" || o.ID != "" || o.NoCache:
				return cli.Usagef(cmd, "--watch runs changed steps again; remove --resume and --no-cache")
			}
			given.YAML = nil // read for each run
			return watch(cmd, args[0], given, o, show)
		},
		ValidArgsFunction: input.Complete,
	}
	f := cmd.Flags()
	flags.Engine(cmd, f, &on, "runs it")
	submit.Add(cmd)
	to.Add(f)
	flags.Format(cmd, &format)
	flags.Params(f, &given, "a parameter", "parameters")
	cmd.RegisterFlagCompletionFunc("param", input.CompleteParam)
	f.StringVar(&gpus, "gpus", "", "number `N` of GPUs, or ignore to run without the GPUs that steps request; default: those that nvidia-smi lists")
	flags.Choices(cmd, "gpus", "ignore", "1")
	f.StringVar(&o.Home, "home", "", "`DIR` for runs, in place of KFPGO_HOME")
	f.StringArrayVar(&o.Answers, "answer", nil, "output of a step that waits for a person, as `TASK.OUTPUT=VALUE`, or TASK for its defaults; may be repeated")
	f.BoolVar(&o.NoCache, "no-cache", false, "don't use cached results of steps")
	f.BoolVar(&o.Usage, "usage", false, "measure the CPUs, memory and GPUs that each step uses, for the report; on Linux")
	f.StringVar(&o.ID, "run-id", "", "name of the run's folder") // for kfpgo ui, which shows the run that it has started
	f.MarkHidden("run-id")
	f.BoolVar(&watching, "watch", false, "run again whenever the package or --params-file changes, those steps that it changes; ctrl-C ends it")
	f.BoolVar(&show.all, "logs", false, "show the lines that the steps write; default for a run of one step")
	f.StringVar(&resume, "resume", "", "continue `RUN`: its ID, the beginning of it, its folder, or @latest")
	cmd.RegisterFlagCompletionFunc("resume", server.CompleteRuns(func(*cobra.Command) (localruns.Client, error) {
		home, err := flags.Home(o.Home)
		return localruns.Client{Home: home}, err
	}))
	flags.InGroup(f, flags.Here, onlyHere...)
	flags.InGroup(f, flags.Remote, append(server.SubmitNames, "output", "format")...)
	return cmd
}

// onlyHere are the flags of runs on this machine.
var onlyHere = []string{"answer", "gpus", "home", "logs", "resume", "usage", "watch"}

// setGPUs reads --gpus.
func setGPUs(o *engine.Options, gpus string) error {
	switch n, err := strconv.Atoi(gpus); {
	case gpus == "":
	case gpus == "ignore":
		o.IgnoreGPUs = true
	case err != nil || n < 0:
		return fmt.Errorf("--gpus is a number or ignore, not %q", gpus)
	default:
		o.GPUs = &n
	}
	return nil
}

func runPipeline(cmd *cobra.Command, pipeline string, given params.Options, o engine.Options, show logsShown) error {
	p, err := input.Load(cmd.Context(), pipeline)
	if err != nil {
		return err
	}
	if o.Scheduled, err = p.Fire(time.Now(), &given); err != nil {
		return err
	}
	if o.Resume != nil { // what isn't given is what that run had, not what the schedule gives now
		given.Base, o.Scheduled = nil, o.Resume.Scheduled
	}
	if p.Schedule != nil {
		o.Schedule = p.Schedule.Name
	}
	_, err = execute(cmd.Context(), cmd, p, given, o, show)
	return err
}

// execute runs a program with its progress, and prints what came of it. The run is nil
// if it wasn't started.
func execute(ctx context.Context, cmd *cobra.Command, p *input.Pipeline, given params.Options, o engine.Options, show logsShown) (*run.Run, error) {
	var err error
	inputs := p.Inputs()
	if o.Resume != nil { // what the run had is what is not given
		inputs = slices.Clone(inputs)
		for i := range inputs {
			if v, ok := o.Resume.Params[inputs[i].Name]; ok {
				inputs[i].Default = v
			}
		}
	}
	if o.Params, err = params.Read(inputs, given); err != nil {
		return nil, err
	}
	if o.Resume != nil {
		for _, in := range inputs {
			if _, ok := o.Params[in.Name]; !ok && in.Default != nil {
				o.Params[in.Name] = in.Default
			}
		}
	}
	if p.Built != nil {
		o.Program = p.Built.File
	}
	if o.Home, err = flags.Home(o.Home); err != nil {
		return nil, err
	}
	o.ID = cmp.Or(o.ID, engine.NewID(p.Program))
	screen := cli.Raw(cmd.ErrOrStderr())
	view := progress.For(screen, p.Program.Name)
	dir := filepath.Join(o.Home, "runs", o.ID)
	view.Last = progress.Logs(dir)
	if asks(cmd, p.Program) {
		o.Ask = newAsker(cmd.InOrStdin(), screen).ask
		view.Size = nil // lines, between which questions can stand
	}
	shown := progress.New(screen, view)
	o.Observe = shown.Observe
	streams, stop := show.of(p.Program), func() {}
	if streams {
		o.Observe, stop = streamLogs(ctx, dir, shown)
	}
	r, err := engine.Run(ctx, p.Program, o)
	stop()
	shown.Stop()
	if r == nil {
		return nil, err
	}
	if err = cmp.Or(err, report.Write(r.Dir)); err != nil {
		return r, fmt.Errorf("the run in %s: %w", r.Dir, err)
	}
	if !streams {
		cli.LogEnds(cmd.ErrOrStderr(), r)
	}
	summarize(cmd.OutOrStdout(), r)
	switch r.State {
	case run.Succeeded:
		return r, nil
	case run.Cancelled:
		return r, context.Canceled
	}
	return r, fmt.Errorf("the run failed: %s", r.Error)
}

// summarize prints what came of a run, and where the rest is.
func summarize(w io.Writer, r *run.Run) {
	line := func(name, format string, args ...any) {
		cli.Say(w, "%-8s %s", name, fmt.Sprintf(format, args...))
	}
	line("state", "%s in %s", r.State, progress.Duration(r.Ended.Sub(r.Started), true))
	label := "outputs"
	for _, name := range slices.Sorted(maps.Keys(r.Outputs)) {
		line(label, "%s = %s", name, cli.Value(r.Outputs[name]))
		label = ""
	}
	for _, t := range r.Tasks {
		if t.State == run.Failed && len(t.Logs) > 0 {
			line("log", "%s", filepath.Join(r.Dir, filepath.FromSlash(t.Logs[len(t.Logs)-1])))
		}
	}
	line("run", "%s", r.Dir)
	line("report", "%s", filepath.Join(r.Dir, "report.html"))
}
