package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/params"
)

func newRecurringRuns() *cobra.Command {
	f := &serverFlags{}
	cmd := noun("recurring-runs", "Make and show KFP's own objects that start runs at times",
		`Recurring-runs shows and changes KFP's recurring runs as KFP has them: its cron has six
fields, the second first, in the time zone of the server, and names are not unique.
kfpgo schedule manages schedules on any engine, with one meaning: it applies them by
name, with five fields and a zone, and on KFP it makes recurring runs of them.`, f,
		newRecurringCreate(f), newRecurringList(f), newRecurringGet(f),
		kfpVerb(f, "enable RECURRING-RUN", "Let a recurring run start runs again", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
			return c.EnableRecurringRun(cmd.Context(), args[0])
		}),
		kfpVerb(f, "disable RECURRING-RUN", "Stop a recurring run from starting runs", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
			return c.DisableRecurringRun(cmd.Context(), args[0])
		}),
		deletes(kfpVerb(f, "delete RECURRING-RUN", "Delete a recurring run; what it has started stays", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
			return c.DeleteRecurringRun(cmd.Context(), args[0])
		}), "recurring run"),
	)
	cmd.Aliases = []string{"recurring-run"}
	return cmd
}

func newRecurringCreate(f *serverFlags) *cobra.Command {
	var r kfp.RecurringRun
	var s submitFlags
	var given params.Options
	var start, end, format string
	var disabled bool
	cmd := &cobra.Command{
		Use: "create NAME [PIPELINE]", Short: "Make a recurring run of a pipeline, or of a version that KFP keeps",
		Example: `  kfpgo recurring-runs create nightly --pipeline calc --cron '0 0 3 * * *' -p a=12
  kfpgo recurring-runs create often ./examples/calc --image registry.example.com/calc:1 --interval 90s`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef(cmd, "no NAME was given")
			}
			return pipelineArg(2)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 2) == (s.pipeline != "") {
				return usagef(cmd, "give a PIPELINE or --pipeline, one of them")
			}
			if err := readParams(&given); err != nil {
				return err
			}
			var err1, err2 error
			if start != "" {
				r.Start, err1 = parseTime(start, "")
			}
			if end != "" {
				r.End, err2 = parseTime(end, "")
			}
			if err := errors.Join(err1, err2); err != nil {
				return usagef(cmd, "%v", err)
			}
			c, err := f.kfpClient(cmd)
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
			return display(cmd, format, made, func(t *table) { t.row(made.ID) })
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
	fl.StringVar(&r.Experiment, "experiment", "", "`NAME` of the experiment of its runs; it is made if it isn't there")
	fl.StringVar(&r.ServiceAccount, "service-account", "", "`NAME` of the service account that the pods run as")
	fl.StringVar(&r.ArtifactRoot, "pipeline-root", "", "`URI` that the artifacts go below")
	fl.StringVar(&s.pipeline, "pipeline", "", "`NAME` or id of a pipeline that KFP keeps")
	fl.StringVar(&s.version, "version", "", "with --pipeline: `NAME` or id of the version; default: the newest")
	fl.StringVar(&s.image, "image", os.Getenv(contract.ImageVar), "container image `REF` of the program, for its Go components")
	fl.Lookup("image").DefValue = ""
	fl.StringVar(&s.kfpVersion, "kfp-version", "", "`VERSION` of the server, such as 2.5, to send no field that it doesn't know")
	fl.StringArrayVarP(&given.Flags, "param", "p", nil, "a parameter, as `NAME=VALUE`; may be repeated")
	fl.StringVar(&given.File, "params-file", "", "YAML `FILE` with an object of parameters; -p wins over it")
	formatFlag(cmd, &format)
	return cmd
}

// recurring sets the pipeline of a recurring run.
func (s *submitFlags) recurring(cmd *cobra.Command, c *kfp.Client, pipeline []string, given params.Options, r *kfp.RecurringRun) error {
	if len(pipeline) == 1 {
		if err := s.compiled(cmd, c, pipeline[0], given, true); err != nil {
			return err
		}
		r.Args = s.Args
		var err error
		r.Spec, err = kfp.SpecOf(s.Spec)
		return err
	}
	p, err := c.Pipeline(cmd.Context(), s.pipeline)
	if err != nil {
		return err
	}
	var v *kfp.Version
	if s.version == "" {
		v, err = c.LatestVersion(cmd.Context(), p.ID)
	} else {
		v, err = c.Version(cmd.Context(), p.ID, s.version)
	}
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

func newRecurringList(f *serverFlags) *cobra.Command {
	var l listFlags
	var experiment string
	cmd := kfpVerb(f, "list", "Show recurring runs, the newest first", 0, func(cmd *cobra.Command, c *kfp.Client, _ []string) error {
		if err := l.check(cmd); err != nil {
			return err
		}
		id := ""
		if experiment != "" {
			e, err := c.Experiment(cmd.Context(), experiment)
			if err != nil {
				return err
			}
			id = e.ID
		}
		list, next, err := collect(cmd.Context(), &l, func(ctx context.Context, o kfp.ListOptions) ([]*kfp.RecurringRun, string, error) {
			return c.ListRecurringRuns(ctx, id, o)
		})
		if err != nil {
			return err
		}
		for _, r := range list {
			r.Spec = nil
		}
		more(cmd, next)
		return display(cmd, l.format, list, func(t *table) {
			t.row("ID", "NAME", "STATE", "TIMES", "CREATED")
			for _, r := range list {
				t.row(r.ID, r.Name, enabled(r), times(r), date(r.Created))
			}
		})
	})
	l.add(cmd, false)
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

func newRecurringGet(f *serverFlags) *cobra.Command {
	var format string
	cmd := kfpVerb(f, "get RECURRING-RUN", "Show a recurring run", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
		r, err := c.RecurringRun(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		return display(cmd, format, r, func(t *table) {
			t.row("name", r.Name)
			t.row("id", r.ID)
			t.row("state", enabled(r))
			t.row("times", times(r))
			t.row("concurrency", r.MaxConcurrency)
			for _, p := range []struct {
				name string
				t    time.Time
			}{{"start", r.Start}, {"end", r.End}, {"created", r.Created}} {
				if !p.t.IsZero() {
					t.row(p.name, date(p.t))
				}
			}
			if len(r.Args) > 0 {
				t.row("args", argsText(r.Args))
			}
		})
	})
	formatFlag(cmd, &format)
	return cmd
}
