package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/internal/local/scheduler"
	"github.com/kfpgo/kfpgo/internal/lower/when"
)

// localSchedules are the schedules of this machine, in the terms of package client.
type localSchedules struct {
	st   *scheduler.Store
	tell io.Writer
}

func (l *localSchedules) close() error { return l.st.Close() }

// apply stores a schedule with its program as it is now: a program that is built later is not
// run until it is applied.
func (l *localSchedules) apply(ctx context.Context, d defined) (*client.Schedule, client.Change, error) {
	p := d.Program.Clone()
	p.Schedules = nil
	b, err := json.Marshal(p)
	if err != nil {
		return nil, "", err
	}
	spec := scheduler.Spec{Schedule: d.s, Pipeline: p.Name, Source: d.Name, Program: b}
	if d.Built != nil {
		spec.Exe = d.Built.File
	}
	change, err := l.st.Apply(ctx, spec, time.Now())
	if err != nil {
		return nil, "", err
	}
	s, err := l.Schedule(ctx, d.s.Name)
	return s, client.Change(change), err
}

func (l *localSchedules) Schedules(ctx context.Context) (all []*client.Schedule, err error) {
	entries, err := l.st.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		s, err := l.schedule(ctx, e)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

func (l *localSchedules) Schedule(ctx context.Context, name string) (*client.Schedule, error) {
	e, err := l.st.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	return l.schedule(ctx, e)
}

func (l *localSchedules) schedule(ctx context.Context, e *scheduler.Entry) (*client.Schedule, error) {
	s := &client.Schedule{ID: e.Schedule.Name, Name: e.Schedule.Name, Pipeline: e.Pipeline, When: when.When(e.Schedule), Paused: e.Paused, Created: e.Created}
	s.Args, s.FireTime, s.FireDate = when.Args(e.Schedule)
	fires, err := l.st.Fires(ctx, s.Name, 1000)
	for _, f := range fires {
		if f.Kind == scheduler.Scheduled && f.State != client.Skipped && f.At.After(s.Last) {
			s.Last = f.At
		}
		if f.State == client.Running {
			s.Active = append(s.Active, f.Run)
		}
	}
	if l.st.Serving() == 0 && !e.Paused {
		s.Problem = "no kfpgo schedule serve is running"
	}
	return s, err
}

func (l *localSchedules) PauseSchedule(ctx context.Context, name string) error {
	return l.st.SetPaused(ctx, name, true, time.Now())
}

func (l *localSchedules) ResumeSchedule(ctx context.Context, name string) error {
	return l.st.SetPaused(ctx, name, false, time.Now())
}

func (l *localSchedules) DeleteSchedule(ctx context.Context, name string) error {
	return l.st.Delete(ctx, name)
}

// TriggerSchedule starts a run at once, in a process of its own.
func (l *localSchedules) TriggerSchedule(ctx context.Context, name string, at time.Time) (*client.Run, error) {
	queued, err := l.st.Enqueue(ctx, name, scheduler.Triggered, []time.Time{at})
	if err != nil {
		return nil, err
	}
	f, err := l.st.ClaimOne(ctx, queued[0].ID, time.Now())
	if err == nil && f != nil {
		err = l.server().Start(f)
	}
	if err != nil {
		return nil, err
	}
	return l.run(ctx, name, queued[0].ID)
}

// run waits until a fire has begun, and returns its run.
func (l *localSchedules) run(ctx context.Context, name string, id int64) (*client.Run, error) {
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		fires, err := l.st.Fires(ctx, name, 100)
		if err != nil {
			return nil, err
		}
		for _, f := range fires {
			if f.ID == id && f.Run != "" {
				return &client.Run{ID: f.Run, Name: f.Run, State: f.State, Error: f.Reason, Schedule: name, Scheduled: f.At, Started: f.Started, Ended: f.Ended}, nil
			}
			if f.ID == id && f.Reason != "" {
				return nil, errors.New(f.Reason)
			}
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("the run has not begun; %s says why", l.st.Log(id))
		}
	}
}

func (l *localSchedules) server() *scheduler.Server {
	return &scheduler.Server{
		Store: l.st,
		Command: func(key string) *exec.Cmd {
			self, err := os.Executable()
			if err != nil {
				self = os.Args[0]
			}
			return exec.Command(self, "schedule", "serve", "--home", l.st.Home, "--fire", key)
		},
		Tell: func(format string, args ...any) {
			cli.Say(l.tell, "%s %s", time.Now().Format("15:04:05"), fmt.Sprintf(format, args...))
		},
	}
}

func openLocal(home string, tell io.Writer) (*localSchedules, error) {
	home, err := flags.Home(home)
	if err != nil {
		return nil, err
	}
	st, err := scheduler.Open(home)
	if err != nil {
		return nil, err
	}
	return &localSchedules{st, tell}, nil
}

func newServe() *cobra.Command {
	var home, fire string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the schedules of this machine until ctrl-C",
		Long: `Serve starts the runs of the schedules of this machine at their fire times. Each run is
a separate process, which continues when serve ends. Fire times that pass while serve
isn't running are missed, unless the schedule catches up.

However serve ends, also by kill -9, it loses no run and starts none twice; start it
again. A run that was interrupted itself has failed; backfill runs it again.`,
		Example: `  kfpgo schedule serve
  systemd-run --user --unit kfpgo kfpgo schedule serve`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := openLocal(home, cmd.Root().ErrOrStderr()) // its log, with --quiet too
			if err != nil {
				return err
			}
			defer l.close()
			if fire == "" {
				return l.server().Serve(cmd.Context())
			}
			r, err := l.st.Exec(cmd.Context(), fire)
			if err == nil && r != nil && r.State != client.Succeeded {
				err = fmt.Errorf("the run in %s failed: %s", r.Dir, r.Error)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&home, "home", "", "`DIR` for runs and schedules, in place of KFPGO_HOME")
	cmd.Flags().StringVar(&fire, "fire", "", "run one fire")
	cmd.Flags().MarkHidden("fire")
	return cmd
}
