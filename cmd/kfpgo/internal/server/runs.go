// Package server has the commands for what servers keep: runs, pipelines, experiments,
// recurring runs and artifacts, and the contexts that say which servers there are. With
// them is how a pipeline is submitted, which kfpgo run does too.
package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/net/paging"
)

// Commands returns runs, pipelines, experiments, recurring-runs, artifacts and context.
func Commands() []*cobra.Command {
	return []*cobra.Command{newRuns(), newPipelines(), newExperiments(), newRecurringRuns(), newArtifacts(), newContext()}
}

func newRuns() *cobra.Command {
	f := &runFlags{}
	cmd := noun(&f.Server, "runs", "List, show, follow and delete runs: on this machine, KFP or Argo",
		`Runs manages the runs of this machine, the runs of KFP or the Workflows of Argo. Without
--on these are the runs of the server that a flag, a variable or a context names, and of
this machine if none does.

RUN is the ID of a run, which kfpgo run prints, or @latest for the run that was started
last. On this machine it is also the beginning of an ID, or the folder of a run.`,
		newRunsCreate(&f.Server), newRunsList(f), newRunsGet(f), newRunsDescribe(f), newRunsWait(f), newRunsLogs(f),
		runsCommand(f.open, "terminate", "Terminate a run", client.Client.Terminate),
		runsCommand(f.open, "retry", "Retry the failed steps of a run", client.Client.Retry),
		runsCommand(f.KFP, "archive", "Archive runs, which hides them from lists", (*kfp.Client).Archive),
		runsCommand(f.KFP, "unarchive", "Unarchive runs", (*kfp.Client).Unarchive),
		runsCommand(f.open, "delete", "Delete runs that have ended", client.Client.Delete),
	)
	fs := cmd.PersistentFlags()
	fs.StringVar(&f.On, "on", "", "`ENGINE` that has the runs: local, kfp or argo; default: that of the server, else local")
	flags.Choices(cmd, "on", "local", "kfp", "argo")
	fs.StringVar(&f.home, "home", "", "local: `DIR` of the runs, in place of KFPGO_HOME")
	return cmd
}

func newRunsCreate(f *flags.Server) *cobra.Command {
	var s SubmitFlags
	var given params.Options
	var format string
	cmd := &cobra.Command{
		Use: "create [PIPELINE]", Aliases: []string{"submit"}, Short: "Create a run of a pipeline or of an uploaded version",
		Long: `Create compiles a pipeline, checks its arguments and creates a run, as kfpgo run --on kfp
does. With --pipeline it creates a run of an uploaded version.`,
		Example: `  kfpgo runs create ./examples/calc -p a=12 --wait
  kfpgo runs create --pipeline calc -p a=12`,
		Args: cli.PipelineArg(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.On == "local":
				return cli.Usagef(cmd, "kfpgo run runs a pipeline on this machine")
			case len(args) == 0 && s.pipeline == "":
				return cli.Usagef(cmd, "no PIPELINE was given, and no --pipeline")
			case len(args) > 0 && s.pipeline != "":
				return cli.Usagef(cmd, "give a PIPELINE or --pipeline, not both")
			case s.version != "" && s.pipeline == "":
				return cli.Usagef(cmd, "--version is of --pipeline")
			}
			if err := flags.ReadParams(&given); err != nil {
				return err
			}
			return s.Submit(cmd, f, strings.Join(args, ""), given, format)
		},
		ValidArgsFunction: input.Complete,
	}
	s.Add(cmd)
	s.addKept(cmd.Flags())
	cmd.RegisterFlagCompletionFunc("pipeline", completeKept(f, "PIPELINE"))
	flags.Params(cmd.Flags(), &given, "a parameter", "parameters")
	cmd.Flags().BoolVar(&s.Compile.NoCache, "no-cache", false, "don't use cached results of tasks")
	flags.Format(cmd, &format)
	return cmd
}

func newRunsList(f *runFlags) *cobra.Command {
	var l listFlags
	var o client.ListOptions
	var state string
	cmd := &cobra.Command{
		Use: "list", Short: "List runs, newest first", Args: cobra.NoArgs,
		Example: `  kfpgo runs list
  kfpgo runs list --on kfp --state failed --experiment nightly
  kfpgo runs list --filter '{"predicates":[{"operation":"IS_SUBSTRING","key":"name","stringValue":"train"}]}' -o json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := l.check(cmd); err != nil {
				return err
			}
			c, err := f.open(cmd)
			if err != nil {
				return err
			}
			o.Name, o.Archived, o.Filter, o.Sort, o.Size, o.Page = l.Name, l.Archived, l.Filter, l.Sort, l.Size, l.Page
			o.State = kfptype.ParseState(strings.ToUpper(state))
			list := []*client.Run{}
			for trail := (paging.Trail{}); ; {
				p, err := c.List(cmd.Context(), o)
				if err != nil {
					return err
				}
				list = append(list, p.Runs...)
				if o.Page = p.Next; o.Page == "" || !l.all {
					break
				}
				if err := trail.Follow(cmd.Context(), o.Page); err != nil {
					return fmt.Errorf("list runs: %w", err)
				}
			}
			err = cli.Display(cmd, l.format, list, func(t *cli.Table) {
				wide := func(cells ...any) []any {
					if t.Wide {
						return cells
					}
					return nil
				}
				t.Row(append([]any{"ID", "NAME", "STATE", "STARTED", "TOOK"}, wide("PIPELINE", "SCHEDULE", "ERROR")...)...)
				for _, r := range list {
					cells := []any{r.ID, r.Name, cmp.Or(r.State, "-"), date(cmp.Or(r.Created, r.Started)), took(r)}
					t.Row(append(cells, wide(cmp.Or(r.Pipeline, "-"), cmp.Or(r.Schedule, "-"), cmp.Or(cli.FirstLine(r.Error), "-"))...)...)
				}
			})
			more(cmd, o.Page)
			return err
		},
	}
	l.add(cmd)
	l.addArchived(cmd)
	cmd.Flags().StringVar(&o.Experiment, "experiment", "", "KFP: only those of experiment `NAME` or id")
	cmd.Flags().StringVar(&o.Schedule, "schedule", "", "only those that the schedule or recurring run `NAME` has started")
	cmd.RegisterFlagCompletionFunc("experiment", completeKept(&f.Server, "EXPERIMENT"))
	cmd.Flags().StringVar(&state, "state", "", "only those in a `STATE`, such as running, succeeded or failed")
	flags.Choices(cmd, "state", "running", "succeeded", "failed", "canceled")
	return cmd
}

func newRunsGet(f *runFlags) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "get RUN", Short: "Show a run with its tasks", Args: cli.Exactly(1, "RUN"), ValidArgsFunction: cli.First(CompleteRuns(f.open)),
		RunE: named(f.open, func(cmd *cobra.Command, c client.Client, args []string) error {
			r, err := c.Get(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return showRun(cmd, format, r)
		}),
	}
	flags.Format(cmd, &format)
	return cmd
}

func newRunsDescribe(f *runFlags) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "describe RUN", Short: "Show a run with its pods, and why a pod is pending or has failed", Args: cli.Exactly(1, "RUN"), ValidArgsFunction: cli.First(CompleteRuns(f.open)),
		Long: `Describe shows a run with its pods in Kubernetes: their phases, events, and why a pod
doesn't start or has failed. It uses a kubeconfig, or the service account of the pod that
it runs in. For a run on this machine it shows the last lines of the logs of the steps
that failed.`,
		RunE: named(f.open, func(cmd *cobra.Command, c client.Client, args []string) error {
			r, err := c.Get(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			pods, err := c.Pods(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if format != "table" && format != "wide" {
				return cli.Display(cmd, format, struct {
					*client.Run
					Pods []*client.Pod `json:"pods"`
				}{r, pods}, func(t *cli.Table) { t.Row(r.ID) })
			}
			if err := showRun(cmd, format, r); err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			logEnds(w, c, args[0])
			for _, p := range pods {
				fmt.Fprintln(w)
				of := ", of KFP itself"
				if p.Task != "" {
					of = ", of task " + p.Task
				}
				cli.Say(w, "pod %s%s: %s", p.Name, of, p.Phase)
				for _, line := range append([]string{p.Reason}, p.Waits...) {
					if line != "" {
						cli.Say(w, "  %s", line)
					}
				}
				for _, e := range p.Events {
					cli.Say(w, "  %s  %-7s %s: %s", date(e.Last), e.Type, e.Reason, e.Message)
				}
			}
			return nil
		}),
	}
	flags.Format(cmd, &format)
	return cmd
}

func newRunsWait(f *runFlags) *cobra.Command {
	var timeout time.Duration
	var format string
	cmd := &cobra.Command{
		Use: "wait RUN", Short: "Wait until a run has ended", Args: cli.Exactly(1, "RUN"), ValidArgsFunction: cli.First(CompleteRuns(f.open)),
		Long: `Wait waits until a run has ended, also while the server restarts or after a connection
is lost. Ctrl-C doesn't stop the run. The exit code is 0 if the run succeeded, 1 if it
didn't, and 130 after ctrl-C.`,
		RunE: named(f.open, func(cmd *cobra.Command, c client.Client, args []string) error {
			return follow(cmd, c, args[0], timeout, format, f.again())
		}),
	}
	cmd.Flags().DurationVar(&timeout, "wait-timeout", 0, "`TIME` after which to stop waiting; the run continues")
	flags.Format(cmd, &format)
	return cmd
}

func newRunsLogs(f *runFlags) *cobra.Command {
	o := client.LogOptions{}
	cmd := &cobra.Command{
		Use: "logs RUN", Short: "Print the logs of a run", Args: cli.Exactly(1, "RUN"), ValidArgsFunction: cli.First(CompleteRuns(f.open)),
		Long: `Logs prints the logs of the steps of a run, each line after the path of its step, with
--all also those of Argo's executor and KFP's launcher. On a terminal it prints them without colors and control characters; a pipe
or file gets the unchanged logs.`,
		Example: `  kfpgo runs logs @latest
  kfpgo runs logs 0f6c… -f
  kfpgo runs logs 0f6c… --task train`,
		RunE: named(f.open, func(cmd *cobra.Command, c client.Client, args []string) error {
			var flush func() error
			o.Out, flush = cli.Logs(cmd.OutOrStdout())
			return errors.Join(c.Logs(cmd.Context(), args[0], o), flush())
		}),
	}
	cmd.Flags().BoolVarP(&o.Follow, "follow", "f", false, "follow the logs until the run has ended")
	cmd.Flags().BoolVar(&o.All, "all", false, "also print the logs of the engine")
	cmd.Flags().StringVar(&o.Task, "task", "", "only the step of task `NAME` or path, without the name before each line")
	cmd.RegisterFlagCompletionFunc("task", CompleteTasks(f.open))
	return cmd
}

// runsCommand does something to each of the runs that are named. It asks before it deletes.
func runsCommand[C client.Client](connect func(*cobra.Command) (C, error), name, short string, do func(C, context.Context, string) error) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: name + " RUN...", Short: short, Args: cli.AtLeast("RUN"), ValidArgsFunction: CompleteRuns(connect),
		RunE: named(connect, func(cmd *cobra.Command, c C, args []string) error {
			done := "was " + strings.TrimSuffix(name, "e") + "ed"
			switch name {
			case "retry":
				done = "runs again"
			case "delete":
				if err := cli.Confirm(cmd, yes, "delete "+strings.Join(args, ", ")); err != nil {
					return err
				}
			}
			for _, id := range args {
				if err := do(c, cmd.Context(), id); err != nil {
					return err
				}
				cli.Say(cmd.ErrOrStderr(), "%s %s", id, done)
			}
			return nil
		}),
	}
	if name == "delete" {
		flags.Yes(cmd, &yes)
	}
	return cmd
}
