package schedule

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/internal/local/scheduler"
	"github.com/kfpgo/kfpgo/internal/lower/when"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

func newList() *cobra.Command {
	var e engineFlags
	var format string
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List schedules",
		Args: cobra.NoArgs,
		RunE: e.with(func(cmd *cobra.Command, on engine, _ []string) error {
			all, err := on.Schedules(cmd.Context())
			if err != nil {
				return err
			}
			shown := make([]shownSchedule, len(all))
			for i, s := range all {
				inZone(s)
				shown[i] = shownSchedule{Schedule: s, When: shownWhenOf(s)}
			}
			return cli.Display(cmd, format, shown, func(t *cli.Table) {
				t.Row("NAME", "PIPELINE", "WHEN", "PAUSED", "LAST", "NEXT")
				for _, s := range all {
					t.Row(s.Name, s.Pipeline, whenWords(s), yes(s.Paused), moment(s.Last), moment(nextTime(cmd.Context(), s)))
				}
			})
		}),
	}
	e.add(cmd, false)
	flags.Format(cmd, &format)
	return cmd
}

// shownSchedule is what schedule get and list show.
type shownSchedule struct {
	*client.Schedule
	When  shownWhen         `json:"when"`
	Next  []time.Time       `json:"next,omitzero"`   // of get
	Fires []*scheduler.Fire `json:"fires,omitempty"` // local
}

func newGet() *cobra.Command {
	var e engineFlags
	var format string
	cmd := &cobra.Command{
		Use: "get NAME", Short: "Show a schedule, its next fire times, and its runs",
		Args: cli.Exactly(1, "NAME"), ValidArgsFunction: cli.First(e.complete()),
		RunE: e.one(func(cmd *cobra.Command, on engine, s *client.Schedule) error {
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
			return cli.Display(cmd, format, shown, func(t *cli.Table) { describeSchedule(t, shown) })
		}),
	}
	e.add(cmd, false)
	flags.Format(cmd, &format)
	return cmd
}

func describeSchedule(t *cli.Table, s shownSchedule) {
	line := func(name, text string) {
		if text != "" {
			t.Row(name, text)
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
	line("catch up", yes(s.When.CatchUp))
	line("paused", yes(s.Paused))
	for _, name := range slices.Sorted(maps.Keys(s.Args)) {
		line("argument", name+" = "+cli.Value(s.Args[name]))
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
		line("fire", strings.TrimSpace(fmt.Sprintf("%s %s %s %s", moment(f.At), f.State, f.Run, cli.FirstLine(f.Reason))))
	}
}

func yes(b bool) string { return map[bool]string{true: "yes", false: "no"}[b] }

// whenWords says when a schedule fires.
func whenWords(s *client.Schedule) string {
	w := s.When
	if w.Every > 0 {
		return "every " + short(w.Every)
	}
	return w.Cron + " " + cmp.Or(w.Zone, "UTC")
}

// shownWhen is when a schedule fires, as JSON has it: in the words of a schedule file,
// and without what isn't set. Whether it is paused is said of the schedule.
type shownWhen struct {
	Cron           string    `json:"cron,omitempty"`
	Seconds        bool      `json:"seconds,omitempty"`
	Every          string    `json:"every,omitempty"` // as 90m
	Zone           string    `json:"zone,omitempty"`
	Start          time.Time `json:"start,omitzero"`
	End            time.Time `json:"end,omitzero"`
	MaxConcurrency int       `json:"maxConcurrency,omitempty"`
	CatchUp        bool      `json:"catchUp,omitempty"`
}

func shownWhenOf(s *client.Schedule) shownWhen {
	w := s.When
	shown := shownWhen{w.Cron, w.Seconds, "", w.Zone, w.Start, w.End, w.MaxConcurrency, w.CatchUp}
	if w.Every > 0 {
		shown.Every = short(w.Every)
	}
	return shown
}
