package server

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/compile"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
)

func newPipelines() *cobra.Command {
	f := &flags.Server{}
	cmd := noun(f, "pipelines", "Manage the pipelines of a KFP server",
		`Pipelines manages the pipelines of a KFP server, and their versions. PIPELINE and VERSION
are names or IDs.`,
		newUpload(f), newPipelinesList(f), newVersionsList(f),
		show(f, "get PIPELINE", "Show a pipeline", func(ctx context.Context, c *kfp.Client, args []string) (any, func(*cli.Table), error) {
			p, err := c.Pipeline(ctx, args[0])
			return p, func(t *cli.Table) {
				t.Row("name", p.Name)
				t.Row("id", p.ID)
				t.Row("created", date(p.Created))
				if p.Description != "" {
					t.Row("description", cli.FirstLine(p.Description))
				}
			}, err
		}),
		show(f, "get-version PIPELINE VERSION", "Show a version of a pipeline; latest is the newest", func(ctx context.Context, c *kfp.Client, args []string) (any, func(*cli.Table), error) {
			p, v, err := keptVersion(ctx, c, args[0], args[1], args[1] == "latest")
			return v, func(t *cli.Table) {
				t.Row("pipeline", p.Name)
				t.Row("name", v.Name)
				t.Row("id", v.ID)
				t.Row("created", date(v.Created))
			}, err
		}),
		flags.Deletes(act(f, "delete PIPELINE", "Delete a pipeline with all of its versions", (*kfp.Client).DeletePipeline), "pipeline ", " "),
		flags.Deletes(onlyKFP(f, "delete-version PIPELINE VERSION", "Delete a version of a pipeline", func(cmd *cobra.Command, c *kfp.Client, args []string) error {
			p, err := c.Pipeline(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return c.DeleteVersion(cmd.Context(), p.ID, args[1])
		}), "version ", " "),
	)
	cmd.Aliases = []string{"pipeline"}
	return cmd
}

// keptVersion returns a pipeline on the KFP server, and a version of it.
func keptVersion(ctx context.Context, c *kfp.Client, pipeline, version string, newest bool) (*kfp.Pipeline, *kfp.Version, error) {
	p, err := c.Pipeline(ctx, pipeline)
	if err != nil {
		return nil, nil, err
	}
	if newest {
		v, err := c.LatestVersion(ctx, p.ID)
		return p, v, err
	}
	v, err := c.Version(ctx, p.ID, version)
	return p, v, err
}

func newUpload(f *flags.Server) *cobra.Command {
	var u kfp.Upload
	var o emit.Options
	var build bool
	var format string
	cmd := &cobra.Command{
		Use: "upload PIPELINE", Aliases: []string{"create", "create-version"}, Short: "Upload a pipeline, as a new pipeline or a new version",
		Long: `Upload uploads a pipeline: it creates the pipeline, adds a version to it, or reports that
the version exists. PIPELINE is a Go package, which upload compiles, a YAML file, or a zip
or tar.gz archive with one YAML file in it. Upload checks it first, since the server
accepts pipelines that it can't run.

The name of the version is --version, or else a hash of its content.`,
		Example: `  kfpgo pipelines upload ./examples/calc --image registry.example.com/calc:1
  kfpgo pipelines upload calc.yaml --name calc --version 2.1`,
		Args: cli.Exactly(1, "PIPELINE"),
		RunE: with(f.KFP, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
			name, err := uploaded(cmd, c, args[0], &u, o, build)
			if err != nil {
				return err
			}
			u.Pipeline = cmp.Or(u.Pipeline, name)
			v, change, err := c.Upload(cmd.Context(), u)
			if err != nil {
				return err
			}
			switch change {
			case client.Created:
				cli.Say(cmd.ErrOrStderr(), "pipeline %s was made, with version %s", u.Pipeline, v.Name)
			case client.Updated:
				cli.Say(cmd.ErrOrStderr(), "pipeline %s has got version %s", u.Pipeline, v.Name)
			default:
				cli.Say(cmd.ErrOrStderr(), "pipeline %s has this already, as version %s", u.Pipeline, v.Name)
			}
			v.Spec = nil
			return cli.Display(cmd, format, struct {
				*kfp.Version
				Change client.Change `json:"change"`
			}{v, change}, func(t *cli.Table) { t.Row(v.ID) })
		}),
		ValidArgsFunction: input.Complete,
	}
	fl := cmd.Flags()
	fl.StringVar(&u.Pipeline, "name", "", "`NAME` of the pipeline on the server; default: its own")
	fl.StringVar(&u.Version, "version", "", "`NAME` of the version; default: it follows from the content")
	fl.StringVar(&u.Description, "description", "", "`TEXT` about it")
	flags.Image(fl, &o.Image)
	fl.StringVar(&o.KFPVersion, "kfp-version", "", "`VERSION` of the server, such as 2.5, to send no field that it doesn't know; default: what the server says")
	flags.Build(fl, &build)
	flags.Format(cmd, &format)
	return cmd
}

// uploaded reads what is to be uploaded, checks it, and returns its name.
func uploaded(cmd *cobra.Command, c client.Client, pipeline string, u *kfp.Upload, o emit.Options, build bool) (name string, err error) {
	whole := func(from string, b []byte, err error) (string, error) {
		if err != nil {
			return "", err
		}
		p, err := kfpread.Read(from, b)
		if err == nil {
			err = emit.CheckFile(p)
		}
		if err != nil {
			return "", err
		}
		u.Spec = b
		return p.Name, nil
	}
	switch ext := strings.ToLower(pipeline); {
	case strings.HasSuffix(ext, ".zip"), strings.HasSuffix(ext, ".tar.gz"), strings.HasSuffix(ext, ".tgz"):
		b, err := os.ReadFile(pipeline)
		if err == nil {
			b, err = kfp.Unpack(b)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", pipeline, err)
		}
		return whole(pipeline, b, err)
	case input.IsFile(pipeline) && pipeline != "-":
		b, err := input.Bytes(pipeline)
		return whole(pipeline, b, err)
	case pipeline == "-":
		b, err := io.ReadAll(io.LimitReader(os.Stdin, kfpread.MaxSize+1))
		if err != nil {
			err = fmt.Errorf("the standard input: %w", err)
		}
		return whole("standard input", b, err)
	}
	p, err := input.Load(cmd.Context(), pipeline)
	if err == nil {
		err = p.NoSchedule(emit.KFP)
	}
	if err != nil {
		return "", err
	}
	p.TellSchedules(cmd.ErrOrStderr(), emit.KFP)
	if build {
		if err := compile.Images(cmd, p, emit.KFP, &o); err != nil {
			return "", err
		}
	}
	o.Exact = true
	if o.KFPVersion == "" {
		if o.KFPVersion, err = client.KFPVersion(cmd.Context(), c); err != nil {
			return "", err
		}
	}
	u.Spec, err = emit.Emit(p.Program, emit.KFP, o)
	return p.Program.Name, err
}

func newPipelinesList(f *flags.Server) *cobra.Command {
	cmd, _ := list(f, "list", "List pipelines, newest first",
		func(_ context.Context, c *kfp.Client, _ []string) (pager[kfp.Pipeline], error) {
			return c.ListPipelines, nil
		},
		[]any{"ID", "NAME", "CREATED", "DESCRIPTION"},
		func(p *kfp.Pipeline) []any { return []any{p.ID, p.Name, date(p.Created), cli.FirstLine(p.Description)} })
	return cmd
}

func newVersionsList(f *flags.Server) *cobra.Command {
	cmd, _ := list(f, "versions PIPELINE", "List the versions of a pipeline, newest first",
		func(ctx context.Context, c *kfp.Client, args []string) (pager[kfp.Version], error) {
			p, err := c.Pipeline(ctx, args[0])
			return func(ctx context.Context, o kfp.ListOptions) ([]*kfp.Version, string, error) {
				list, next, err := c.ListVersions(ctx, p.ID, o)
				for _, v := range list {
					v.Spec = nil
				}
				return list, next, err
			}, err
		},
		[]any{"ID", "NAME", "CREATED", "DESCRIPTION"},
		func(v *kfp.Version) []any { return []any{v.ID, v.Name, date(v.Created), cli.FirstLine(v.Description)} })
	cmd.Aliases = []string{"list-versions"}
	return cmd
}
