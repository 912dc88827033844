package server

import (
	"cmp"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/compile"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
)

// SubmitFlags say how a pipeline runs on a server.
type SubmitFlags struct {
	client.Submission
	Compile           emit.Options
	build, wait       bool
	timeout           time.Duration
	pipeline, version string // of those on the KFP server, in place of one that is compiled
}

// Add makes the flags.
func (s *SubmitFlags) Add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVarP(&s.wait, "wait", "w", false, "follow the run until it has ended; the exit code is that of the run")
	f.StringVar(&s.Name, "run-name", "", "`NAME` of the run; default: that of the pipeline, with the time")
	f.StringVar(&s.Experiment, "experiment", "", "KFP: `NAME` of the experiment; it is created if it doesn't exist")
	f.StringVar(&s.ServiceAccount, "service-account", "", "`NAME` of the service account that the pods run as")
	f.StringVar(&s.ArtifactRoot, "pipeline-root", "", "`URI` that the artifacts go below")
	f.StringVar(&s.Token, "once", "", "with the same `TOKEN` a run is started only once; again returns the existing run")
	flags.Image(f, &s.Compile.Image)
	f.StringVar(&s.Compile.KFPVersion, "kfp-version", "", "KFP: `VERSION` of the server, such as 2.5, to send no field that it doesn't know; default: what the server says")
	flags.Build(f, &s.build)
	f.DurationVar(&s.timeout, "wait-timeout", 0, "with --wait: `TIME` after which to stop waiting; the run continues")
}

// SubmitNames are the flags of runs on a server.
var SubmitNames = []string{"wait", "run-name", "experiment", "service-account", "pipeline-root", "once", "image", "kfp-version", "build", "wait-timeout"}

// addKept makes the flags that name what KFP keeps.
func (s *SubmitFlags) addKept(f *pflag.FlagSet) {
	f.StringVar(&s.pipeline, "pipeline", "", "`NAME` or id of a pipeline on the KFP server")
	f.StringVar(&s.version, "version", "", "with --pipeline: `NAME` or id of the version; default: the newest")
}

// Submit starts a run and says what it is called.
func (s *SubmitFlags) Submit(cmd *cobra.Command, f *flags.Server, pipeline string, given params.Options, format string) error {
	c, err := f.Connect(cmd)
	if err != nil {
		return err
	}
	var r *client.Run
	if s.pipeline != "" {
		k, err := f.KFP(cmd)
		if err != nil {
			return err
		}
		if r, err = s.kept(cmd, k, given); err != nil {
			return err
		}
	} else {
		if err := s.compiled(cmd, c, pipeline, given, false); err != nil {
			return err
		}
		if r, err = c.Submit(cmd.Context(), s.Submission); err != nil {
			return err
		}
	}
	cli.Say(cmd.ErrOrStderr(), "run %s was started", r.Name)
	if r.URL != "" {
		cli.Say(cmd.ErrOrStderr(), "%s", r.URL)
	}
	if s.wait {
		return follow(cmd, c, r.ID, s.timeout, format, f.Again())
	}
	if format != "table" && format != "wide" {
		return showRun(cmd, format, r)
	}
	return cli.Say(cmd.OutOrStdout(), "%s", r.ID)
}

// compiled compiles a pipeline for a client, with its arguments checked. What recurs can't
// have those of a schedule, which are for one time.
func (s *SubmitFlags) compiled(cmd *cobra.Command, c client.Client, pipeline string, given params.Options, recurs bool) error {
	p, err := input.Load(cmd.Context(), pipeline)
	if err == nil && recurs && p.Schedule != nil {
		err = fmt.Errorf("%s is schedule %s, which has times of its own; store it with kfpgo schedule apply %s --on kfp, or name the variable of its pipeline", pipeline, p.Schedule.Name, cli.ShellWord(pipeline))
	}
	if err != nil {
		return err
	}
	if _, err := p.Fire(time.Now(), &given); err != nil {
		return err
	}
	o, target := s.Compile, string(c.Target())
	o.Exact = true
	if c.Engine() != "kfp" {
		o.KFPVersion = ""
	} else if o.KFPVersion == "" {
		if o.KFPVersion, err = client.KFPVersion(cmd.Context(), c); err != nil {
			return err
		}
	}
	if emit.OnArgo(target) {
		o.ArtifactRoot = s.ArtifactRoot
	}
	if s.Args, err = params.Read(p.Inputs(), given); err != nil {
		return err
	}
	o.Given = map[string]bool{}
	for name := range s.Args {
		o.Given[name] = true
	}
	if s.build {
		if p.Built == nil {
			return cli.Usagef(cmd, "--build makes the image of a package, and %s is a file, which names its images", pipeline)
		}
		if err := compile.Images(cmd, p, target, &o); err != nil {
			return err
		}
	}
	if s.Spec, err = compile.Write(cmd, p.Program, target, o); err != nil {
		return err
	}
	s.Name = cmp.Or(s.Name, client.RunName(p.Program.Name))
	return nil
}

// kept starts a run of a version on the KFP server.
func (s *SubmitFlags) kept(cmd *cobra.Command, k *kfp.Client, given params.Options) (*client.Run, error) {
	if s.Compile.NoCache {
		return nil, cli.Usagef(cmd, "--no-cache changes the pipeline, and KFP keeps this one as it is; submit the pipeline itself")
	}
	p, v, err := keptVersion(cmd.Context(), k, s.pipeline, s.version, s.version == "")
	if err != nil {
		return nil, err
	}
	inputs, err := inputsOf(v.Spec)
	if err != nil {
		return nil, fmt.Errorf("version %s of pipeline %s: %w", v.Name, p.Name, err)
	}
	if s.Args, err = params.Read(inputs, given); err != nil {
		return nil, err
	}
	s.Name = cmp.Or(s.Name, client.RunName(p.Name))
	return k.SubmitVersion(cmd.Context(), kfp.VersionRef{Pipeline: p.ID, Version: v.ID}, s.Submission)
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
