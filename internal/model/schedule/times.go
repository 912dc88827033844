// Package schedule defines what a schedule means: the errors in it, the times at which
// it fires, and how it is written for KFP and Argo.
//
// Where clocks are changed, a cron goes by the clock on the wall: a time that the
// clock jumps over doesn't come, and a time that the clock shows twice comes twice.
// KFP and Argo do the same, so a schedule means one thing wherever it runs.
package schedule

import (
	"context"
	"iter"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/cron"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// Times is the fire times of a schedule.
type Times struct {
	cron       *cron.Expr
	every      time.Duration
	zone       *time.Location
	start, end time.Time // zero: no limit
	anchor     time.Time // of an interval
}

// A Change says what the change of the clocks does to a fire time.
type Change string

// The changes. A Skipped time doesn't fire.
const (
	None    Change = ""
	Skipped Change = "skipped" // the clock jumps over it
	First   Change = "first"   // the clock shows it twice
	Second  Change = "second"
)

// An Event is a time at which a schedule fires, or would have.
type Event struct {
	At     time.Time // in the schedule's zone; of a skipped one, when the clock is changed
	Wall   time.Time // what the clock shows, as if it was UTC
	Change Change
}

// New returns the fire times of a schedule that Check finds nothing wrong with. An
// interval without a start counts from since.
func New(s *program.Schedule, since time.Time) (*Times, error) {
	zone, err := Zone(s.Zone)
	if err != nil {
		return nil, err
	}
	t := &Times{zone: zone, every: s.Every, anchor: since.Truncate(time.Second).Add(s.Every)}
	if s.Start != nil {
		t.start, t.anchor = *s.Start, *s.Start
	}
	if s.End != nil {
		t.end = *s.End
	}
	if s.Every > 0 {
		return t, nil
	}
	e, err := cron.Parse(s.Cron, s.Seconds)
	t.cron = &e
	return t, err
}

// sparse is how many years a schedule may go without a fire: one that doesn't fire
// in that time has ended. lastYear is the last that RFC 3339 can write.
const (
	sparse   = 40
	lastYear = 9999
)

// Next returns the first fire time after a time; the zero time if there is none. The error is
// that of the context.
func (t *Times) Next(ctx context.Context, after time.Time) (time.Time, error) {
	for e := range t.Events(ctx, after) {
		if e.Change != Skipped {
			return e.At, nil
		}
	}
	return time.Time{}, ctx.Err()
}

// Events goes through the fire times after a time, and those that don't come. It
// stops when the context ends, which is for the caller to look at.
func (t *Times) Events(ctx context.Context, after time.Time) iter.Seq[Event] {
	from := after.Truncate(time.Second).Add(time.Second)
	if from.Before(t.start) {
		from = t.start
	}
	all := t.walk
	if t.every > 0 {
		all = t.intervals
	}
	return func(yield func(Event) bool) {
		all(from, func(e Event) bool {
			return ctx.Err() == nil && t.within(e.At) && e.At.Year() <= lastYear && yield(e)
		}, func() bool { return ctx.Err() == nil })
	}
}

func (t *Times) intervals(from time.Time, yield func(Event) bool, _ func() bool) {
	at := t.anchor
	if from.After(at) {
		// A time.Duration ends after 292 years; seconds since 1970 don't.
		every := int64(t.every / time.Second)
		n := (from.Unix() - at.Unix() + every - 1) / every
		for at = time.Unix(at.Unix()+n*every, int64(at.Nanosecond())); at.Before(from); {
			at = at.Add(t.every)
		}
	}
	for ; yield(Event{At: at.In(t.zone), Wall: wall(at, t.zone)}); at = at.Add(t.every) {
	}
}

// walk goes from one change of the clocks to the next. Between them the calendar is
// a plain one.
func (t *Times) walk(from time.Time, yield func(Event) bool, goOn func() bool) {
	limit := from.AddDate(sparse, 0, 0)
	for goOn() && from.Before(limit) {
		in := from.In(t.zone)
		start, end := bounds(in)
		before, after := 0, 0 // by how much the clock was and will be changed
		if !start.IsZero() {
			before = offset(in, t.zone) - offset(start.Add(-time.Second), t.zone)
		}
		if !end.IsZero() {
			after = offset(end, t.zone) - offset(in, t.zone)
		}
		at := wall(in, t.zone)
		stop := wall(end.Add(-time.Second), t.zone).Add(time.Second) // the clock, when it is changed
		for {
			w := t.cron.Next(at)
			if w.IsZero() {
				return
			}
			if !end.IsZero() && !w.Before(stop) {
				break
			}
			e := Event{At: from.Add(w.Sub(wall(in, t.zone))).In(t.zone), Wall: w}
			switch {
			case before < 0 && w.Before(wall(start, t.zone).Add(time.Duration(-before)*time.Second)):
				e.Change = Second
			case after < 0 && !w.Before(stop.Add(time.Duration(after)*time.Second)):
				e.Change = First
			}
			if !yield(e) {
				return
			}
			limit = e.At.AddDate(sparse, 0, 0)
			at = w.Add(time.Second)
		}
		if !t.within(end) {
			return
		}
		for w := t.cron.Next(stop); after > 0 && !w.IsZero() && w.Before(stop.Add(time.Duration(after)*time.Second)); w = t.cron.Next(w.Add(time.Second)) {
			if !yield(Event{At: end.In(t.zone), Wall: w, Change: Skipped}) {
				return
			}
		}
		from = end
	}
}

// within reports whether a time is before the end.
func (t *Times) within(at time.Time) bool { return t.end.IsZero() || at.Before(t.end) }

// wall returns what the clocks of a zone show, as if it was UTC.
func wall(t time.Time, zone *time.Location) time.Time {
	return t.Add(time.Duration(offset(t, zone)) * time.Second).UTC()
}
