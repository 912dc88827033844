package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/internal/local/progress"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/net/paging"
)

func newRuns() *cobra.Command {
	f := &serverFlags{}
	cmd := noun("runs", "Start, watch and end runs on KFP or Argo",
		`Runs shows and changes the runs of a server: runs of KFP, or Workflows of Argo. A run
goes by its id, which is what kfpgo run --on kfp prints.`, f,
		newRunsCreate(f), newRunsList(f), newRunsGet(f), newRunsDescribe(f), newRunsWait(f), newRunsLogs(f),
		runsVerb(f, "terminate", "End a run", client.Client.Terminate),
		runsVerb(f, "retry", "Run again what has failed in a run", client.Client.Retry),
		kfpRunsVerb(f, "archive", "Move runs out of the lists; they are still there", (*kfp.Client).Archive),
		kfpRunsVerb(f, "unarchive", "Take archived runs back", (*kfp.Client).Unarchive),
		newRunsDelete(f),
	)
	cmd.PersistentFlags().StringVar(&f.on, "on", "", "`ENGINE` of the server: kfp or argo; default: the context's")
	return cmd
}

func newRunsCreate(f *serverFlags) *cobra.Command {
	var s submitFlags
	var given params.Options
	var format string
	cmd := &cobra.Command{
		Use: "create [PIPELINE]", Aliases: []string{"submit"}, Short: "Start a run of a pipeline, or of one that KFP keeps",
		Long: `Create compiles a pipeline, checks it with its arguments and starts a run, as
kfpgo run --on kfp does. With --pipeline it starts one of a version that KFP keeps.`,
		Example: `  kfpgo runs create ./examples/calc -p a=12 --wait
  kfpgo runs create --pipeline calc -p a=12`,
		Args: pipelineArg(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && s.pipeline == "":
				return usagef(cmd, "no PIPELINE was given, and no --pipeline")
			case len(args) > 0 && s.pipeline != "":
				return usagef(cmd, "give a PIPELINE or --pipeline, not both")
			case s.version != "" && s.pipeline == "":
				return usagef(cmd, "--version is of --pipeline")
			}
			if err := readParams(&given); err != nil {
				return err
			}
			return s.submit(cmd, f, strings.Join(args, ""), given, format)
		},
		ValidArgsFunction: completePipeline,
	}
	s.add(cmd)
	cmd.Flags().StringVar(&s.pipeline, "pipeline", "", "`NAME` or id of a pipeline that KFP keeps")
	cmd.Flags().StringVar(&s.version, "version", "", "with --pipeline: `NAME` or id of the version; default: the newest")
	cmd.Flags().StringArrayVarP(&given.Flags, "param", "p", nil, "a parameter, as `NAME=VALUE`; may be repeated")
	cmd.Flags().StringVar(&given.File, "params-file", "", "YAML `FILE` with an object of parameters; -p wins over it")
	cmd.Flags().BoolVar(&s.noCache, "no-cache", false, "run each task, even if an equal one has run before")
	formatFlag(cmd, &format)
	return cmd
}

func newRunsList(f *serverFlags) *cobra.Command {
	var l listFlags
	var o client.ListOptions
	var state string
	cmd := &cobra.Command{
		Use: "list", Short: "Show runs, the newest first", Args: cobra.NoArgs,
		Example: `  kfpgo runs list --state failed --experiment nightly
  kfpgo runs list --filter '{"predicates":[{"operation":"IS_SUBSTRING","key":"name","stringValue":"train"}]}' --format json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := l.check(cmd); err != nil {
				return err
			}
			c, err := f.connect(cmd)
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
			err = display(cmd, l.format, list, func(t *table) {
				t.row("ID", "NAME", "STATE", "STARTED", "TOOK")
				for _, r := range list {
					t.row(r.ID, r.Name, cmp.Or(r.State, "-"), date(cmp.Or(r.Created, r.Started)), took(r))
				}
			})
			more(cmd, o.Page)
			return err
		},
	}
	l.add(cmd, true)
	cmd.Flags().StringVar(&o.Experiment, "experiment", "", "KFP: only those of experiment `NAME` or id")
	cmd.Flags().StringVar(&o.Schedule, "schedule", "", "only those that the schedule or recurring run `NAME` has started")
	cmd.Flags().StringVar(&state, "state", "", "only those in a `STATE`, such as running, succeeded or failed")
	return cmd
}

// date returns a time for a table.
func date(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04:05")
}

func took(r *client.Run) string {
	began := cmp.Or(r.Started, r.Created)
	switch {
	case began.IsZero():
		return "-"
	case r.Ended.IsZero() || !r.State.Done():
		if r.State.Done() {
			return "-"
		}
		return progress.Duration(time.Since(began), true)
	}
	return progress.Duration(r.Ended.Sub(began), true)
}

// showRun writes a run with its tasks.
func showRun(cmd *cobra.Command, format string, r *client.Run) error {
	return display(cmd, format, r, func(w *table) {
		w.row("run", r.Name)
		w.row("id", r.ID)
		w.row("state", cmp.Or(r.State, "-"))
		w.lines("error", r.Error)
		for _, p := range [][2]string{
			{"pipeline", r.Pipeline}, {"version", r.Version}, {"experiment", r.Experiment}, {"schedule", r.Schedule},
			{"args", argsText(r.Args)}, {"outputs", argsText(r.Outputs)}, {"page", r.URL},
		} {
			if p[1] != "" {
				w.row(p[0], p[1])
			}
		}
		w.row("started", date(cmp.Or(r.Started, r.Created)))
		if r.State.Done() {
			w.row("took", took(r))
		}
		for i, t := range r.Tasks {
			label := ""
			if i == 0 {
				label = "tasks"
			}
			w.row(label, fmt.Sprintf("%s: %s%s", t.Path, cmp.Or(t.State, "-"), because(t.Error)))
		}
	})
}

func newRunsGet(f *serverFlags) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "get RUN", Short: "Show a run with its tasks", Args: exactly(1, "RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.connect(cmd)
			if err != nil {
				return err
			}
			r, err := c.Get(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return showRun(cmd, format, r)
		},
	}
	formatFlag(cmd, &format)
	return cmd
}

func newRunsDescribe(f *serverFlags) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "describe RUN", Short: "Show a run with its pods: why one is pending, why one has failed", Args: exactly(1, "RUN"),
		Long: `Describe shows a run with what Kubernetes knows of its pods: their phases, why one
doesn't start or has failed, and what has happened to it. It takes a kubeconfig, or
the account of the pod that it runs in.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.connect(cmd)
			if err != nil {
				return err
			}
			r, err := c.Get(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			pods, err := c.Pods(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if format != "table" {
				return display(cmd, format, struct {
					*client.Run
					Pods []*client.Pod `json:"pods"`
				}{r, pods}, nil)
			}
			if err := showRun(cmd, format, r); err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			for _, p := range pods {
				fmt.Fprintln(w)
				say(w, "pod %s%s: %s", p.Name, cmp.Or(ofTask(p.Task), ", of KFP itself"), p.Phase)
				for _, line := range append([]string{p.Reason}, p.Waits...) {
					if line != "" {
						say(w, "  %s", line)
					}
				}
				for _, e := range p.Events {
					say(w, "  %s  %-7s %s: %s", date(e.Last), e.Type, e.Reason, e.Message)
				}
			}
			return nil
		},
	}
	formatFlag(cmd, &format)
	return cmd
}

func ofTask(task string) string {
	if task == "" {
		return ""
	}
	return ", of task " + task
}

func newRunsWait(f *serverFlags) *cobra.Command {
	var timeout time.Duration
	var format string
	cmd := &cobra.Command{
		Use: "wait RUN", Short: "Follow a run until it has ended", Args: exactly(1, "RUN"),
		Long: `Wait follows a run until it has ended, and goes on when the server restarts or a
connection is lost. Ctrl-C leaves the run alone. The exit code is 0 if the run
succeeded, 1 if not and 130 after ctrl-C.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.connect(cmd)
			if err != nil {
				return err
			}
			return follow(cmd, f, c, args[0], timeout, format)
		},
	}
	cmd.Flags().DurationVar(&timeout, "wait-timeout", 0, "`TIME` after which to stop waiting; the run goes on")
	formatFlag(cmd, &format)
	return cmd
}

func newRunsLogs(f *serverFlags) *cobra.Command {
	o := client.LogOptions{}
	cmd := &cobra.Command{
		Use: "logs RUN", Short: "Show what the steps of a run have written", Args: exactly(1, "RUN"),
		Long: `Logs shows what the steps of a run have written, with --all also the lines of Argo's
executor and KFP's launcher beside it. On a terminal it is shown without
colours and what else would act on it; a pipe or file gets it as it is.`,
		Example: `  kfpgo runs logs 0f6c… -f
  kfpgo runs logs 0f6c… --task train`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.connect(cmd)
			if err != nil {
				return err
			}
			var flush func() error
			o.Out, flush = logs(cmd.OutOrStdout())
			return errors.Join(c.Logs(cmd.Context(), args[0], o), flush())
		},
	}
	cmd.Flags().BoolVarP(&o.Follow, "follow", "f", false, "go on until the run has ended")
	cmd.Flags().BoolVar(&o.All, "all", false, "also show what the engine writes beside the steps")
	cmd.Flags().StringVar(&o.Task, "task", "", "only the step of task `NAME`, without the name before each line")
	return cmd
}

// each does something to each of the runs that are named.
func each(cmd *cobra.Command, ids []string, done string, do func(id string) error) error {
	for _, id := range ids {
		if err := do(id); err != nil {
			return err
		}
		say(cmd.ErrOrStderr(), "%s %s", id, done)
	}
	return nil
}

func atLeast(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef(cmd, "no %s was given", what)
		}
		return nil
	}
}

func past(verb string) string {
	switch verb {
	case "retry":
		return "runs again"
	}
	return "was " + strings.TrimSuffix(verb, "e") + "ed"
}

func runsVerb(f *serverFlags, verb, short string, do func(client.Client, ctx, string) error) *cobra.Command {
	return &cobra.Command{
		Use: verb + " RUN...", Short: short, Args: atLeast("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.connect(cmd)
			if err != nil {
				return err
			}
			return each(cmd, args, past(verb), func(id string) error { return do(c, cmd.Context(), id) })
		},
	}
}

func kfpRunsVerb(f *serverFlags, verb, short string, do func(*kfp.Client, ctx, string) error) *cobra.Command {
	return &cobra.Command{
		Use: verb + " RUN...", Short: short, Args: atLeast("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.kfpClient(cmd)
			if err != nil {
				return err
			}
			return each(cmd, args, past(verb), func(id string) error { return do(c, cmd.Context(), id) })
		},
	}
}

func newRunsDelete(f *serverFlags) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "delete RUN...", Short: "Forget runs that have ended", Args: atLeast("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.connect(cmd)
			if err != nil {
				return err
			}
			if err := confirm(cmd, yes, "delete "+strings.Join(args, ", ")); err != nil {
				return err
			}
			return each(cmd, args, "was deleted", func(id string) error { return c.Delete(cmd.Context(), id) })
		},
	}
	yesFlag(cmd, &yes)
	return cmd
}
