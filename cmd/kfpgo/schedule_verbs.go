package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/local/scheduler"
	"github.com/kfpgo/kfpgo/internal/lower/when"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

func newScheduleApply() *cobra.Command {
	var f scheduleFlags
	var e engineFlags
	cmd := &cobra.Command{
		Use:   "apply PIPELINE | -f FILE",
		Short: "Store schedules: create, update, or leave as they are",
		Long: `Apply stores the schedules that are declared with a pipeline, those of a YAML file, or
one that flags define. It creates what isn't there, updates what has changed, and
leaves alone what is as it should be. Runs that go on are never touched, and a
schedule that was paused by hand stays paused.

What is wrong is refused before anything is stored: a time that never comes, an
unknown zone, a missing argument, an end before the start.`,
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
				say(cmd.OutOrStdout(), "%s %s%s", s.Name, change, nextWords(cmd.Context(), s))
			}
			if l, ok := on.(*localSchedules); ok && len(errs) == 0 && l.st.Serving() == 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), "start kfpgo schedule serve to run what is due")
			}
			return errors.Join(errs...)
		},
		ValidArgsFunction: completePipeline,
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

// whenWords says when a schedule fires.
func whenWords(s *client.Schedule) string {
	w := s.When
	if w.Every > 0 {
		return "every " + short(w.Every)
	}
	zone := w.Zone
	if zone == "" {
		zone = "UTC"
	}
	return w.Cron + " " + zone
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

func moment(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format(time.RFC3339)
}

func newScheduleList() *cobra.Command {
	var e engineFlags
	var format string
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List schedules",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			on, err := e.open(cmd)
			if err != nil {
				return err
			}
			defer on.close()
			all, err := on.Schedules(cmd.Context())
			if err != nil {
				return err
			}
			for _, s := range all {
				inZone(s)
			}
			shown := make([]shownSchedule, len(all))
			for i, s := range all {
				shown[i] = shownSchedule{Schedule: s, When: shownWhenOf(s)}
			}
			return display(cmd, format, shown, func(t *table) {
				t.row("NAME", "PIPELINE", "WHEN", "PAUSED", "LAST", "NEXT")
				for _, s := range all {
					paused := "no"
					if s.Paused {
						paused = "yes"
					}
					t.row(s.Name, s.Pipeline, whenWords(s), paused, moment(s.Last), moment(nextTime(cmd.Context(), s)))
				}
			})
		},
	}
	e.add(cmd, false)
	formatFlag(cmd, &format)
	return cmd
}

// shownSchedule is what schedule get and list show.
type shownSchedule struct {
	*client.Schedule
	When  shownWhen         `json:"when"`
	Next  []time.Time       `json:"next,omitzero"`   // of get
	Fires []*scheduler.Fire `json:"fires,omitempty"` // local
}

func newScheduleGet() *cobra.Command {
	var e engineFlags
	var format string
	cmd := &cobra.Command{
		Use: "get NAME", Short: "Show a schedule, when it fires, and what came of it",
		Args: exactly(1, "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return oneSchedule(cmd, &e, args[0], func(on scheduleEngine, s *client.Schedule) error {
				inZone(s)
				shown := shownSchedule{Schedule: s, When: shownWhenOf(s), Next: []time.Time{}}
				if times, err := schedule.New(when.Schedule(s.Name, s.When), s.Created); err == nil && !s.Paused {
					for e := range times.Events(cmd.Context(), time.Now()) {
						if e.Change != schedule.Skipped {
							shown.Next = append(shown.Next, e.At)
						}
						if len(shown.Next) == 3 {
							break
						}
					}
				}
				if l, ok := on.(*localSchedules); ok {
					var err error
					if shown.Fires, err = l.st.Fires(cmd.Context(), s.Name, 20); err != nil {
						return err
					}
				}
				return display(cmd, format, shown, func(t *table) { describeSchedule(t, shown) })
			})
		},
	}
	e.add(cmd, false)
	formatFlag(cmd, &format)
	return cmd
}

func describeSchedule(t *table, s shownSchedule) {
	line := func(name, text string) {
		if text != "" {
			t.row(name, text)
		}
	}
	line("name", s.Name)
	line("pipeline", s.Pipeline)
	line("when", whenWords(s.Schedule))
	if !s.When.Start.IsZero() {
		line("start", moment(s.When.Start))
	}
	if !s.When.End.IsZero() {
		line("end", moment(s.When.End))
	}
	line("at once", fmt.Sprint(max(s.When.MaxConcurrency, 1)))
	line("catch up", map[bool]string{true: "yes", false: "no"}[s.When.CatchUp])
	line("paused", map[bool]string{true: "yes", false: "no"}[s.Paused])
	for _, name := range slices.Sorted(maps.Keys(s.Args)) {
		line("argument", name+" = "+value(s.Args[name]))
	}
	for _, name := range s.FireTime {
		line("argument", name+" = the fire time")
	}
	for _, name := range s.FireDate {
		line("argument", name+" = the fire date")
	}
	line("problem", s.Problem)
	line("last", moment(s.Last))
	for _, at := range s.Next {
		line("next", moment(at))
	}
	for _, id := range s.Active {
		line("running", id)
	}
	for _, f := range s.Fires {
		line("fire", strings.TrimSpace(fmt.Sprintf("%s %s %s %s", moment(f.At), f.State, f.Run, firstLine(f.Reason))))
	}
}

func firstLine(s string) string { first, _, _ := strings.Cut(s, "\n"); return first }

func newSchedulePause() *cobra.Command {
	var e engineFlags
	cmd := &cobra.Command{
		Use: "pause NAME...", Short: "Stop schedules from firing, until they are resumed",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return eachSchedule(cmd, &e, args, "paused", func(on scheduleEngine, name string) error { return on.PauseSchedule(cmd.Context(), name) })
		},
	}
	e.add(cmd, false)
	return cmd
}

func newScheduleResume() *cobra.Command {
	var e engineFlags
	cmd := &cobra.Command{
		Use: "resume NAME...", Short: "Let schedules fire again",
		Long: "Resume lets schedules fire again. What would have fired meanwhile is not run:\nbackfill does that.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return eachSchedule(cmd, &e, args, "resumed", func(on scheduleEngine, name string) error { return on.ResumeSchedule(cmd.Context(), name) })
		},
	}
	e.add(cmd, false)
	return cmd
}

func newScheduleDelete() *cobra.Command {
	var e engineFlags
	var yes bool
	cmd := &cobra.Command{
		Use: "delete NAME...", Short: "Forget schedules; their runs stay",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := confirm(cmd, yes, "delete "+strings.Join(args, ", ")); err != nil {
				return err
			}
			return eachSchedule(cmd, &e, args, "deleted", func(on scheduleEngine, name string) error { return on.DeleteSchedule(cmd.Context(), name) })
		},
	}
	e.add(cmd, false)
	yesFlag(cmd, &yes)
	return cmd
}

func newScheduleTrigger() *cobra.Command {
	var e engineFlags
	var at string
	cmd := &cobra.Command{
		Use: "trigger NAME", Short: "Start a run now, as if the schedule had fired",
		Long: "Trigger starts a run with the arguments of a schedule, paused or not. Inputs that get\nthe fire time get that of --at, or else the time that it is.",
		Args: exactly(1, "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			on, err := e.open(cmd)
			if err != nil {
				return err
			}
			defer on.close()
			fire := time.Now().Truncate(time.Second)
			if at != "" {
				s, err := on.Schedule(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if fire, err = parseTime(at, s.When.Zone); err != nil {
					return usagef(cmd, "--at: %v", err)
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
			return say(cmd.OutOrStdout(), "%s", id)
		},
	}
	e.add(cmd, false)
	cmd.Flags().StringVar(&at, "at", "", "run for `TIME`, such as 2027-03-27T03:00; default: now")
	return cmd
}

// maxBackfill is how many runs a backfill may start.
const maxBackfill = 1000
