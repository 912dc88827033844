package scheduler

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

// Grace is how late a fire may be and still count as in time.
const Grace = time.Minute

// chunk is how many fire times of a schedule one look sees to, so that a schedule of
// each second that was away for a year doesn't hold up the others.
const chunk = 1000

// Tick queues what is due, and returns when something will be; the zero time is
// never. What came while nothing was there to see it is queued if the schedule
// catches up, and else noted as missed.
func (st *Store) Tick(ctx context.Context, now time.Time) (next time.Time, err error) {
	err = st.do(ctx, func(tx *sql.Tx) error {
		due, err := entries(ctx, tx, "WHERE paused = 0 AND next <= ?", now.Unix())
		if err != nil {
			return err
		}
		for _, e := range due {
			if err := st.due(ctx, tx, e, now); err != nil {
				return err
			}
		}
		var sec sql.NullInt64
		if err := tx.QueryRowContext(ctx, "SELECT min(next) FROM schedules WHERE paused = 0").Scan(&sec); err != nil {
			return err
		}
		if sec.Valid {
			next = unix(sec.Int64)
		}
		return nil
	})
	return next, err
}

// due sees to the fire times of a schedule up to now.
func (st *Store) due(ctx context.Context, tx *sql.Tx, e *Entry, now time.Time) error {
	s := e.Schedule
	times, err := schedule.New(s, e.Since)
	if err != nil {
		return err
	}
	var active int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM fires WHERE schedule = ? AND state IN ('QUEUED', 'STARTING', 'RUNNING')", s.Name).Scan(&active); err != nil {
		return err
	}
	cursor, missed, last := now, 0, time.Time{}
	n := 0
	for ev := range times.Events(ctx, e.Cursor) {
		if ev.At.After(now) {
			break
		}
		if ev.Change == schedule.Skipped {
			continue
		}
		if n++; n > chunk && s.CatchUp {
			break
		}
		state, reason := Queued, ""
		switch {
		case s.CatchUp:
			cursor = ev.At
		case now.Sub(ev.At) > Grace:
			missed, last = missed+1, ev.At
			continue
		case active >= max(s.Limit, 1):
			state, reason = run.Skipped, fmt.Sprintf("%d of at most %d runs were still running", active, max(s.Limit, 1))
		}
		if err := insert(ctx, tx, s.Name, ev.At, state, reason); err != nil {
			return err
		}
		if state == Queued {
			active++
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.CatchUp && n <= chunk {
		cursor = now
	}
	if missed > 0 {
		reason := "missed: no kfpgo schedule serve was there"
		if missed > 1 {
			reason += fmt.Sprintf(", as for the %d before it", missed-1)
		}
		if err := insert(ctx, tx, s.Name, last, run.Skipped, reason); err != nil {
			return err
		}
	}
	next, err := nextOf(ctx, s, e.Since, cursor)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "UPDATE schedules SET cursor = ?, next = ? WHERE name = ?", cursor.Unix(), next, s.Name)
	return err
}

// insert adds a fire, once.
func insert(ctx context.Context, tx *sql.Tx, name string, at time.Time, state run.State, reason string) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO fires (schedule, at, kind, state, reason) VALUES (?, ?, 'schedule', ?, ?) ON CONFLICT (schedule, at) WHERE kind <> 'trigger' DO NOTHING",
		name, at.Unix(), state, reason)
	return err
}

// Claim takes the queued fires that may start now: as many of each schedule as its
// limit allows, the oldest first. Each is to be started by who claims it.
func (st *Store) Claim(ctx context.Context, now time.Time) (claimed []*Fire, err error) {
	err = st.do(ctx, func(tx *sql.Tx) error {
		queued, err := fires(ctx, tx, `CROSS JOIN schedules ON name = schedule WHERE state = 'QUEUED' AND (paused = 0 OR kind <> 'schedule') ORDER BY schedule, at, id`)
		if err != nil || len(queued) == 0 {
			return err
		}
		free := map[string]int{}
		for _, f := range queued {
			if _, ok := free[f.Schedule]; !ok {
				var limit, active int
				if err := tx.QueryRowContext(ctx, "SELECT max(1, coalesce(spec ->> '$.schedule.limit', 1)) FROM schedules WHERE name = ?", f.Schedule).Scan(&limit); err != nil {
					return err
				}
				if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM fires WHERE schedule = ? AND state IN ('STARTING', 'RUNNING')", f.Schedule).Scan(&active); err != nil {
					return err
				}
				free[f.Schedule] = limit - active
			}
			if free[f.Schedule] <= 0 {
				continue
			}
			free[f.Schedule]--
			if err := claim(ctx, tx, f, now); err != nil {
				return err
			}
			claimed = append(claimed, f)
		}
		return nil
	})
	return claimed, err
}

func claim(ctx context.Context, tx *sql.Tx, f *Fire, now time.Time) error {
	f.attempt++
	f.State, f.Started = Starting, now
	_, err := tx.ExecContext(ctx, "UPDATE fires SET state = 'STARTING', attempt = ?, started = ? WHERE id = ?", f.attempt, now.Unix(), f.ID)
	return err
}

// ClaimOne takes one fire that is queued, whatever the limit.
func (st *Store) ClaimOne(ctx context.Context, id int64, now time.Time) (f *Fire, err error) {
	defer st.explain(&err)
	err = st.do(ctx, func(tx *sql.Tx) error {
		all, err := fires(ctx, tx, "WHERE id = ? AND state = 'QUEUED'", id)
		if err != nil || len(all) == 0 {
			return err
		}
		f = all[0]
		return claim(ctx, tx, f, now)
	})
	return f, err
}
