package scheduler

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/host/child"
)

// A Server starts runs when they are due.
type Server struct {
	Store   *Store
	Command func(key string) *exec.Cmd // that runs a claimed fire, with Exec
	Here    func(key string)           // runs it in this process, in place of Command; for tests on a fake clock
	Tell    func(format string, args ...any)
}

// Serving returns the id of the process that serves a store; 0: no process does.
func (st *Store) Serving() int {
	l, err := st.serveLock()
	if err != nil || l != nil {
		if l != nil {
			l.Close()
		}
		return 0
	}
	b, _ := os.ReadFile(filepath.Join(st.dir, "serve.lock"))
	pid := -1
	fmt.Sscan(string(b), &pid)
	return pid
}

func (st *Store) serveLock() (*os.File, error) { return st.flock("serve.lock", false) }

// Serve starts runs until the context ends, or the database turns out to be damaged.
// Runs that it has started continue then.
func (s *Server) Serve(ctx context.Context) error {
	l, err := s.Store.serveLock()
	if err != nil {
		return err
	}
	if l == nil {
		return fmt.Errorf("another kfpgo schedule serve, process %d, serves %s already", s.Store.Serving(), s.Store.Home)
	}
	defer l.Close()
	if err := l.Truncate(0); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(l, os.Getpid()); err != nil {
		return err
	}
	if err := s.Store.Verify(ctx); err != nil {
		return err
	}
	looked := time.Time{}
	for ctx.Err() == nil {
		now := s.Store.now()
		if now.Sub(looked) > 5*time.Second {
			if err := s.Store.Reconcile(ctx, now); err != nil && ctx.Err() == nil {
				if damaged(err) {
					return s.Store.damage(err)
				}
				s.Tell("%v", err)
			}
			looked = now
		}
		next, err := s.step(ctx, now)
		if damaged(err) {
			return s.Store.damage(err)
		}
		if err != nil && ctx.Err() == nil {
			s.Tell("%v", err) // a full disk, say: it may pass
		}
		wait := s.Store.look
		if d := next.Sub(s.Store.now()); !next.IsZero() && d < wait {
			wait = max(d, time.Millisecond)
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
	return nil
}

// step queues, claims and starts what is due.
func (s *Server) step(ctx context.Context, now time.Time) (time.Time, error) {
	next, err := s.Store.Tick(ctx, now)
	if err != nil {
		return next, err
	}
	claimed, err := s.Store.Claim(ctx, now)
	for _, f := range claimed {
		if err := s.Start(f); err != nil { // Reconcile queues it again later
			s.Tell("%s: the run of %s: %v", f.Schedule, f.At.Format(time.RFC3339), err)
		}
	}
	return next, err
}

// Start starts the process of a claimed fire.
func (s *Server) Start(f *Fire) error {
	s.Tell("%s: starting the run of %s", f.Schedule, f.At.Format(time.RFC3339))
	if s.Here != nil {
		go s.Here(f.Key())
		return nil
	}
	log, err := os.OpenFile(s.Store.Log(f.ID), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := s.Command(f.Key())
	cmd.Stdout, cmd.Stderr = log, log
	child.Detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		err := cmd.Wait()
		text := "succeeded"
		if err != nil {
			b, _ := os.ReadFile(s.Store.Log(f.ID))
			text = fmt.Sprintf("failed: %s", last(string(b), err.Error()))
		}
		s.Tell("%s: the run of %s %s", f.Schedule, f.At.Format(time.RFC3339), text)
	}()
	return nil
}

// last returns the last line of a string, or otherwise if it has none.
func last(text, otherwise string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if l := lines[len(lines)-1]; l != "" {
		return l
	}
	return otherwise
}
