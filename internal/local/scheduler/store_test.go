package scheduler

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

var noon = time.Date(2027, 1, 1, 12, 0, 0, 0, time.UTC)

func newStore(t *testing.T) *Store {
	t.Helper()
	st, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

func apply(t *testing.T, st *Store, s Spec, now time.Time, want Change) {
	t.Helper()
	if got, err := st.Apply(context.Background(), s, now); err != nil || got != want {
		t.Fatalf("%v, %v; want %v", got, err, want)
	}
}

// tick queues and claims at a time, and returns what was claimed.
func tick(t *testing.T, st *Store, now time.Time) string {
	t.Helper()
	if _, err := st.Tick(context.Background(), now); err != nil {
		t.Fatal(err)
	}
	claimed, err := st.Claim(context.Background(), now)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range claimed {
		fmt.Fprintf(&b, "%s %s,", f.Schedule, f.At.Format("15:04"))
	}
	return strings.TrimSuffix(b.String(), ",")
}

func succeed(t *testing.T, st *Store) {
	t.Helper()
	if _, err := st.db.Exec("UPDATE fires SET state = 'SUCCEEDED' WHERE state IN ('STARTING', 'RUNNING')"); err != nil {
		t.Fatal(err)
	}
}

func states(t *testing.T, st *Store) string {
	t.Helper()
	all, err := st.Fires(context.Background(), "", 100)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := len(all) - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "%s %s,", all[i].At.Format("15:04"), all[i].State)
	}
	return strings.TrimSuffix(b.String(), ",")
}

func TestApply(t *testing.T) {
	st := newStore(t)
	s := spec(program.Schedule{Name: "s", Cron: "0 * * * *"})
	apply(t, st, s, noon, Created)
	apply(t, st, s, noon.Add(time.Minute), Unchanged)
	if err := st.SetPaused(context.Background(), "s", true, noon); err != nil {
		t.Fatal(err)
	}
	apply(t, st, s, noon, Unchanged)
	s = spec(program.Schedule{Name: "s", Cron: "30 * * * *"})
	apply(t, st, s, noon, Updated)
	if e, err := st.Get(context.Background(), "s"); err != nil || !e.Paused {
		t.Errorf("an update has resumed it: %+v, %v", e, err)
	}
	for _, bad := range []program.Schedule{{Name: "s", Cron: "0 3 30 2 *"}, {Name: "s", Cron: "0 3 * * *", Zone: "Mars/Base"}, {Name: "s", Every: time.Hour, Limit: 11}} {
		if _, err := st.Apply(context.Background(), spec(bad), noon); err == nil {
			t.Errorf("%+v was stored", bad)
		}
	}
	missing := s
	missing.Schedule = &program.Schedule{Name: "new", Cron: "0 3 * * *"}
	if _, err := st.Apply(context.Background(), missing, noon); err == nil || !strings.Contains(err.Error(), "input day of pipeline p is required") {
		t.Error(err)
	}
	if all, err := st.List(context.Background()); err != nil || len(all) != 1 {
		t.Errorf("%d schedules, %v", len(all), err)
	}
	if err := st.Delete(context.Background(), "s"); err != nil {
		t.Fatal(err)
	}
	if err := st.Delete(context.Background(), "s"); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}

// TestMeanings has what catch-up, the limit, the end and a pause mean.
func TestMeanings(t *testing.T) {
	end := noon.Add(3 * time.Hour)
	for _, c := range []struct {
		name string
		s    program.Schedule
		do   func(t *testing.T, st *Store) string // returns what was claimed
		want string
		then string
	}{
		{"late, no catch-up", program.Schedule{}, func(t *testing.T, st *Store) string {
			return tick(t, st, noon.Add(200*time.Minute))
		}, "", "15:00 SKIPPED"},
		{"late, catch-up, one at once", program.Schedule{CatchUp: true}, func(t *testing.T, st *Store) string {
			first := tick(t, st, noon.Add(200*time.Minute))
			succeed(t, st)
			return first + "|" + tick(t, st, noon.Add(201*time.Minute))
		}, "s 13:00|s 14:00", "13:00 SUCCEEDED,14:00 STARTING,15:00 QUEUED"},
		{"late, catch-up, ten at once", program.Schedule{CatchUp: true, Limit: 10}, func(t *testing.T, st *Store) string {
			return tick(t, st, noon.Add(200*time.Minute))
		}, "s 13:00,s 14:00,s 15:00", "13:00 STARTING,14:00 STARTING,15:00 STARTING"},
		{"busy, no catch-up", program.Schedule{}, func(t *testing.T, st *Store) string {
			return tick(t, st, noon.Add(time.Hour)) + "|" + tick(t, st, noon.Add(2*time.Hour))
		}, "s 13:00|", "13:00 STARTING,14:00 SKIPPED"},
		{"busy, two at once", program.Schedule{Limit: 2}, func(t *testing.T, st *Store) string {
			return tick(t, st, noon.Add(time.Hour)) + "|" + tick(t, st, noon.Add(2*time.Hour)) + "|" + tick(t, st, noon.Add(3*time.Hour))
		}, "s 13:00|s 14:00|", "13:00 STARTING,14:00 STARTING,15:00 SKIPPED"},
		{"the end", program.Schedule{End: &end}, func(t *testing.T, st *Store) string {
			var got []string
			for i := range 5 {
				got = append(got, tick(t, st, noon.Add(time.Duration(i)*time.Hour)))
				succeed(t, st)
			}
			return strings.Join(got, "|")
		}, "|s 13:00|s 14:00||", "13:00 SUCCEEDED,14:00 SUCCEEDED"},
		{"a pause", program.Schedule{CatchUp: true}, func(t *testing.T, st *Store) string {
			pause := func(paused bool, at time.Time) {
				if err := st.SetPaused(context.Background(), "s", paused, at); err != nil {
					t.Fatal(err)
				}
			}
			pause(true, noon)
			got := tick(t, st, noon.Add(2*time.Hour)) + "|"
			pause(false, noon.Add(150*time.Minute))
			return got + tick(t, st, noon.Add(3*time.Hour))
		}, "|s 15:00", "15:00 STARTING"},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := newStore(t)
			c.s.Name, c.s.Cron = "s", "0 * * * *"
			apply(t, st, spec(c.s), noon, Created)
			if got := c.do(t, st); got != c.want {
				t.Errorf("claimed %q, not %q", got, c.want)
			}
			if got := states(t, st); got != c.then {
				t.Errorf("then %q, not %q", got, c.then)
			}
		})
	}
}

// TestBackfill: a time whose run has succeeded isn't run again, and one that failed is.
func TestBackfill(t *testing.T) {
	st := newStore(t)
	ctx := context.Background()
	apply(t, st, spec(program.Schedule{Name: "s", Cron: "0 * * * *", Limit: 2}), noon, Created)
	tick(t, st, noon.Add(time.Hour))
	succeed(t, st)
	tick(t, st, noon.Add(2*time.Hour))
	if _, err := st.db.Exec("UPDATE fires SET state = 'FAILED' WHERE state = 'STARTING'"); err != nil {
		t.Fatal(err)
	}
	queued, err := st.Enqueue(ctx, "s", Backfill, []time.Time{noon, noon.Add(time.Hour), noon.Add(2 * time.Hour)})
	if err != nil || len(queued) != 2 {
		t.Fatal(queued, err)
	}
	if again, err := st.Enqueue(ctx, "s", Backfill, []time.Time{noon}); err != nil || len(again) != 0 {
		t.Error(again, err)
	}
	if got := tick(t, st, noon.Add(150*time.Minute)); got != "s 12:00,s 14:00" {
		t.Error(got)
	}
	if triggered, err := st.Enqueue(ctx, "s", Triggered, []time.Time{noon}); err != nil || len(triggered) != 1 {
		t.Error(triggered, err)
	}
	if _, err := st.Enqueue(ctx, "t", Triggered, []time.Time{noon}); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}

// TestOldState: a fire that an older version has noted as cancelled is, and is run again
// by a backfill.
func TestOldState(t *testing.T) {
	st := newStore(t)
	apply(t, st, spec(program.Schedule{Name: "s", Cron: "0 * * * *"}), noon, Created)
	tick(t, st, noon.Add(time.Hour))
	for _, state := range []string{"CANCELLED", "CANCELED"} {
		if _, err := st.db.Exec("UPDATE fires SET state = ?", state); err != nil {
			t.Fatal(err)
		}
		if got := states(t, st); got != "13:00 CANCELED" {
			t.Errorf("%s is read as %s", state, got)
		}
		if queued, err := st.Enqueue(context.Background(), "s", Backfill, []time.Time{noon.Add(time.Hour)}); err != nil || len(queued) != 1 {
			t.Errorf("%s: %v, %v", state, queued, err)
		}
	}
}

// TestReconcile: a process that was late or killed.
func TestReconcile(t *testing.T) {
	st := newStore(t)
	st.settle = 0
	ctx := context.Background()
	apply(t, st, spec(program.Schedule{Name: "s", Cron: "0 * * * *"}), noon, Created)
	if _, err := st.Tick(ctx, noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	claimed, err := st.Claim(ctx, noon.Add(time.Hour))
	if err != nil || len(claimed) != 1 {
		t.Fatal(claimed, err)
	}
	late := *claimed[0]
	if err := st.Reconcile(ctx, noon.Add(2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	again, err := st.Claim(ctx, noon.Add(time.Hour))
	if err != nil || len(again) != 1 {
		t.Fatal(again, err)
	}
	if f, _, err := st.begin(ctx, late.ID, late.attempt, noon); err != nil || f != nil {
		t.Errorf("the late process begins: %v, %v", f, err)
	}
	f, _, err := st.begin(ctx, again[0].ID, again[0].attempt, noon)
	if err != nil || f == nil {
		t.Fatal(f, err)
	}
	if twice, _, err := st.begin(ctx, again[0].ID, again[0].attempt, noon); err != nil || twice != nil {
		t.Errorf("it begins twice: %v, %v", twice, err)
	}
	l, err := st.lock(f.ID, true)
	if err != nil {
		t.Fatal(err)
	}
	check := func(want string) {
		t.Helper()
		if err := st.Reconcile(ctx, noon); err != nil {
			t.Fatal(err)
		}
		if got := states(t, st); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	check("13:00 RUNNING") // its process lives
	l.Close()
	check("13:00 FAILED") // and is gone
	if all, err := st.Fires(ctx, "s", 1); err != nil || !strings.Contains(all[0].Reason, "broken off") {
		t.Error(all, err)
	}
}

func TestKeep(t *testing.T) {
	st := newStore(t)
	s := spec(program.Schedule{Name: "s", Cron: "0 * * * *"})
	s.Exe = os.Args[0]
	apply(t, st, s, noon, Created)
	apply(t, st, s, noon, Unchanged)
	e, err := st.Get(context.Background(), "s")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(e.Exe); err != nil || info.Mode().Perm() != 0o755 || e.Exe == os.Args[0] {
		t.Errorf("%s: %v, %v", e.Exe, info, err)
	}
}
