package expect

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/dsl"
)

// A Fire is a run that a schedule has started.
type Fire struct {
	ID    string
	At    time.Time // for which; zero: it isn't known yet
	Going bool      // it has begun and not ended
	Day   string    // its argument day
}

// An Engine is what a test of the table needs of one.
type Engine interface {
	Name() string
	Interval() time.Duration // the shortest that is tried
	Slack() time.Duration    // by how much the times that it tells may be wrong
	// Apply stores a schedule of a pipeline whose input day gets the fire time. Its
	// runs go on until they are released.
	Apply(ctx context.Context, name string, w dsl.When) (client.Change, error)
	Schedules(ctx context.Context) ([]*client.Schedule, error)
	PauseSchedule(ctx context.Context, name string) error
	ResumeSchedule(ctx context.Context, name string) error
	TriggerSchedule(ctx context.Context, name string, at time.Time) (*client.Run, error)
	DeleteSchedule(ctx context.Context, name string) error
	Backfill(ctx context.Context, name, from, to string) error
	Enabled(ctx context.Context, name string) (int, error) // of all that is stored under a name
	Fires(ctx context.Context, name string) ([]Fire, error)
	Release(ctx context.Context, name string) error // ends the runs that go on
	Away() error                                    // stops what starts runs
	Back() error
}

// An Apart has an Engine for each row.
type Apart interface {
	Engine
	// Row calls do with a new engine, as in a bubble of testing/synctest.
	Row(t *testing.T, do func(*testing.T, Engine))
}

// Run runs the rows that an engine's test is for, each with a schedule of its own.
func Run(t *testing.T, e Engine, wanted func(*Row) bool) {
	rows, err := Table()
	if err != nil {
		t.Fatal(err)
	}
	together := &barrier{}
	for _, r := range rows {
		if wanted(&r) && r.Away() {
			together.all++
		}
	}
	for _, r := range rows {
		if !wanted(&r) {
			continue
		}
		t.Run(strings.ReplaceAll(r.Name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			if a, ok := e.(Apart); ok {
				a.Row(t, func(t *testing.T, e Engine) { do(t, e, &r, &barrier{all: 1}) })
				return
			}
			if r.Away() {
				defer together.leave()
			}
			do(t, e, &r, together)
		})
	}
}

// do does the steps of a row.
func do(t *testing.T, e Engine, r *Row, together *barrier) {
	x := &row{T: t, Engine: e, Row: r, name: fmt.Sprintf("t-%x", time.Now().UnixNano()&0xffffffff), together: together}
	t.Cleanup(x.clean)
	for _, s := range r.of(e.Name()) {
		x.step(s)
		if t.Failed() {
			return
		}
	}
}

// A row that runs.
type row struct {
	*testing.T
	Engine
	Row *Row

	name     string
	when     dsl.When
	hold     bool // runs go on; else they are ended as they come
	away     [2]time.Time
	goingIDs map[string]bool
	together *barrier
}

// clean leaves nothing behind.
func (x *row) clean() {
	ctx, end := context.WithTimeout(context.Background(), time.Minute)
	defer end()
	x.PauseSchedule(ctx, x.name)
	for range 20 {
		x.Release(ctx, x.name)
		if err := x.DeleteSchedule(ctx, x.name); err == nil || client.CodeOf(err) != client.Precondition {
			break
		}
		time.Sleep(time.Second)
	}
	x.Release(ctx, x.name)
}

func (x *row) ok(err error) {
	x.Helper()
	if err != nil {
		x.Fatal(err)
	}
}

func (x *row) fires() []Fire {
	x.Helper()
	all, err := x.Fires(x.Context(), x.name)
	x.ok(err)
	if !x.hold {
		x.ok(x.Release(x.Context(), x.name))
	}
	return all
}

// await waits until something is so.
func (x *row) await(what string, intervals int, is func() bool) {
	x.Helper()
	within := time.Duration(intervals)*x.Interval() + 45*time.Second
	if x.when.Every == 0 {
		within += 2 * time.Minute // until a cron's minute
	}
	for end := time.Now().Add(within); !is(); time.Sleep(500 * time.Millisecond) {
		if time.Now().After(end) {
			all, _ := x.Fires(x.Context(), x.name)
			known, _ := x.Schedules(x.Context())
			for _, s := range known {
				if s.Name == x.name {
					x.Logf("%+v", s)
				}
			}
			x.Fatalf("%s: it doesn't come to %s; the runs are %+v", x.Row.Name, what, all)
		}
	}
}

func (x *row) apply(w dsl.When, want ...client.Change) {
	x.Helper()
	change, err := x.Apply(x.Context(), x.name, w)
	x.ok(err)
	if len(want) > 0 && change != want[0] {
		x.Fatalf("%s, want %s", change, want[0])
	}
}

func (x *row) going() (ids map[string]bool) {
	ids = map[string]bool{}
	for _, f := range x.fires() {
		if f.Going {
			ids[f.ID] = true
		}
	}
	return ids
}

// step does one step of a row.
func (x *row) step(s string) {
	x.Helper()
	verb, arg, _ := strings.Cut(s, " ")
	n, _ := strconv.Atoi(arg)
	ctx := x.Context()
	pause, _ := duration(arg, x.Interval())
	switch verb {
	case "apply":
		var err error
		x.when, err = x.Row.when(x.Interval(), time.Now())
		x.ok(err)
		x.apply(x.when, client.Created)
	case "refused":
		w, err := x.Row.when(x.Interval(), time.Now())
		x.ok(err)
		if _, err = x.Apply(ctx, x.name, w); err == nil || !strings.Contains(err.Error(), arg) {
			x.Errorf("%v, want %q", err, arg)
		}
	case "update":
		x.when = dsl.When{Cron: "0 3 1 1 *"}
		x.apply(x.when, client.Updated)
	case "unchanged":
		x.apply(x.when, client.Unchanged)
	case "hold":
		x.hold = true
	case "release":
		x.hold = false
		x.fires()
	case "pause":
		x.ok(x.PauseSchedule(ctx, x.name))
	case "resume":
		x.ok(x.ResumeSchedule(ctx, x.name))
	case "delete":
		x.await("be deleted", 3, func() bool {
			err := x.DeleteSchedule(ctx, x.name)
			if client.CodeOf(err) == client.Precondition && !x.hold {
				x.fires()
				return false // the runs are ending
			}
			x.ok(err)
			return true
		})
	case "undeleted":
		if err := x.DeleteSchedule(ctx, x.name); err == nil || !strings.Contains(err.Error(), arg) {
			x.Errorf("%v, want %q", err, arg)
		}
	case "trigger":
		at, err := time.Parse(time.RFC3339, arg)
		x.ok(err)
		_, err = x.TriggerSchedule(ctx, x.name, at)
		x.ok(err)
	case "backfill":
		from, to, _ := strings.Cut(arg, " ")
		x.ok(x.Backfill(ctx, x.name, from, to))
	case "away":
		x.ok(x.together.wait(x.Away))
		x.away[0] = time.Now()
	case "back":
		x.away[1] = time.Now()
		x.ok(x.together.wait(x.Back))
	case "wait":
		time.Sleep(pause)
	default:
		x.look(verb, arg, n, pause)
	}
}

// look looks at what has come of the steps before.
func (x *row) look(verb, arg string, n int, pause time.Duration) {
	x.Helper()
	ctx := x.Context()
	switch verb {
	case "fires":
		x.await(fmt.Sprintf("%d runs", n), n+2, func() bool { return len(x.fires()) >= n })
		if x.when.Every == 0 && len(x.fires()) != n { // nothing fires by itself
			x.Errorf("%d runs, want %d", len(x.fires()), n)
		}
	case "more":
		before := len(x.fires())
		x.await(fmt.Sprintf("%d more runs", n), n+2, func() bool { return len(x.fires()) >= before+n })
	case "some":
		if len(x.fires()) == 0 {
			x.Error("its runs are gone")
		}
	case "quiet":
		before := len(x.fires())
		time.Sleep(pause)
		if after := x.fires(); len(after) != before {
			x.Errorf("it has fired: %+v", after)
		}
	case "going":
		if x.goingIDs == nil {
			x.await(fmt.Sprintf("%d runs that go on", n), n+2, func() bool { return len(x.going()) >= n })
			x.goingIDs = x.going()
		}
		now := x.going()
		if len(now) != n {
			x.Errorf("%d runs go on, want %d", len(now), n)
		}
		for id := range x.goingIDs {
			if !now[id] {
				x.Errorf("run %s doesn't go on any more", id)
			}
		}
	case "stored": // Kubernetes takes a moment to delete
		x.await(fmt.Sprintf("%d that are stored", n), 1, func() bool {
			known, err := x.Schedules(ctx)
			x.ok(err)
			found := 0
			for _, s := range known {
				if s.Name == x.name {
					found++
				}
			}
			return found == n
		})
	case "enabled":
		if got, err := x.Enabled(ctx, x.name); err != nil || got != n {
			x.Errorf("%d are enabled, want %d; %v", got, n, err)
		}
	case "day":
		var all []Fire
		x.await("the argument day of all runs", 2, func() bool {
			all = x.fires()
			return !slices.ContainsFunc(all, func(f Fire) bool { return f.Day == "" })
		})
		for _, f := range all {
			if at, err := time.Parse(time.RFC3339, f.Day); err != nil || !at.Equal(f.At) {
				x.Errorf("the run of %s has day %q", f.At, f.Day)
			}
		}
	default:
		x.times(verb+" "+arg, arg)
	}
}

// times looks at the times for which the runs are.
func (x *row) times(what, arg string) {
	x.Helper()
	var all []Fire
	x.await("times of all runs", 3, func() bool {
		all = x.fires()
		return !slices.ContainsFunc(all, func(f Fire) bool { return f.At.IsZero() })
	})
	missed := 0
	for i, f := range all {
		switch {
		case what == "apart " && i > 0:
			d := f.At.Sub(all[i-1].At).Abs()
			if x.Slack() > 0 && d < x.when.Every-x.Slack() || x.Slack() == 0 && (d == 0 || d%x.when.Every != 0) { // a controller that looks now and then may be late, but not early
				x.Errorf("%s and %s are %v apart", f.At, all[i-1].At, d)
			}
		case what == "on time":
			if w := fmt.Sprintf("%d %d * * *", f.At.In(zone(x.when.Zone)).Minute(), f.At.In(zone(x.when.Zone)).Hour()); w != x.when.Cron || f.At.Second() != 0 {
				x.Errorf("%q has fired at %s", x.when.Cron, f.At)
			}
		case what == "in time":
			if f.At.Before(x.when.Start) || !x.when.End.IsZero() && !f.At.Before(x.when.End) {
				x.Errorf("it has fired at %s, and goes from %s to %s", f.At, x.when.Start, x.when.End)
			}
		}
		if f.At.After(x.away[0].Add(x.Interval()/2)) && f.At.Before(x.away[1].Add(-x.Interval()/4)) {
			missed++
		}
	}
	if !strings.HasPrefix(what, "missed") {
		return
	}
	if arg == "all" {
		all := int(x.away[1].Sub(x.away[0])/x.Interval()) - 1
		x.await(fmt.Sprintf("%d missed runs", all), 6, func() bool { return x.missed() >= all })
		return
	}
	if want, _ := strconv.Atoi(arg); want != missed {
		x.await(fmt.Sprintf("%s missed runs", arg), 2, func() bool { return x.missed() >= want })
		if got := x.missed(); got != want {
			x.Errorf("%d of the times that were missed were run, want %d: %+v, away from %s to %s", got, want, x.fires(), x.away[0], x.away[1])
		}
	}
}

// missed returns how many runs are for times at which the engine was away.
func (x *row) missed() (n int) {
	for _, f := range x.fires() {
		if f.At.After(x.away[0].Add(x.Interval()/2)) && f.At.Before(x.away[1]) {
			n++
		}
	}
	return n
}

func zone(name string) *time.Location {
	z, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	return z
}
