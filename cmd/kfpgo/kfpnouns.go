package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/kfpread"
	"github.com/kfpgo/kfpgo/internal/params"
	"github.com/kfpgo/kfpgo/internal/program"
)

type ctx = context.Context

// kfpVerb returns a verb that only KFP has.
func kfpVerb(f *serverFlags, use, short string, n int, do func(cmd *cobra.Command, c *kfp.Client, args []string) error) *cobra.Command {
	_, what, _ := strings.Cut(use, " ")
	args := exactly(n, what)
	if n == 0 {
		args = cobra.NoArgs
	}
	return &cobra.Command{
		Use: use, Short: short, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.kfpClient(cmd)
			if err != nil {
				return err
			}
			return do(cmd, c, args)
		},
	}
}

// deletes makes a verb ask before it deletes.
func deletes(cmd *cobra.Command, what string) *cobra.Command {
	var yes bool
	do := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := confirm(cmd, yes, "delete "+what+" "+strings.Join(args, " ")); err != nil {
			return err
		}
		return do(cmd, args)
	}
	yesFlag(cmd, &yes)
	return cmd
}

func newPipelines() *cobra.Command {
	f := &serverFlags{}
	cmd := noun("pipelines", "Upload and show the pipelines that KFP keeps",
		`Pipelines shows and changes the pipelines that a KFP server keeps, with their versions.
They go by name or by id.`, f,
		newUpload(f), newPipelinesList(f), newVersionsList(f), newPipelinesGet(f), newVersionsGet(f),
		deletes(kfpVerb(f, "delete PIPELINE", "Delete a pipeline with all of its versions", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
			return c.DeletePipeline(cmd.Context(), args[0])
		}), "pipeline"),
		deletes(kfpVerb(f, "delete-version PIPELINE VERSION", "Delete a version of a pipeline", 2, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
			p, err := c.Pipeline(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return c.DeleteVersion(cmd.Context(), p.ID, args[1])
		}), "version"),
	)
	cmd.Aliases = []string{"pipeline"}
	return cmd
}

func newUpload(f *serverFlags) *cobra.Command {
	var u kfp.Upload
	var o emit.Options
	var build bool
	var format string
	cmd := &cobra.Command{
		Use: "upload PIPELINE", Aliases: []string{"create", "create-version"}, Short: "Bring a pipeline to the server: new, as a version, or not at all if it is there",
		Long: `Upload brings a pipeline to the server under a name: it makes the pipeline, or adds a
version to it, or says that it is already there. PIPELINE is a Go package, which is
compiled, or YAML, or a zip or tar.gz archive with one YAML file in it. It is checked
first, since the server takes what it can't run.

A version is called as --version says, or after its content.`,
		Example: `  kfpgo pipelines upload ./examples/calc --image registry.example.com/calc:1
  kfpgo pipelines upload calc.yaml --name calc --version 2.1`,
		Args: exactly(1, "PIPELINE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.kfpClient(cmd)
			if err != nil {
				return err
			}
			name, err := uploaded(cmd, args[0], &u, o, build)
			if err != nil {
				return err
			}
			if u.Pipeline == "" {
				u.Pipeline = name
			}
			v, change, err := c.Upload(cmd.Context(), u)
			if err != nil {
				return err
			}
			switch change {
			case client.Created:
				fmt.Fprintf(cmd.ErrOrStderr(), "pipeline %s was made, with version %s\n", u.Pipeline, v.Name)
			case client.Updated:
				fmt.Fprintf(cmd.ErrOrStderr(), "pipeline %s has got version %s\n", u.Pipeline, v.Name)
			default:
				fmt.Fprintf(cmd.ErrOrStderr(), "pipeline %s has this already, as version %s\n", u.Pipeline, v.Name)
			}
			v.Spec = nil
			return display(cmd, format, struct {
				*kfp.Version
				Change client.Change `json:"change"`
			}{v, change}, func(w *tabwriter.Writer) { fmt.Fprintln(w, v.ID) })
		},
		ValidArgsFunction: completePipeline,
	}
	fl := cmd.Flags()
	fl.StringVar(&u.Pipeline, "name", "", "`NAME` of the pipeline on the server; default: its own")
	fl.StringVar(&u.Version, "version", "", "`NAME` of the version; default: it follows from the content")
	fl.StringVar(&u.Description, "description", "", "`TEXT` about it")
	fl.StringVar(&o.Image, "image", os.Getenv("KFPGO_IMAGE"), "container image `REF` of the program, for its Go components")
	fl.Lookup("image").DefValue = ""
	fl.StringVar(&o.KFPVersion, "kfp-version", "", "`VERSION` of the server, such as 2.5, to send no field that it doesn't know")
	fl.BoolVar(&build, "build", false, "build the images of the components and push them to --image")
	formatFlag(cmd, &format)
	return cmd
}

// uploaded reads what is to be uploaded, checks it, and returns its name.
func uploaded(cmd *cobra.Command, pipeline string, u *kfp.Upload, o emit.Options, build bool) (name string, err error) {
	switch ext := strings.ToLower(pipeline); {
	case strings.HasSuffix(ext, ".zip"), strings.HasSuffix(ext, ".tar.gz"), strings.HasSuffix(ext, ".tgz"):
		b, err := os.ReadFile(pipeline)
		if err == nil {
			b, err = kfp.Unpack(b)
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", pipeline, err)
		}
		p, err := kfpread.Read(pipeline, b)
		if err != nil {
			return "", err
		}
		u.Spec = b
		return p.Name, nil
	case isFile(pipeline) && pipeline != "-":
		p, err := kfpread.File(pipeline)
		if err == nil {
			u.Spec, err = os.ReadFile(pipeline)
		}
		if err != nil {
			return "", err
		}
		return p.Name, nil
	case pipeline == "-":
		b, err := io.ReadAll(io.LimitReader(os.Stdin, kfpread.MaxSize+1))
		if err != nil {
			return "", fmt.Errorf("the standard input: %w", err)
		}
		p, err := kfpread.Read("standard input", b)
		if err != nil {
			return "", err
		}
		u.Spec = b
		return p.Name, nil
	}
	p, _, err := load(cmd.Context(), pipeline)
	if err != nil {
		return "", err
	}
	if build {
		if o.Image, err = buildImage(cmd, p, pipeline, o.Image, func(image string) error {
			o.Image = image
			_, err := emit.Emit(p, emit.KFP, o)
			return err
		}); err != nil {
			return "", err
		}
	}
	u.Spec, err = emit.Emit(p, emit.KFP, o)
	return p.Name, err
}

// inputsOf returns the inputs of a pipeline that the server keeps.
func inputsOf(spec any) ([]program.Port, error) {
	yaml, err := kfp.YAMLOf(spec)
	if err != nil {
		return nil, err
	}
	p, err := kfpread.Read("pipeline", yaml)
	if err != nil {
		return nil, err
	}
	return p.Component(p.Main).Inputs, nil
}

func newPipelinesList(f *serverFlags) *cobra.Command {
	var l listFlags
	cmd := kfpVerb(f, "list", "Show pipelines, the newest first", 0, func(cmd *cobra.Command, c *kfp.Client, _ []string) error {
		if err := l.check(cmd); err != nil {
			return err
		}
		list, next, err := collect(cmd.Context(), &l, c.ListPipelines)
		if err != nil {
			return err
		}
		more(cmd, next)
		return display(cmd, l.format, list, func(w *tabwriter.Writer) {
			fmt.Fprintln(w, "ID\tNAME\tCREATED\tDESCRIPTION")
			for _, p := range list {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", p.ID, p.Name, date(p.Created), first(p.Description))
			}
		})
	})
	l.add(cmd, false)
	return cmd
}

func first(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

func newVersionsList(f *serverFlags) *cobra.Command {
	var l listFlags
	cmd := kfpVerb(f, "versions PIPELINE", "Show the versions of a pipeline, the newest first", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
		if err := l.check(cmd); err != nil {
			return err
		}
		p, err := c.Pipeline(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		list, next, err := collect(cmd.Context(), &l, func(ctx context.Context, o kfp.ListOptions) ([]*kfp.Version, string, error) {
			list, next, err := c.ListVersions(ctx, p.ID, o)
			for _, v := range list {
				v.Spec = nil
			}
			return list, next, err
		})
		if err != nil {
			return err
		}
		more(cmd, next)
		return display(cmd, l.format, list, func(w *tabwriter.Writer) {
			fmt.Fprintln(w, "ID\tNAME\tCREATED\tDESCRIPTION")
			for _, v := range list {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", v.ID, v.Name, date(v.Created), first(v.Description))
			}
		})
	})
	cmd.Aliases = []string{"list-versions"}
	l.add(cmd, false)
	return cmd
}

func newPipelinesGet(f *serverFlags) *cobra.Command {
	var format string
	cmd := kfpVerb(f, "get PIPELINE", "Show a pipeline", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
		p, err := c.Pipeline(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		return display(cmd, format, p, func(w *tabwriter.Writer) {
			fmt.Fprintf(w, "name\t%s\nid\t%s\ncreated\t%s\n", p.Name, p.ID, date(p.Created))
			if p.Description != "" {
				fmt.Fprintf(w, "description\t%s\n", first(p.Description))
			}
		})
	})
	formatFlag(cmd, &format)
	return cmd
}

func newVersionsGet(f *serverFlags) *cobra.Command {
	var format string
	cmd := kfpVerb(f, "get-version PIPELINE VERSION", "Show a version of a pipeline; latest is the newest", 2, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
		p, err := c.Pipeline(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		var v *kfp.Version
		if args[1] == "latest" {
			v, err = c.LatestVersion(cmd.Context(), p.ID)
		} else {
			v, err = c.Version(cmd.Context(), p.ID, args[1])
		}
		if err != nil {
			return err
		}
		return display(cmd, format, v, func(w *tabwriter.Writer) {
			fmt.Fprintf(w, "pipeline\t%s\nname\t%s\nid\t%s\ncreated\t%s\n", p.Name, v.Name, v.ID, date(v.Created))
		})
	})
	formatFlag(cmd, &format)
	return cmd
}

func newExperiments() *cobra.Command {
	f := &serverFlags{}
	cmd := noun("experiments", "Make and show KFP's experiments",
		`Experiments shows and changes the experiments of a KFP server, which are named groups
of runs. They go by name or by id.`, f,
		newExperimentsCreate(f), newExperimentsList(f), newExperimentsGet(f),
		kfpVerb(f, "archive EXPERIMENT", "Archive an experiment with its runs", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
			return c.ArchiveExperiment(cmd.Context(), args[0])
		}),
		kfpVerb(f, "unarchive EXPERIMENT", "Take an archived experiment back", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
			return c.UnarchiveExperiment(cmd.Context(), args[0])
		}),
		deletes(kfpVerb(f, "delete EXPERIMENT", "Delete an experiment; its runs stay", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
			return c.DeleteExperiment(cmd.Context(), args[0])
		}), "experiment"),
	)
	cmd.Aliases = []string{"experiment"}
	return cmd
}

func newExperimentsCreate(f *serverFlags) *cobra.Command {
	var description string
	cmd := kfpVerb(f, "create NAME", "Make an experiment, unless it is there", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
		e, change, err := c.CreateExperiment(cmd.Context(), args[0], description)
		if err != nil {
			return err
		}
		if change == client.Unchanged {
			fmt.Fprintf(cmd.ErrOrStderr(), "experiment %s is already there\n", e.Name)
		}
		fmt.Fprintln(cmd.OutOrStdout(), e.ID)
		return nil
	})
	cmd.Flags().StringVar(&description, "description", "", "`TEXT` about it")
	return cmd
}

func newExperimentsList(f *serverFlags) *cobra.Command {
	var l listFlags
	cmd := kfpVerb(f, "list", "Show experiments, the newest first", 0, func(cmd *cobra.Command, c *kfp.Client, _ []string) error {
		if err := l.check(cmd); err != nil {
			return err
		}
		list, next, err := collect(cmd.Context(), &l, c.ListExperiments)
		if err != nil {
			return err
		}
		more(cmd, next)
		return display(cmd, l.format, list, func(w *tabwriter.Writer) {
			fmt.Fprintln(w, "ID\tNAME\tCREATED\tDESCRIPTION")
			for _, e := range list {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", e.ID, e.Name, date(e.Created), first(e.Description))
			}
		})
	})
	l.add(cmd, true)
	return cmd
}

func newExperimentsGet(f *serverFlags) *cobra.Command {
	var format string
	cmd := kfpVerb(f, "get EXPERIMENT", "Show an experiment", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
		e, err := c.Experiment(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		return display(cmd, format, e, func(w *tabwriter.Writer) {
			fmt.Fprintf(w, "name\t%s\nid\t%s\ncreated\t%s\narchived\t%t\n", e.Name, e.ID, date(e.Created), e.Archived)
		})
	})
	formatFlag(cmd, &format)
	return cmd
}

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
		Args: cobra.RangeArgs(1, 2),
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
			return display(cmd, format, made, func(w *tabwriter.Writer) { fmt.Fprintln(w, made.ID) })
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
	fl.StringVar(&s.image, "image", os.Getenv("KFPGO_IMAGE"), "container image `REF` of the program, for its Go components")
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
		if err := s.compiled(cmd, c, pipeline[0], given); err != nil {
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
		return display(cmd, l.format, list, func(w *tabwriter.Writer) {
			fmt.Fprintln(w, "ID\tNAME\tSTATE\tTIMES\tCREATED")
			for _, r := range list {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.ID, r.Name, enabled(r), times(r), date(r.Created))
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
		return display(cmd, format, r, func(w *tabwriter.Writer) {
			fmt.Fprintf(w, "name\t%s\nid\t%s\nstate\t%s\ntimes\t%s\nconcurrency\t%d\n", r.Name, r.ID, enabled(r), times(r), r.MaxConcurrency)
			for _, p := range []struct {
				name string
				t    time.Time
			}{{"start", r.Start}, {"end", r.End}, {"created", r.Created}} {
				if !p.t.IsZero() {
					fmt.Fprintf(w, "%s\t%s\n", p.name, date(p.t))
				}
			}
			if len(r.Args) > 0 {
				fmt.Fprintf(w, "args\t%s\n", argsText(r.Args))
			}
		})
	})
	formatFlag(cmd, &format)
	return cmd
}
