package scheduler

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// errDamaged says that a row of the database doesn't hold a schedule.
var errDamaged = errors.New("the database of schedules is damaged")

// damaged reports whether an error says that the database can't be read any more, by
// now or later. A full disk passes; this doesn't.
func damaged(err error) bool {
	var e *sqlite.Error
	if errors.Is(err, errDamaged) {
		return true
	}
	if !errors.As(err, &e) {
		return false
	}
	code := e.Code() & 0xff // the rest says where
	return code == lib.SQLITE_CORRUPT || code == lib.SQLITE_NOTADB
}

// damage says which file is damaged, and what to do about it.
func (st *Store) damage(err error) error { return damageIn(st.dir, err) }

func damageIn(dir string, err error) error {
	file := filepath.Join(dir, "schedules.db")
	return fmt.Errorf("the schedules in %s are damaged: %w; put a copy of the file back, or move it and its -wal and -shm away and apply the schedules again: runs and their folders aren't touched", file, err)
}

// explain makes the error of a method say that, if the database is damaged.
func (st *Store) explain(err *error) {
	if damaged(*err) {
		*err = st.damage(*err)
	}
}

// Verify reads the whole database, and returns an error if it is damaged.
func (st *Store) Verify(ctx context.Context) error {
	var text string
	err := st.db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&text)
	switch {
	case damaged(err):
		return st.damage(err)
	case err != nil:
		return err
	case text != "ok":
		return st.damage(errors.New(text[strings.LastIndexByte(text, '\n')+1:])) // below the name that SQLite has for it
	}
	return nil
}
