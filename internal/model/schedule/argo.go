package schedule

import (
	"fmt"
	"strings"
	"time"

	robfig3 "github.com/robfig/cron/v3"

	"github.com/kfpgo/kfpgo/internal/model/cron"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// Argo is when a CronWorkflow of Argo fires.
type Argo struct {
	Schedules []string
	Zone      string
}

// ForArgo translates a schedule for Argo. An interval that divides a day and is a
// number of minutes is crons. Another one is an error.
func ForArgo(s *program.Schedule, now time.Time) (Argo, error) {
	if err := Check(s, now); err != nil {
		return Argo{}, err
	}
	if s.Every > 0 {
		return argoInterval(s)
	}
	e, err := cron.Parse(s.Cron, s.Seconds)
	if err != nil {
		return Argo{}, err
	}
	if e.Second != 1 {
		return Argo{}, fmt.Errorf("schedule %s: cron %q fires at other seconds than 0, and Argo's have the minute first", s.Name, s.Cron)
	}
	text := s.Cron
	if s.Seconds || !plain(s.Cron) {
		text = e.Format(false)
	}
	theirs, err := robfig3.ParseStandard(text)
	if err != nil {
		return Argo{}, fmt.Errorf("schedule %s: Argo doesn't take the cron %q: %w", s.Name, text, err)
	}
	zone, err := Zone(s.Zone)
	if err != nil {
		return Argo{}, err
	}
	return Argo{[]string{text}, s.Zone}, same(s, theirs, zone, now, now.AddDate(10, 0, 0), "Argo's clock")
}

// plain reports whether a cron reads the same to Argo as it does here.
func plain(text string) bool {
	parts := strings.Fields(text)
	return len(parts) == 5 && !strings.ContainsAny(parts[4], "7/") || strings.HasPrefix(text, "@")
}

// argoInterval returns an interval as the crons of its times of day, from its start,
// or else from midnight in UTC. Argo's own intervals don't keep time: its controller
// counts anew whenever the CronWorkflow changes, as when a run ends, and every 20
// minutes, so that longer ones never fire.
func argoInterval(s *program.Schedule) (Argo, error) {
	const day = 24 * time.Hour
	start := time.Time{}
	if s.Start != nil {
		start = s.Start.UTC()
	}
	if s.Every%time.Minute != 0 || day%s.Every != 0 || start.Second() != 0 || start.Nanosecond() != 0 {
		from := ""
		if s.Start != nil {
			from = ", from a full minute, not " + s.Start.Format(time.RFC3339)
		}
		return Argo{}, fmt.Errorf("schedule %s: Argo can't count intervals of %v: only those that are minutes and divide a day%s; give another interval, or a cron", s.Name, s.Every, from)
	}
	hours := map[int]cron.Set{} // by minute
	first := start.Sub(start.Truncate(day)) % s.Every
	for at := first; at < day; at += s.Every {
		hours[int(at/time.Minute)%60] |= 1 << int(at/time.Hour)
	}
	var a Argo
	// Minutes with the same hours go into one cron.
	done := map[int]bool{}
	for m := range 60 {
		if hours[m] == 0 || done[m] {
			continue
		}
		e := cron.Expr{Second: 1, Hour: hours[m], Day: cron.AllDays, Month: cron.AllMonths, Weekday: 127, AnyDay: true, AnyWeekday: true}
		for n := m; n < 60; n++ {
			if hours[n] == hours[m] {
				e.Minute |= 1 << n
				done[n] = true
			}
		}
		a.Schedules = append(a.Schedules, e.Format(false))
	}
	return a, nil
}
