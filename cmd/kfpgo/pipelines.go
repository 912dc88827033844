package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
)

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
				say(cmd.ErrOrStderr(), "pipeline %s was made, with version %s", u.Pipeline, v.Name)
			case client.Updated:
				say(cmd.ErrOrStderr(), "pipeline %s has got version %s", u.Pipeline, v.Name)
			default:
				say(cmd.ErrOrStderr(), "pipeline %s has this already, as version %s", u.Pipeline, v.Name)
			}
			v.Spec = nil
			return display(cmd, format, struct {
				*kfp.Version
				Change client.Change `json:"change"`
			}{v, change}, func(t *table) { t.row(v.ID) })
		},
		ValidArgsFunction: completePipeline,
	}
	fl := cmd.Flags()
	fl.StringVar(&u.Pipeline, "name", "", "`NAME` of the pipeline on the server; default: its own")
	fl.StringVar(&u.Version, "version", "", "`NAME` of the version; default: it follows from the content")
	fl.StringVar(&u.Description, "description", "", "`TEXT` about it")
	fl.StringVar(&o.Image, "image", os.Getenv(contract.ImageVar), "container image `REF` of the program, for its Go components")
	fl.Lookup("image").DefValue = ""
	fl.StringVar(&o.KFPVersion, "kfp-version", "", "`VERSION` of the server, such as 2.5, to send no field that it doesn't know")
	fl.BoolVar(&build, "build", false, "build the images of the components and push them to --image")
	formatFlag(cmd, &format)
	return cmd
}

// uploaded reads what is to be uploaded, checks it, and returns its name.
func uploaded(cmd *cobra.Command, pipeline string, u *kfp.Upload, o emit.Options, build bool) (name string, err error) {
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
	case isFile(pipeline) && pipeline != "-":
		f, err := os.Open(pipeline)
		if err != nil {
			return "", err
		}
		defer f.Close()
		b, err := io.ReadAll(io.LimitReader(f, kfpread.MaxSize+1))
		return whole(pipeline, b, err)
	case pipeline == "-":
		b, err := io.ReadAll(io.LimitReader(os.Stdin, kfpread.MaxSize+1))
		if err != nil {
			err = fmt.Errorf("the standard input: %w", err)
		}
		return whole("standard input", b, err)
	}
	p, _, picked, err := loadPicked(cmd.Context(), pipeline)
	if err != nil {
		return "", err
	}
	if err := noSchedule(pipeline, emit.KFP, picked); err != nil {
		return "", err
	}
	tellSchedules(cmd.ErrOrStderr(), pipeline, emit.KFP, p)
	if build {
		if o.Image, err = buildImage(cmd, p, pipeline, o.Image, func(image string) error {
			o.Image = image
			_, err := emit.Emit(p, emit.KFP, o)
			return err
		}); err != nil {
			return "", err
		}
	}
	o.Exact = true
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
		return display(cmd, l.format, list, func(t *table) {
			t.row("ID", "NAME", "CREATED", "DESCRIPTION")
			for _, p := range list {
				t.row(p.ID, p.Name, date(p.Created), first(p.Description))
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
		return display(cmd, l.format, list, func(t *table) {
			t.row("ID", "NAME", "CREATED", "DESCRIPTION")
			for _, v := range list {
				t.row(v.ID, v.Name, date(v.Created), first(v.Description))
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
		return display(cmd, format, p, func(t *table) {
			t.row("name", p.Name)
			t.row("id", p.ID)
			t.row("created", date(p.Created))
			if p.Description != "" {
				t.row("description", first(p.Description))
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
		return display(cmd, format, v, func(t *table) {
			t.row("pipeline", p.Name)
			t.row("name", v.Name)
			t.row("id", v.ID)
			t.row("created", date(v.Created))
		})
	})
	formatFlag(cmd, &format)
	return cmd
}
