package schedule

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	robfig1 "github.com/robfig/cron"

	"github.com/kfpgo/kfpgo/internal/model/cron"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// KFPFireTime is the argument of inputs that get the fire time. KFP's scheduler replaces
// it for pipelines of KFP 1 alone; it marks the inputs.
const KFPFireTime = "[[ScheduledTime.2006-01-02T15:04:05Z07:00]]"

// KFPNoZone says why a schedule in a zone with a fire time is refused on KFP, and what else to do.
func KFPNoZone(name, zone string, inputs []string) string {
	return fmt.Sprintf("schedule %s: %s gets dsl.FireTime, in %s on each engine, and KFP's servers pass the time in UTC; "+
		"give the schedule's times in UTC, without a zone, use it on Argo or with kfpgo schedule serve, or take dsl.RunScheduled() in the pipeline, in UTC, in place of the input",
		name, strings.Join(inputs, ", "), zone)
}

// KFPNoDate says why a schedule with a fire date is refused on KFP, and what else to do.
func KFPNoDate(name string, inputs []string) string {
	return fmt.Sprintf("schedule %s: %s gets dsl.FireDate, and KFP's servers pass the time at which a schedule fires, not its day; "+
		"use the schedule on Argo or with kfpgo schedule serve, or give the input a default and let a step of the pipeline take the day from dsl.RunScheduled(), in UTC, where it isn't given",
		name, strings.Join(inputs, ", "))
}

// KFP is a schedule as a recurring run of KFP has it.
type KFP struct {
	Cron       string // six fields, the second in front, in the zone of the cluster
	Interval   int64  // seconds; 0: by Cron
	Start, End *time.Time
	Limit      int
	NoCatchUp  bool
}

// ForKFP translates a schedule for KFP, whose crons go by the clock of the cluster
// (CRON_SCHEDULE_TIMEZONE of its API server and its scheduled-workflow controller;
// no name is UTC). What would fire at other times is an error. KFP fires after its
// start and up to its end, where we fire from the start on and before the end.
func ForKFP(s *program.Schedule, cluster string, now time.Time) (KFP, error) {
	if err := Check(s, now); err != nil {
		return KFP{}, err
	}
	k := KFP{Limit: max(s.Limit, 1), NoCatchUp: !s.CatchUp}
	if s.End != nil {
		end := ceil(*s.End).Add(-time.Second)
		k.End = &end
	}
	if s.Every > 0 {
		k.Interval = int64(s.Every / time.Second)
		if s.Start != nil {
			start := s.Start.Add(-s.Every)
			k.Start = &start
		}
		return k, nil
	}
	if s.Start != nil {
		start := ceil(*s.Start).Add(-time.Second)
		k.Start = &start
	}
	there, err := Zone(cluster)
	if err != nil {
		return k, fmt.Errorf("the cluster's zone: %w", err)
	}
	e, err := cron.Parse(s.Cron, s.Seconds)
	if err != nil {
		return k, err
	}
	here, err := Zone(s.Zone)
	if err != nil {
		return k, err
	}
	from, to := now, now.AddDate(10, 0, 0)
	if s.Start != nil && s.Start.After(from) {
		from = *s.Start
	}
	if s.End != nil && s.End.Before(to) {
		to = *s.End
	}
	moved, err := move(e, here, there, from, to)
	if err != nil {
		return k, fmt.Errorf("schedule %s: KFP goes by the clock of its cluster, in %s, and %w; "+
			"give a cron in %s, or set CRON_SCHEDULE_TIMEZONE=%s for KFP's API server and scheduled-workflow controller and say so with --cluster-zone %s",
			s.Name, there, err, there, here, here)
	}
	k.Cron = moved.Format(true)
	theirs, err := robfig1.Parse(k.Cron)
	if err != nil {
		return k, fmt.Errorf("schedule %s: KFP doesn't take the cron %q: %w", s.Name, k.Cron, err)
	}
	return k, same(s, theirs, there, from, to, "KFP's clock")
}

func ceil(t time.Time) time.Time { return t.Add(time.Second - time.Nanosecond).Truncate(time.Second) }

// move returns the cron that fires in zone there when e fires in zone here, while
// from to to.
func move(e cron.Expr, here, there *time.Location, from, to time.Time) (cron.Expr, error) {
	if here.String() == there.String() {
		return e, nil
	}
	diffs := map[int]bool{}
	for _, at := range append(append(changes(here, from, to), changes(there, from, to)...), from) {
		diffs[offset(at, there)-offset(at, here)] = true
	}
	everyHour := e.Hour == cron.AllHours && e.AnyDay && e.AnyWeekday && e.Month == cron.AllMonths
	if len(diffs) > 1 {
		for d := range diffs {
			if !everyHour || d%3600 != 0 {
				return e, fmt.Errorf("its difference to %s changes with the clocks", here)
			}
		}
		return e, nil
	}
	for d := range diffs {
		return shift(e, d)
	}
	return e, nil
}

// shift moves a cron by seconds, if that can be said in one cron.
func shift(e cron.Expr, seconds int) (cron.Expr, error) {
	if seconds%60 != 0 {
		return e, errors.New("its difference isn't a number of minutes")
	}
	type clock struct{ days, hour, minute int }
	all := map[clock]bool{}
	days := map[int]bool{}
	out := e
	out.Hour, out.Minute = 0, 0
	for _, h := range e.Hour.List() {
		for _, m := range e.Minute.List() {
			at := h*60 + m + seconds/60
			c := clock{(at+2880)/1440 - 2, (at + 2880) % 1440 / 60, (at + 2880) % 60}
			days[c.days] = true
			if e.AnyDay && e.AnyWeekday && e.Month == cron.AllMonths {
				c.days = 0
			}
			all[c] = true
			out.Hour |= 1 << c.hour
			out.Minute |= 1 << c.minute
		}
	}
	if len(all) != len(out.Hour.List())*len(out.Minute.List()) {
		return e, errors.New("there its times can't be said in one cron")
	}
	if e.AnyDay && e.AnyWeekday && e.Month == cron.AllMonths || len(days) == 1 && days[0] {
		return out, nil
	}
	if len(days) > 1 || !e.AnyDay || e.Month != cron.AllMonths {
		return e, errors.New("there some of its times are on another day of the month")
	}
	out.Weekday = 0
	for _, d := range e.Weekday.List() {
		for by := range days {
			out.Weekday |= 1 << ((d + by + 7) % 7)
		}
	}
	return out, nil
}

// same compares what a schedule means with what another system makes of it, around
// each change of the clocks in the time from to to, and for a while from its start.
func same(s *program.Schedule, theirs interface{ Next(time.Time) time.Time }, zone *time.Location, from, to time.Time, who string) error {
	ours, err := New(s, from)
	if err != nil {
		return err
	}
	begins := []time.Time{from}
	for i, c := range append(changes(zone, from, to), changes(ours.zone, from, to)...) {
		if i < 40 {
			begins = append(begins, c.Add(-26*time.Hour))
		}
	}
	for _, begin := range begins {
		if begin.Before(from) {
			begin = from
		}
		b := begin
		for range 200 {
			a, _ := ours.Next(context.Background(), b)
			b = theirs.Next(b.In(zone))
			if s.End != nil && (a.IsZero() || !b.Before(*s.End)) && (b.IsZero() || !b.Before(*s.End)) {
				break
			}
			if !a.Equal(b) {
				return fmt.Errorf("schedule %s: where the clocks of %s are changed, %s would fire at %s instead of %s; choose a time that is further from the change, or another zone",
					s.Name, zone, who, b.In(zone).Format(time.RFC3339), a.In(zone).Format(time.RFC3339))
			}
			if a.IsZero() || a.Sub(begin) > 80*time.Hour && b.After(begin.Add(80*time.Hour)) {
				break
			}
		}
	}
	return nil
}
