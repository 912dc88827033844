package scheduler

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

// A Change says what Apply did.
type Change string

// The changes.
const (
	Created   Change = "created"
	Updated   Change = "updated"
	Unchanged Change = "unchanged"
)

// Apply stores a schedule: it creates it, updates it, or leaves it as it is. It
// doesn't change running runs. A schedule that was paused or resumed by hand stays so,
// unless its definition says something new about that.
func (st *Store) Apply(ctx context.Context, spec Spec, now time.Time) (change Change, err error) {
	defer st.explain(&err)
	s := spec.Schedule
	if err := schedule.Check(s, now); err != nil {
		return "", err
	}
	p, err := program.Read(spec.Program)
	if err != nil {
		return "", fmt.Errorf("schedule %s: its program: %w", s.Name, err)
	}
	if err := schedule.CheckArgs(p, s); err != nil {
		return "", err
	}
	if spec.Exe != "" {
		if spec.Exe, err = st.keep(spec.Exe); err != nil {
			return "", fmt.Errorf("schedule %s: its program: %w", s.Name, err)
		}
	}
	b, err := json.Marshal(spec)
	if err != nil {
		return "", err
	}
	same := spec
	same.Source = "" // another name for it is not a change
	key, err := json.Marshal(same)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(key)
	hash := hex.EncodeToString(sum[:])
	err = st.do(ctx, func(tx *sql.Tx) error {
		var old Spec
		var text, oldHash string
		var paused bool
		var since int64
		err := tx.QueryRowContext(ctx, "SELECT spec, hash, paused, since FROM schedules WHERE name = ?", s.Name).Scan(&text, &oldHash, &paused, &since)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			change, paused, since = Created, s.Paused, now.Unix()
		case err != nil:
			return err
		case oldHash == hash:
			change = Unchanged
			return nil
		default:
			if old, err = readSpec(text); err != nil {
				return err
			}
			if change = Updated; old.Schedule.Paused != s.Paused {
				paused = s.Paused
			}
			if old.Schedule.Every != s.Every {
				since = now.Unix()
			}
		}
		next, err := nextOf(ctx, s, unix(since), now)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO schedules (name, spec, hash, paused, created, since, cursor, next) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (name) DO UPDATE SET spec = excluded.spec, hash = excluded.hash, paused = excluded.paused, since = excluded.since, cursor = excluded.cursor, next = excluded.next`,
			s.Name, string(b), hash, paused, now.Unix(), since, now.Unix(), next)
		return err
	})
	return change, err
}

// nextOf returns the first fire time after a time, for its column.
func nextOf(ctx context.Context, s *program.Schedule, since, after time.Time) (sql.NullInt64, error) {
	times, err := schedule.New(s, since)
	if err != nil {
		return sql.NullInt64{}, err
	}
	next, err := times.Next(ctx, after)
	return sql.NullInt64{Int64: next.Unix(), Valid: !next.IsZero()}, err
}

// keep copies an executable to where it stays while schedules need it, under a name
// that its content gives.
func (st *Store) keep(exe string) (string, error) {
	f, err := os.Open(exe)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	to := filepath.Join(st.dir, "programs", hex.EncodeToString(h.Sum(nil)))
	if _, err := os.Stat(to); err == nil {
		return to, nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	err = atomicfile.Writing(to, 0o755, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	})
	return to, err
}

// SetPaused stops a schedule from firing, or lets it fire again. What would have
// fired meanwhile is not missed: it was not to run.
func (st *Store) SetPaused(ctx context.Context, name string, paused bool, now time.Time) (err error) {
	defer st.explain(&err)
	return st.do(ctx, func(tx *sql.Tx) error {
		e, err := entry(ctx, tx, name)
		if err != nil || e.Paused == paused {
			return err
		}
		next, err := nextOf(ctx, e.Schedule, e.Since, now)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE schedules SET paused = ?, cursor = ?, next = ? WHERE name = ?", paused, now.Unix(), next, name)
		return err
	})
}

// Delete deletes a schedule and its queued fires. Running runs continue.
func (st *Store) Delete(ctx context.Context, name string) (err error) {
	defer st.explain(&err)
	return st.do(ctx, func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, "DELETE FROM schedules WHERE name = ?", name)
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, fmt.Errorf("schedule %s: %w", name, ErrNone))
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM fires WHERE schedule = ? AND state = 'QUEUED'", name)
		return err
	})
}

// Enqueue queues runs of a schedule for times. A backfill leaves out times whose run
// has succeeded, is running or is queued already.
func (st *Store) Enqueue(ctx context.Context, name string, kind Kind, times []time.Time) (queued []*Fire, err error) {
	defer st.explain(&err)
	err = st.do(ctx, func(tx *sql.Tx) error {
		var n int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM schedules WHERE name = ?", name).Scan(&n); err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("schedule %s: %w", name, ErrNone)
		}
		for _, at := range times {
			row := tx.QueryRowContext(ctx, `INSERT INTO fires (schedule, at, kind, state) VALUES (?, ?, ?, 'QUEUED')
				ON CONFLICT (schedule, at) WHERE kind <> 'trigger' DO UPDATE SET state = 'QUEUED', kind = excluded.kind, reason = '', run = '', started = 0, ended = 0
				WHERE state IN ('FAILED', 'SKIPPED', 'CANCELED', 'CANCELLED') RETURNING `+fireColumns, name, at.Unix(), kind)
			f, err := scanFire(row.Scan)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			queued = append(queued, f)
		}
		return nil
	})
	return queued, err
}
