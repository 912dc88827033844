package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/local/progress"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/net/contexts"
	"github.com/kfpgo/kfpgo/internal/net/scrub"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// submitFlags say how a pipeline runs on a server.
type submitFlags struct {
	client.Submission
	image, kfpVersion string
	build             bool
	noCache           bool
	wait              bool
	timeout           time.Duration
	pipeline, version string // of those that KFP keeps, in place of one that is compiled
}

func (s *submitFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVarP(&s.wait, "wait", "w", false, "follow the run until it has ended; the exit code is that of the run")
	f.StringVar(&s.Name, "run-name", "", "`NAME` of the run; default: that of the pipeline, with the time")
	f.StringVar(&s.Experiment, "experiment", "", "KFP: `NAME` of the experiment; it is made if it isn't there")
	f.StringVar(&s.ServiceAccount, "service-account", "", "`NAME` of the service account that the pods run as")
	f.StringVar(&s.ArtifactRoot, "pipeline-root", "", "`URI` that the artifacts go below")
	f.StringVar(&s.Token, "once", "", "with the same `TOKEN` a run is started only once; again gives the run that there is")
	f.StringVar(&s.image, "image", os.Getenv(contract.ImageVar), "container image `REF` of the program, for its Go components")
	f.Lookup("image").DefValue = ""
	f.StringVar(&s.kfpVersion, "kfp-version", "", "KFP: `VERSION` of the server, such as 2.5, to send no field that it doesn't know")
	f.BoolVar(&s.build, "build", false, "build the images of the components and push them to --image")
	f.DurationVar(&s.timeout, "wait-timeout", 0, "with --wait: `TIME` after which to stop waiting; the run goes on")
}

// compiled compiles a pipeline for a client, with its arguments checked. What recurs can't
// have those of a schedule, which are for one time.
func (s *submitFlags) compiled(cmd *cobra.Command, c client.Client, pipeline string, given params.Options, recurs bool) error {
	p, _, picked, err := loadPicked(cmd.Context(), pipeline)
	if err == nil && recurs && picked != nil {
		err = fmt.Errorf("%s is schedule %s, which has times of its own; store it with kfpgo schedule apply %s --on kfp, or name the variable of its pipeline", pipeline, picked.Name, shellWord(pipeline))
	}
	if err != nil {
		return err
	}
	if _, err := fired(picked, time.Now(), &given); err != nil {
		return err
	}
	o := emit.Options{Image: s.image, Exact: true}
	o.NoCache = s.noCache
	if c.Engine() == "kfp" {
		o.KFPVersion = s.kfpVersion
	}
	target := string(c.Target())
	if emit.OnArgo(target) {
		o.ArtifactRoot = s.ArtifactRoot
	}
	if s.Args, err = params.Read(p.Component(p.Main).Inputs, given); err != nil {
		return err
	}
	o.Given = map[string]bool{}
	for name := range s.Args {
		o.Given[name] = true
	}
	if s.build {
		if isFile(pipeline) {
			return usagef(cmd, "--build makes the image of a package, and %s is a file, which names its images", pipeline)
		}
		if o.Image, err = buildImage(cmd, p, pipeline, o.Image, func(image string) error {
			o.Image = image
			_, err := emit.Emit(p, target, o)
			return err
		}); err != nil {
			return err
		}
	}
	if s.Spec, err = writeFor(cmd, p, target, o); err != nil {
		return err
	}
	s.Name = cmp.Or(s.Name, client.RunName(p.Name))
	return nil
}

// submit starts a run and says what it is called.
func (s *submitFlags) submit(cmd *cobra.Command, f *serverFlags, pipeline string, given params.Options, format string) error {
	c, err := f.connect(cmd)
	if err != nil {
		return err
	}
	var r *client.Run
	if s.pipeline != "" {
		k, err := f.kfpClient(cmd)
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
	say(cmd.ErrOrStderr(), "run %s was started", r.Name)
	if r.URL != "" {
		say(cmd.ErrOrStderr(), "%s", r.URL)
	}
	if !s.wait {
		if format != "table" {
			return showRun(cmd, format, r)
		}
		return say(cmd.OutOrStdout(), "%s", r.ID)
	}
	return follow(cmd, f, c, r.ID, s.timeout, format)
}

// kept starts a run of a version that KFP keeps.
func (s *submitFlags) kept(cmd *cobra.Command, k *kfp.Client, given params.Options) (*client.Run, error) {
	if s.noCache {
		return nil, usagef(cmd, "--no-cache changes the pipeline, and KFP keeps this one as it is; submit the pipeline itself")
	}
	ctx := cmd.Context()
	p, err := k.Pipeline(ctx, s.pipeline)
	if err != nil {
		return nil, err
	}
	var v *kfp.Version
	if s.version == "" {
		v, err = k.LatestVersion(ctx, p.ID)
	} else {
		v, err = k.Version(ctx, p.ID, s.version)
	}
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
	return k.SubmitVersion(ctx, kfp.VersionRef{Pipeline: p.ID, Version: v.ID}, s.Submission)
}

// follow waits for a run with progress. The error says if it has not succeeded.
func follow(cmd *cobra.Command, f *serverFlags, c client.Client, id string, timeout time.Duration, format string) error {
	ctx := cmd.Context()
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	screen := raw(cmd.ErrOrStderr())
	view := progress.For(screen, id)
	if view.Size != nil {
		words := newLastWords(ctx, c, id)
		defer words.stop()
		view.Last = words.of
	}
	shown := progress.New(screen, view)
	var troubled time.Time
	r, err := client.Wait(ctx, c, id, client.WaitOptions{
		Observe: func(t client.Task) { shown.Observe(progressOf(t)) },
		Trouble: func(err error) {
			if time.Since(troubled) > time.Minute {
				troubled = time.Now()
				shown.Note("waiting goes on: " + err.Error())
			}
		},
	})
	shown.Stop()
	if ctx.Err() != nil && (r == nil || !r.State.Done()) {
		say(cmd.ErrOrStderr(), "the run goes on; to return to it: kfpgo runs wait %s%s", shellWord(id), f.again())
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return fmt.Errorf("run %s has not ended in %v", id, timeout)
		}
		return context.Canceled
	}
	if err != nil {
		return err
	}
	if err := showRun(cmd, format, r); err != nil {
		return err
	}
	return r.Err()
}

// again returns the flags that lead to the same server once more, for a shell. Addresses
// are shown without passwords, and commands that print tokens without their arguments.
func (f *serverFlags) again() string {
	s := ""
	if f.on != "" {
		s = " --on " + shellWord(f.on)
	}
	var same serverFlags
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	same.add(fs)
	same = *f // after add, which sets defaults
	fs.VisitAll(func(flag *pflag.Flag) {
		switch value := flag.Value.String(); {
		case value == flag.DefValue:
		case flag.Name == "token-command":
			s += " --token-command " + shellWord(f.TokenCommand[0])
			if len(f.TokenCommand) > 1 {
				s += " …"
			}
		case flag.Value.Type() == "bool":
			s += " --" + flag.Name
		default:
			s += " --" + flag.Name + " " + shellWord(shownFlag(flag.Name, value))
		}
	})
	return s
}

// shownFlag returns the value of a flag without passwords.
func shownFlag(name, value string) string {
	for _, f := range contexts.Fields() {
		if f.Flag == name && f.URL {
			return scrub.URL(value)
		}
	}
	return value
}

// shellWord quotes a word for a shell if it needs that: in a command that is shown,
// to be copied, so that what isn't visible is written as escapes.
func shellWord(word string) string {
	if printable.Line(word) != word {
		return "$'" + printable.Line(strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(word)) + "'"
	}
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-") == "" {
		return word
	}
	return engine.Quoted([]string{word})
}

// progressOf returns a task of a server as the progress of local runs shows it.
func progressOf(t client.Task) run.Task {
	return run.Task{Path: t.Path, Kind: "container", State: t.State, Error: t.Error, Attempts: t.Attempts, Started: t.Started, Ended: t.Ended}
}

// argsText returns arguments on one line.
func argsText(args map[string]json.RawMessage) string {
	b, err := json.Marshal(args)
	if err != nil || len(args) == 0 {
		return ""
	}
	return value(b)
}
