// Package scheduler runs pipelines on a schedule on this machine. Schedules and their
// fires are rows of an SQLite database, so they survive whatever ends a process.
//
// A fire goes from queued to starting to running to its end. Each step is a
// transaction that only one process can win, and the process of a run holds a lock
// as long as it lives. So after a kill -9 the state of each fire is known: whether it has
// to be started, is running, or was interrupted.
package scheduler

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

// The states that a fire has before its run has any. One that is skipped has no run.
const (
	Queued   run.State = "QUEUED"
	Starting run.State = "STARTING" // a process was started for it, or is about to be
)

// A Kind says why a fire is there.
type Kind string

// The kinds.
const (
	Scheduled Kind = "schedule"
	Triggered Kind = "trigger"
	Backfill  Kind = "backfill"
)

// A Spec is a schedule with all that its runs need.
type Spec struct {
	Schedule *program.Schedule `json:"schedule"`
	Pipeline string            `json:"pipeline"`          // its name
	Source   string            `json:"source,omitempty"`  // what the user called it
	Program  json.RawMessage   `json:"program"`           // a program.Program without schedules
	Exe      string            `json:"exe,omitempty"`     // runs the Go steps; Apply keeps a copy
	NoCache  bool              `json:"noCache,omitempty"` // of steps
}

// An Entry is a stored schedule.
type Entry struct {
	Spec
	Paused  bool
	Created time.Time
	Since   time.Time // an interval without a start counts from here
	Cursor  time.Time // fire times up to here have been seen to
}

// A Fire is a time at which a schedule fires, and what came of it.
type Fire struct {
	ID       int64     `json:"id"`
	Schedule string    `json:"schedule"`
	At       time.Time `json:"at"` // in the zone of its schedule
	Kind     Kind      `json:"kind"`
	State    run.State `json:"state"`
	Reason   string    `json:"reason,omitempty"`
	Run      string    `json:"run,omitempty"` // id: the name of the run's folder
	Started  time.Time `json:"started,omitzero"`
	Ended    time.Time `json:"ended,omitzero"`

	attempt int64
}

// A Store is the schedules of one home folder.
type Store struct {
	Home string // of runs
	dir  string // of the scheduler: programs, locks and logs
	db   *sql.DB

	// Runner does the run of a fire. Only tests replace it.
	Runner func(context.Context, *Fire, *Spec) (*run.Run, error)

	settle time.Duration // how long the process of a fire has to take its lock
	now    func() time.Time
	look   time.Duration // between looks for what other processes have changed
}

const tables = `
CREATE TABLE IF NOT EXISTS schedules (
	name    TEXT PRIMARY KEY,
	spec    TEXT NOT NULL,
	hash    TEXT NOT NULL,
	paused  INTEGER NOT NULL,
	created INTEGER NOT NULL,
	since   INTEGER NOT NULL,
	cursor  INTEGER NOT NULL,
	next    INTEGER
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS schedules_next ON schedules (paused, next);
CREATE TABLE IF NOT EXISTS fires (
	id       INTEGER PRIMARY KEY AUTOINCREMENT,
	schedule TEXT NOT NULL,
	at       INTEGER NOT NULL,
	kind     TEXT NOT NULL,
	state    TEXT NOT NULL,
	reason   TEXT NOT NULL DEFAULT '',
	run      TEXT NOT NULL DEFAULT '',
	attempt  INTEGER NOT NULL DEFAULT 0,
	started  INTEGER NOT NULL DEFAULT 0,
	ended    INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX IF NOT EXISTS fires_once ON fires (schedule, at) WHERE kind <> 'trigger';
CREATE INDEX IF NOT EXISTS fires_state ON fires (state, schedule);
`

// Open opens the store of a home folder and makes it if it isn't there.
func Open(home string) (*Store, error) { return open(home, "synchronous(FULL)") }

func open(home string, pragmas ...string) (*Store, error) {
	dir := filepath.Join(home, "schedules")
	if err := run.MakeHome(home); err != nil {
		return nil, err
	}
	for _, d := range []string{"programs", "locks", "logs"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			return nil, run.Unusable(err)
		}
	}
	if err := private(filepath.Join(dir, "schedules.db")); err != nil {
		return nil, err
	}
	dsn := "file:" + escape(filepath.Join(dir, "schedules.db")) + "?_txlock=immediate&_pragma=busy_timeout(20000)&_pragma=journal_mode(WAL)"
	for _, p := range pragmas {
		dsn += "&_pragma=" + p
	}
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // SQLite has one writer anyway
	if _, err := db.Exec(tables); err != nil {
		db.Close()
		if damaged(err) {
			return nil, damageIn(dir, err)
		}
		return nil, fmt.Errorf("the schedules in %s: %w", dir, err)
	}
	st := &Store{Home: home, dir: dir, db: db, settle: 10 * time.Second, now: time.Now, look: time.Second}
	st.Runner = st.run
	return st, nil
}

// private makes a database, and what SQLite keeps beside it, its user's alone: it holds
// the arguments of runs. SQLite makes new files with the permissions of the database.
func private(file string) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, end := range []string{"", "-wal", "-shm"} {
		if info, err := os.Stat(file + end); err == nil && info.Mode().Perm()&0o077 != 0 {
			if err := os.Chmod(file+end, 0o600); err != nil && !errors.Is(err, fs.ErrPermission) { // another user's
				return err
			}
		}
	}
	return nil
}

// escape writes a path so that nothing in it is taken for the end of a URI's path.
func escape(path string) string {
	var b []byte
	for i := range len(path) {
		switch c := path[i]; c {
		case '?', '#', '%':
			b = fmt.Appendf(b, "%%%02X", c)
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// Close closes the store.
func (st *Store) Close() error { return st.db.Close() }

// ErrNone says that there is no schedule with a name.
var ErrNone = errors.New("there is no such schedule on this machine")

// do calls f in a transaction.
func (st *Store) do(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := st.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func unix(sec int64) time.Time {
	if sec == 0 {
		return time.Time{}
	}
	return time.Unix(sec, 0).UTC()
}

func scanEntry(scan func(...any) error) (*Entry, error) {
	var e Entry
	var spec string
	var created, since, cursor int64
	if err := scan(&spec, &e.Paused, &created, &since, &cursor); err != nil {
		return nil, err
	}
	e.Created, e.Since, e.Cursor = unix(created), unix(since), unix(cursor)
	var err error
	e.Spec, err = readSpec(spec)
	return &e, err
}

func entries(ctx context.Context, q querier, where string, args ...any) ([]*Entry, error) {
	return query(ctx, q, scanEntry, "SELECT spec, paused, created, since, cursor FROM schedules "+where, args...)
}

// entry returns a schedule, or ErrNone.
func entry(ctx context.Context, q querier, name string) (*Entry, error) {
	all, err := entries(ctx, q, "WHERE name = ?", name)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("schedule %s: %w", name, ErrNone)
	}
	return all[0], nil
}

// readSpec reads what a row says of a schedule.
func readSpec(text string) (spec Spec, err error) {
	if err := json.Unmarshal([]byte(text), &spec); err != nil {
		return spec, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if spec.Schedule == nil {
		return spec, fmt.Errorf("%w: a row without a schedule", errDamaged)
	}
	return spec, nil
}

// List returns all schedules, by name.
func (st *Store) List(ctx context.Context) (all []*Entry, err error) {
	defer st.explain(&err)
	return entries(ctx, st.db, "ORDER BY name")
}

// Get returns a schedule.
func (st *Store) Get(ctx context.Context, name string) (e *Entry, err error) {
	defer st.explain(&err)
	return entry(ctx, st.db, name)
}

const fireColumns = "fires.id, schedule, at, kind, state, reason, run, attempt, started, ended, " +
	"coalesce((SELECT s.spec ->> '$.schedule.zone' FROM schedules s WHERE s.name = schedule), '')"

func scanFire(scan func(...any) error) (*Fire, error) {
	var f Fire
	var at, started, ended int64
	var name string
	err := scan(&f.ID, &f.Schedule, &at, &f.Kind, &f.State, &f.Reason, &f.Run, &f.attempt, &started, &ended, &name)
	zone, bad := schedule.Zone(name)
	if bad != nil { // of a database of zones that this machine no longer has
		zone = time.UTC
	}
	f.State = kfptype.ParseState(string(f.State)) // older versions had another spelling
	f.At, f.Started, f.Ended = time.Unix(at, 0).In(zone), unix(started), unix(ended)
	return &f, err
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func fires(ctx context.Context, q querier, where string, args ...any) ([]*Fire, error) {
	return query(ctx, q, scanFire, "SELECT "+fireColumns+" FROM fires "+where, args...)
}

// query returns all rows of a query, as scan reads each.
func query[T any](ctx context.Context, q querier, scan func(func(...any) error) (T, error), text string, args ...any) (all []T, err error) {
	rows, err := q.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		row, err := scan(rows.Scan)
		if err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, rows.Err()
}

// Fires returns the last fires of a schedule, or of all, the newest first.
func (st *Store) Fires(ctx context.Context, name string, limit int) (all []*Fire, err error) {
	defer st.explain(&err)
	if name == "" {
		return fires(ctx, st.db, "ORDER BY id DESC LIMIT ?", limit)
	}
	return fires(ctx, st.db, "WHERE schedule = ? ORDER BY id DESC LIMIT ?", name, limit)
}
