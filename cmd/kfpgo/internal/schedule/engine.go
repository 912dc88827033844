package schedule

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/lower/when"
	"github.com/kfpgo/kfpgo/internal/model/contract"
)

// engine is where schedules are: this machine or a server.
type engine interface {
	close() error
	apply(ctx context.Context, d defined) (*client.Schedule, client.Change, error)
	Schedules(ctx context.Context) ([]*client.Schedule, error)
	Schedule(ctx context.Context, name string) (*client.Schedule, error)
	PauseSchedule(ctx context.Context, name string) error
	ResumeSchedule(ctx context.Context, name string) error
	TriggerSchedule(ctx context.Context, name string, at time.Time) (*client.Run, error)
	DeleteSchedule(ctx context.Context, name string) error
}

// engineFlags say where schedules are, and how their pipelines are compiled.
type engineFlags struct {
	flags.Server
	home       string
	image      string
	account    string
	root       string
	experiment string
}

func (f *engineFlags) add(cmd *cobra.Command, compile bool) {
	fs := cmd.Flags()
	f.Server.Add(fs)
	flags.Engine(cmd, fs, &f.On, "has the schedules")
	fs.StringVar(&f.home, "home", "", "local: `DIR` for runs and schedules, in place of KFPGO_HOME")
	if compile {
		fs.StringVar(&f.image, "image", os.Getenv(contract.ImageVar), "kfp, argo: container `IMAGE` with the pipeline's program, for its Go steps; default KFPGO_IMAGE")
		fs.StringVar(&f.account, "service-account", "", "kfp, argo: `ACCOUNT` that the pods run as")
		fs.StringVar(&f.root, "artifact-root", "", "kfp, argo: `URI` of the folder for artifacts")
		fs.StringVar(&f.ClusterZone, "cluster-zone", "", "kfp: `ZONE` that the server's crons go by, its CRON_SCHEDULE_TIMEZONE; default UTC, or KFPGO_CLUSTER_ZONE")
		fs.StringVar(&f.experiment, "experiment", "", "kfp: `NAME` of the experiment of the runs")
	}
}

// open returns the engine that --on names.
func (f *engineFlags) open(cmd *cobra.Command) (engine, error) {
	if f.On == "local" {
		return openLocal(f.home, cmd.ErrOrStderr())
	}
	if f.home != "" {
		return nil, cli.Usagef(cmd, "--home is for --on local")
	}
	c, err := f.Connect(cmd)
	if err != nil {
		return nil, err
	}
	both, ok := c.(client.Server)
	if !ok {
		return nil, fmt.Errorf("%s has no schedules that kfpgo can manage", c.Engine())
	}
	return &remoteSchedules{both, f}, nil
}

// with opens the engine for a command.
func (f *engineFlags) with(do func(cmd *cobra.Command, on engine, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		on, err := f.open(cmd)
		if err != nil {
			return err
		}
		defer on.close()
		return do(cmd, on, args)
	}
}

// one does something with a schedule that must be there.
func (f *engineFlags) one(do func(cmd *cobra.Command, on engine, s *client.Schedule) error) func(*cobra.Command, []string) error {
	return f.with(func(cmd *cobra.Command, on engine, args []string) error {
		s, err := on.Schedule(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		return do(cmd, on, s)
	})
}

// remoteSchedules are the schedules of a server.
type remoteSchedules struct {
	client.Server
	flags *engineFlags
}

func (r *remoteSchedules) close() error { return nil }

// apply compiles the pipeline for the server and stores its schedule there.
func (r *remoteSchedules) apply(ctx context.Context, d defined) (*client.Schedule, client.Change, error) {
	p := d.Program.Clone()
	p.Schedules = nil
	target := string(r.Server.Target())
	o := emit.Options{Image: r.flags.image, Exact: true, Given: map[string]bool{}}
	for name := range d.s.Args {
		o.Given[name] = true
	}
	if emit.OnArgo(target) {
		o.ArtifactRoot = r.flags.root
	}
	var err error
	if o.KFPVersion, err = client.KFPVersion(ctx, r.Server); err != nil {
		return nil, "", err
	}
	yaml, err := emit.Emit(p, target, o)
	if err != nil {
		return nil, "", err
	}
	spec := client.ScheduleSpec{Name: d.s.Name, When: when.When(d.s), Pipeline: client.Submission{
		Name: p.Name, Spec: yaml, Experiment: r.flags.experiment, ServiceAccount: r.flags.account, ArtifactRoot: r.flags.root,
	}}
	spec.Pipeline.Args, spec.FireTime, spec.FireDate = when.Args(d.s)
	return r.Server.ApplySchedule(ctx, spec)
}
