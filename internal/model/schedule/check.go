package schedule

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/cron"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// MaxLimit is how many runs of a schedule may run at once, as on KFP.
const MaxLimit = 10

// Check returns all that is wrong with when a schedule fires. Of one that never will,
// now says whether that is so because its end has come.
func Check(s *program.Schedule, now time.Time) error {
	var errs []error
	fail := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("schedule %s: "+format, append([]any{s.Name}, args...)...))
	}
	if s.Name == "" {
		errs = append(errs, errors.New("a schedule has no name"))
	}
	switch {
	case s.Cron == "" && s.Every == 0:
		fail("no time; give a cron or an interval")
	case s.Cron != "" && s.Every != 0:
		fail("both a cron and an interval are given; use one")
	case s.Cron != "":
		if _, err := cron.Parse(s.Cron, s.Seconds); err != nil {
			fail("%w", err)
		}
	case s.Every < time.Second || s.Every%time.Second != 0:
		fail("every %v: an interval is a number of seconds, at least 1s", s.Every)
	}
	if s.Every != 0 && s.Zone != "" {
		fail("a zone is of a cron; an interval has none")
	} else if _, err := Zone(s.Zone); err != nil {
		fail("%w", err)
	}
	if s.Start != nil && s.End != nil && !s.End.After(*s.Start) {
		fail("the end, %s, is not after the start, %s", s.End.Format(time.RFC3339), s.Start.Format(time.RFC3339))
	}
	if s.Limit < 0 || s.Limit > MaxLimit {
		fail("%d runs at once: it must be from 1 to %d", s.Limit, MaxLimit)
	}
	if len(errs) == 0 {
		if t, err := New(s, now); err != nil {
			fail("%w", err)
		} else if next, _ := t.Next(context.Background(), now); next.IsZero() {
			switch {
			case s.End == nil:
				fail("it never fires within %d years, nor after the year %d; give another time", sparse, lastYear)
			case !s.End.After(now):
				fail("it never fires: its end, %s, has passed", s.End.Format(time.RFC3339))
			default:
				fail("it never fires before its end, %s", s.End.Format(time.RFC3339))
			}
		}
	}
	return errors.Join(errs...)
}

// CheckArgs returns the errors in the arguments that a schedule gives a pipeline.
func CheckArgs(p *program.Program, s *program.Schedule) error {
	var errs []error
	main := p.Component(p.Main)
	for _, name := range slices.Sorted(maps.Keys(s.Args)) {
		if main.Input(name) == nil {
			errs = append(errs, fmt.Errorf("schedule %s: pipeline %s has no input %s%s", s.Name, p.Name, name, has(main)))
		} else if in := main.Input(name); Fires(s.Args[name]) && in.Type.Name != kfptype.String {
			errs = append(errs, fmt.Errorf("schedule %s: input %s is %s, and the fire time is a string", s.Name, name, in.Type.Name))
		}
	}
	for i := range main.Inputs {
		if in := &main.Inputs[i]; in.Required() && s.Args[in.Name].Kind == "" {
			errs = append(errs, fmt.Errorf("schedule %s: input %s of pipeline %s is required; give it a value", s.Name, in.Name, p.Name))
		}
	}
	return errors.Join(errs...)
}

func has(c *program.Component) string {
	names := make([]string, len(c.Inputs))
	for i, in := range c.Inputs {
		names[i] = in.Name
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "; it has none"
	}
	return "; it has " + strings.Join(names, ", ")
}

// Warnings returns what is likely to surprise about a schedule's times: those that
// a change of the clocks within a year skips or doubles.
func Warnings(s *program.Schedule, now time.Time) []string {
	t, err := New(s, now)
	if err != nil || t.cron == nil {
		return nil
	}
	// A schedule that fires every hour still does.
	if t.cron.Hour == cron.AllHours {
		return nil
	}
	var all []string
	seen := map[Change]bool{}
	for _, change := range changes(t.zone, now, now.AddDate(1, 0, 0)) {
		for e := range t.Events(context.Background(), change.Add(-3*time.Hour)) {
			if e.At.After(change.Add(3 * time.Hour)) {
				break
			}
			if e.Change == Skipped && !seen[Skipped] {
				all = append(all, fmt.Sprintf("schedule %s: %s doesn't come in %s, whose clocks jump over it, so nothing is run then", s.Name, e.Wall.Format("2006-01-02 15:04"), s.Zone))
			}
			if e.Change == Second && !seen[Second] {
				all = append(all, fmt.Sprintf("schedule %s: %s comes twice in %s, whose clocks are turned back, so it is run twice then", s.Name, e.Wall.Format("2006-01-02 15:04"), s.Zone))
			}
			seen[e.Change] = true
		}
	}
	return all
}
