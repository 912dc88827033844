package server

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

func newRecurringRuns() *cobra.Command {
	f := &flags.Server{}
	cmd := noun(f, "recurring-runs", "Manage the recurring runs of a KFP server",
		`Recurring-runs manages KFP's recurring runs. Their cron has six fields, seconds first, in
the time zone of the server, and their names are not unique. kfpgo schedule manages
schedules on all engines with the same meaning: by name, with five fields and a time zone.
On KFP it stores them as recurring runs.`,
		newRecurringCreate(f), newRecurringList(f),
		show(f, "get RECURRING-RUN", "Show a recurring run", func(ctx context.Context, c *kfp.Client, args []string) (any, func(*cli.Table), error) {
			r, err := c.RecurringRun(ctx, args[0])
			return r, func(t *cli.Table) { describeRecurring(t, r) }, err
		}),
		act(f, "enable RECURRING-RUN", "Enable a recurring run", (*kfp.Client).EnableRecurringRun),
		act(f, "disable RECURRING-RUN", "Disable a recurring run", (*kfp.Client).DisableRecurringRun),
		flags.Deletes(act(f, "delete RECURRING-RUN", "Delete a recurring run; its runs are kept", (*kfp.Client).DeleteRecurringRun), "recurring run ", " "),
	)
	cmd.Aliases = []string{"recurring-run"}
	return cmd
}

func newRecurringCreate(f *flags.Server) *cobra.Command {
	var r kfp.RecurringRun
	var s SubmitFlags
	var given params.Options
	var start, end, format string
	var disabled bool
	cmd := &cobra.Command{
		Use: "create NAME [PIPELINE]", Short: "Create a recurring run of a pipeline or of an uploaded version",
		Example: `  kfpgo recurring-runs create nightly --pipeline calc --cron '0 0 3 * * *' -p a=12
  kfpgo recurring-runs create often ./examples/calc --image registry.example.com/calc:1 --interval 90s`,
		Args: cobra.MatchAll(cli.AtLeast("NAME"), cli.PipelineArg(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 2) == (s.pipeline != "") {
				return cli.Usagef(cmd, "give a PIPELINE or --pipeline, one of them")
			}
			if err := flags.ReadParams(&given); err != nil {
				return err
			}
			var err1, err2 error
			if start != "" {
				r.Start, err1 = schedule.Time(start, "")
			}
			if end != "" {
				r.End, err2 = schedule.Time(end, "")
			}
			if err := errors.Join(err1, err2); err != nil {
				return cli.Usagef(cmd, "%v", err)
			}
			c, err := f.KFP(cmd)
			if err != nil {
				return err
			}
			r.Name, r.Enabled = args[0], !disabled
			if err := s.recurring(cmd, c, args[1:], given, &r); err != nil {
				return err
			}
			made, err := c.CreateRecurringRun(cmd.Context(), r)
			if err != nil {
				return err
			}
			return cli.Display(cmd, format, made, func(t *cli.Table) { t.Row(made.ID) })
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&r.Cron, "cron", "", "`CRON` of KFP's own six fields, the second first, in the zone of the server")
	fl.DurationVar(&r.Every, "interval", 0, "`TIME` between runs, in place of a cron, such as 90s")
	fl.StringVar(&start, "start", "", "fire from `TIME` on, such as 2027-03-27T12:00:00Z")
	fl.StringVar(&end, "end", "", "fire until `TIME`")
	fl.Int64Var(&r.MaxConcurrency, "max-concurrency", 1, "at most `N` runs at once, 1 to 10")
	fl.BoolVar(&r.NoCatchUp, "no-catchup", false, "of the times that were missed, fire the last only")
	fl.BoolVar(&disabled, "disabled", false, "make it, and let it start nothing yet")
	fl.StringVar(&r.Description, "description", "", "`TEXT` about it")
	fl.StringVar(&r.Experiment, "experiment", "", "`NAME` of the experiment of its runs; it is created if it doesn't exist")
	fl.StringVar(&r.ServiceAccount, "service-account", "", "`NAME` of the service account that the pods run as")
	fl.StringVar(&r.ArtifactRoot, "pipeline-root", "", "`URI` that the artifacts go below")
	s.addKept(fl)
	flags.Image(fl, &s.Compile.Image)
	fl.StringVar(&s.Compile.KFPVersion, "kfp-version", "", "`VERSION` of the server, such as 2.5, to send no field that it doesn't know; default: what the server says")
	flags.Params(fl, &given, "a parameter", "parameters")
	flags.Format(cmd, &format)
	return cmd
}

// recurring sets the pipeline of a recurring run.
func (s *SubmitFlags) recurring(cmd *cobra.Command, c *kfp.Client, pipeline []string, given params.Options, r *kfp.RecurringRun) error {
	if len(pipeline) == 1 {
		if err := s.compiled(cmd, c, pipeline[0], given, true); err != nil {
			return err
		}
		r.Args = s.Args
		var err error
		r.Spec, err = kfp.SpecOf(s.Spec)
		return err
	}
	p, v, err := keptVersion(cmd.Context(), c, s.pipeline, s.version, s.version == "")
	if err != nil {
		return err
	}
	inputs, err := inputsOf(v.Spec)
	if err != nil {
		return err
	}
	r.Pipeline, r.Version = p.ID, v.ID
	r.Args, err = params.Read(inputs, given)
	return err
}

func newRecurringList(f *flags.Server) *cobra.Command {
	var experiment string
	cmd, _ := list(f, "list", "List recurring runs, newest first",
		func(ctx context.Context, c *kfp.Client, _ []string) (pager[kfp.RecurringRun], error) {
			id := ""
			if experiment != "" {
				e, err := c.Experiment(ctx, experiment)
				if err != nil {
					return nil, err
				}
				id = e.ID
			}
			return func(ctx context.Context, o kfp.ListOptions) ([]*kfp.RecurringRun, string, error) {
				list, next, err := c.ListRecurringRuns(ctx, id, o)
				for _, r := range list {
					r.Spec = nil
				}
				return list, next, err
			}, nil
		},
		[]any{"ID", "NAME", "STATE", "TIMES", "CREATED"},
		func(r *kfp.RecurringRun) []any { return []any{r.ID, r.Name, enabled(r), times(r), date(r.Created)} })
	cmd.Flags().StringVar(&experiment, "experiment", "", "only those of experiment `NAME` or id")
	return cmd
}

func enabled(r *kfp.RecurringRun) string {
	if r.Enabled {
		return "enabled"
	}
	return "disabled"
}

func times(r *kfp.RecurringRun) string {
	if r.Cron != "" {
		return r.Cron
	}
	return "every " + r.Every.String()
}

func describeRecurring(t *cli.Table, r *kfp.RecurringRun) {
	t.Row("name", r.Name)
	t.Row("id", r.ID)
	t.Row("state", enabled(r))
	t.Row("times", times(r))
	t.Row("concurrency", r.MaxConcurrency)
	for _, p := range []struct {
		name string
		t    time.Time
	}{{"start", r.Start}, {"end", r.End}, {"created", r.Created}} {
		if !p.t.IsZero() {
			t.Row(p.name, date(p.t))
		}
	}
	if len(r.Args) > 0 {
		t.Row("args", argsText(r.Args))
	}
}
