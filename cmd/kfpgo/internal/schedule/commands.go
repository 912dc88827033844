package schedule

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/internal/lower/when"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

func newApply() *cobra.Command {
	var f sourceFlags
	var e engineFlags
	cmd := &cobra.Command{
		Use:   "apply PIPELINE | -f FILE",
		Short: "Create or update schedules",
		Long: `Apply creates or updates the schedules that are declared with a pipeline or in a YAML
file, or one that flags define. It doesn't change schedules that are up to date, or running
runs, and a schedule that was paused by hand stays paused.

Apply reports all errors before it stores anything: a time that never comes, an unknown
zone, a missing argument, an end before the start.`,
		Example: `  kfpgo schedule apply ./examples/mnist
  kfpgo schedule apply ./examples/calc --name calc-nightly --cron '0 3 * * *' --zone Europe/Zurich -p a=12
  kfpgo schedule apply -f schedule.yaml --on argo --image ghcr.io/acme/calc:1`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := f.schedules(cmd, args)
			if err != nil {
				return err
			}
			on, err := e.open(cmd)
			if err != nil {
				return err
			}
			defer on.close()
			var errs []error
			for _, d := range all {
				s, change, err := on.apply(cmd.Context(), d)
				if err != nil {
					errs = append(errs, err)
					continue
				}
				cli.Say(cmd.OutOrStdout(), "%s %s%s", s.Name, change, nextWords(cmd.Context(), s))
			}
			if l, ok := on.(*localSchedules); ok && len(errs) == 0 && l.st.Serving() == 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), "start kfpgo schedule serve to run due schedules")
			}
			return errors.Join(errs...)
		},
		ValidArgsFunction: input.Complete,
	}
	f.add(cmd)
	e.add(cmd, true)
	return cmd
}

// nextWords says when a schedule fires next.
func nextWords(ctx context.Context, s *client.Schedule) string {
	if s.Paused {
		return ", paused"
	}
	if at := nextTime(ctx, s); !at.IsZero() {
		return ", next at " + at.Format(time.RFC3339)
	}
	return ""
}

func nextTime(ctx context.Context, s *client.Schedule) time.Time {
	times, err := schedule.New(when.Schedule(s.Name, s.When), s.Created)
	if err != nil || s.Paused {
		return time.Time{}
	}
	next, _ := times.Next(ctx, time.Now())
	return next
}

func moment(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format(time.RFC3339)
}

func newTrigger() *cobra.Command {
	var e engineFlags
	var at string
	cmd := &cobra.Command{
		Use: "trigger NAME", Short: "Start a run of a schedule now",
		Long: "Trigger starts a run with the arguments of a schedule, paused or not. Inputs for the fire\ntime get --at, or else the current time.",
		Args: cli.Exactly(1, "NAME"), ValidArgsFunction: cli.First(e.complete()),
		RunE: e.with(func(cmd *cobra.Command, on engine, args []string) error {
			fire := time.Now().Truncate(time.Second)
			if at != "" {
				s, err := on.Schedule(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if fire, err = schedule.Time(at, s.When.Zone); err != nil {
					return cli.Usagef(cmd, "--at: %v", err)
				}
			}
			r, err := on.TriggerSchedule(cmd.Context(), args[0], fire)
			if err != nil {
				return err
			}
			id := r.ID
			if l, ok := on.(*localSchedules); ok {
				id = filepath.Join(l.st.Home, "runs", r.ID)
			}
			return cli.Say(cmd.OutOrStdout(), "%s", id)
		}),
	}
	e.add(cmd, false)
	cmd.Flags().StringVar(&at, "at", "", "run for `TIME`, such as 2027-03-27T03:00; default: now")
	return cmd
}

// inZone makes the times of a schedule those of its clock.
func inZone(s *client.Schedule) {
	zone, err := schedule.Zone(s.When.Zone)
	if err != nil { // one that only a server knows
		return
	}
	for _, t := range []*time.Time{&s.Created, &s.Last, &s.When.Start, &s.When.End} {
		if !t.IsZero() {
			*t = t.In(zone)
		}
	}
}

// each returns a command that does something with each of the named schedules.
func each(use, short, long, done string, do func(engine, context.Context, string) error) *cobra.Command {
	var e engineFlags
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, Args: cobra.MinimumNArgs(1), ValidArgsFunction: e.complete(),
		RunE: e.with(func(cmd *cobra.Command, on engine, names []string) error {
			var errs []error
			for _, name := range names {
				if err := do(on, cmd.Context(), name); err != nil {
					errs = append(errs, err)
					continue
				}
				cli.Say(cmd.OutOrStdout(), "%s %s", name, done)
			}
			return errors.Join(errs...)
		}),
	}
	e.add(cmd, false)
	return cmd
}
