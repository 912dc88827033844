package scheduler

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/kfpgo/kfpgo/internal/host/filelock"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/local/report"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

// Key returns what names a claimed fire to the process that runs it: Exec takes it.
func (f *Fire) Key() string { return fmt.Sprintf("%d.%d", f.ID, f.attempt) }

// Log returns the file with what the process of a fire says.
func (st *Store) Log(id int64) string {
	return filepath.Join(st.dir, "logs", fmt.Sprintf("%d.log", id))
}

// lock takes the lock of a fire, which the process that runs it holds as long as it
// lives. Without wait, nil is that another one has it.
func (st *Store) lock(id int64, wait bool) (*os.File, error) {
	return st.flock(filepath.Join("locks", fmt.Sprint(id)), wait)
}

// flock takes the lock of a file.
func (st *Store) flock(file string, wait bool) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(st.dir, file), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	lock := filelock.TryLock
	if wait {
		lock = filelock.Lock
	}
	if err := lock(f); err != nil {
		f.Close()
		if errors.Is(err, filelock.ErrHeld) {
			return nil, nil
		}
		return nil, err
	}
	return f, nil
}

// begin marks a claimed fire as running. Nil is that it isn't for this process: it
// was claimed again since, or its schedule is gone.
func (st *Store) begin(ctx context.Context, id, attempt int64, now time.Time) (f *Fire, spec *Spec, err error) {
	err = st.do(ctx, func(tx *sql.Tx) error {
		all, err := fires(ctx, tx, "WHERE id = ? AND attempt = ? AND state = 'STARTING'", id, attempt)
		if err != nil || len(all) == 0 {
			return err
		}
		e, err := entry(ctx, tx, all[0].Schedule)
		if errors.Is(err, ErrNone) {
			_, err := tx.ExecContext(ctx, "UPDATE fires SET state = 'SKIPPED', reason = 'its schedule was deleted' WHERE id = ?", id)
			return err
		}
		if err != nil {
			return err
		}
		f, spec = all[0], &e.Spec
		f.State = run.Running
		f.Run = fmt.Sprintf("%s-%s-%d", run.IDPart(spec.Pipeline), f.At.Format("20060102T150405"), id)
		if attempt > 1 {
			f.Run += fmt.Sprintf(".%d", attempt)
		}
		for n, base := 1, f.Run; ; n++ { // of a database that was deleted, its runs may be there
			if _, err := os.Lstat(filepath.Join(st.Home, "runs", f.Run)); err != nil {
				break
			}
			f.Run = fmt.Sprintf("%s_%d", base, n)
		}
		_, err = tx.ExecContext(ctx, "UPDATE fires SET state = 'RUNNING', run = ?, started = ? WHERE id = ?", f.Run, now.Unix(), id)
		return err
	})
	return f, spec, err
}

// end notes what came of a fire.
func (st *Store) end(ctx context.Context, f *Fire, state run.State, reason string, now time.Time) error {
	_, err := st.db.ExecContext(ctx, "UPDATE fires SET state = ?, reason = ?, ended = ? WHERE id = ? AND state = 'RUNNING'", state, reason, now.Unix(), f.ID)
	return err
}

// Exec runs a claimed fire in this process, to its end.
func (st *Store) Exec(ctx context.Context, key string) (*run.Run, error) {
	var id, attempt int64
	if _, err := fmt.Sscanf(key, "%d.%d", &id, &attempt); err != nil {
		return nil, fmt.Errorf("%q is not a fire", key)
	}
	l, err := st.lock(id, true)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	f, spec, err := st.begin(ctx, id, attempt, st.now())
	if err != nil || f == nil {
		return nil, err
	}
	r, err := st.Runner(ctx, f, spec)
	state, reason := run.Failed, ""
	switch {
	case r != nil && r.State == run.Succeeded && err == nil:
		state = run.Succeeded
	case r != nil && r.State == run.Cancelled:
		state, reason = run.Cancelled, r.Error
	case err != nil:
		reason = err.Error()
	default:
		reason = r.Error
	}
	return r, errors.Join(err, st.end(context.WithoutCancel(ctx), f, state, reason, st.now()))
}

func (st *Store) run(ctx context.Context, f *Fire, spec *Spec) (*run.Run, error) {
	p, err := program.Read(spec.Program)
	if err != nil {
		return nil, err
	}
	given, err := schedule.Args(spec.Schedule, f.At)
	if err != nil {
		return nil, err
	}
	r, err := engine.Run(ctx, p, engine.Options{
		Home: st.Home, ID: f.Run, Program: spec.Exe, NoCache: spec.NoCache, Params: given, Schedule: f.Schedule, Scheduled: f.At,
	})
	if r != nil {
		err = errors.Join(err, report.Write(r.Dir))
	}
	return r, err
}

// Reconcile sees to fires whose process is gone: one that had not begun is queued
// again, and one that was broken off has failed, unless its record says how it ended.
func (st *Store) Reconcile(ctx context.Context, now time.Time) error {
	open, err := fires(ctx, st.db, "WHERE state IN ('STARTING', 'RUNNING') ORDER BY id")
	if err != nil {
		return err
	}
	var errs []error
	for _, f := range open {
		if f.State == Starting && now.Sub(f.Started) < st.settle {
			continue // its process may be on its way
		}
		errs = append(errs, st.reconcile(ctx, f, now))
	}
	return errors.Join(errs...)
}

func (st *Store) reconcile(ctx context.Context, f *Fire, now time.Time) error {
	l, err := st.lock(f.ID, false)
	if err != nil || l == nil {
		return err // it lives
	}
	defer l.Close()
	if f.State == Starting {
		// A process that is late doesn't win: the next claim has another number.
		_, err := st.db.ExecContext(ctx, "UPDATE fires SET state = 'QUEUED' WHERE id = ? AND state = 'STARTING' AND attempt = ?", f.ID, f.attempt)
		return err
	}
	state, reason := run.Failed, "broken off: its process was killed, or the machine went down"
	if r, err := run.Load(filepath.Join(st.Home, "runs", f.Run)); err == nil && r.State.Done() {
		state, reason = r.State, r.Error
	}
	return st.end(ctx, f, state, reason, now)
}
