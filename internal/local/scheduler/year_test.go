package scheduler

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// dayProgram has a required input, day.
var dayProgram = func() json.RawMessage {
	b, err := json.Marshal(&program.Program{Name: "p", Main: "p", Components: []*program.Component{{
		Name: "p", DAG: &program.DAG{}, Inputs: []program.Port{{Name: "day", Type: graph.Type{Name: "STRING"}}},
	}}})
	if err != nil {
		panic(err)
	}
	return b
}()

func spec(s program.Schedule) Spec {
	s.Args = map[string]program.Value{"day": {Kind: program.FireTime}}
	return Spec{Schedule: &s, Pipeline: "p", Program: dayProgram}
}

// A plan is a schedule as the clock on the wall of its zone says it.
type plan struct {
	s            program.Schedule
	hour, minute int
	day          func(t time.Time) bool
}

func always(time.Time) bool { return true }

// schedules is how many TestYear has. Make slow runs it with 1000.
var schedules = 200

// plans returns that many schedules, of which some are daily, most weekly or monthly,
// at all times of the day, some of which clocks are changed at.
func plans() []plan {
	rng := rand.New(rand.NewSource(7))
	zones := []string{"Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "UTC", "Asia/Kolkata"}
	var all []plan
	for i := range schedules {
		p := plan{hour: rng.Intn(24), minute: 30 * rng.Intn(2), day: always}
		p.s = program.Schedule{Name: fmt.Sprintf("s%04d", i), Zone: zones[i%len(zones)], CatchUp: i%2 == 0}
		days, weekdays := "*", "*"
		switch {
		case i < 15: // at the time of the change, in three zones
			p.hour, p.minute = []int{2, 2, 2, 2, 2}[i%5], 30*(i/5%2)
		case i < schedules*3/100:
		case i < schedules*6/10:
			d := rng.Intn(7)
			weekdays = fmt.Sprint(d)
			p.day = func(t time.Time) bool { return int(t.Weekday()) == d }
		default:
			d := 1 + rng.Intn(31)
			days = fmt.Sprint(d)
			p.day = func(t time.Time) bool { return t.Day() == d }
		}
		p.s.Cron = fmt.Sprintf("%d %d %s * %s", p.minute, p.hour, days, weekdays)
		all = append(all, p)
	}
	return all
}

// TestYear lets schedules fire for a year of a clock that is moved by
// hand. Each half hour of the year, the clocks on the walls are looked at: exactly
// the schedules whose time they show must have fired, once.
func TestYear(t *testing.T) {
	ctx := context.Background()
	st, err := open(t.TempDir(), "synchronous(OFF)")
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	begin := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	end := begin.AddDate(1, 0, 0)
	all := plans()
	for _, p := range all {
		if _, err := st.Apply(ctx, spec(p.s), begin.Add(-time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]bool{}
	zones := map[string]*time.Location{}
	for _, p := range all {
		if zones[p.s.Zone], err = time.LoadLocation(p.s.Zone); err != nil {
			t.Fatal(err)
		}
	}
	for at := begin; at.Before(end); at = at.Add(30 * time.Minute) {
		walls := map[string]time.Time{}
		for name, z := range zones {
			walls[name] = at.In(z)
		}
		for i := range all {
			p := &all[i]
			w := walls[p.s.Zone]
			if h, m, _ := w.Clock(); h == p.hour && m == p.minute && p.day(w) {
				want[p.s.Name+at.Format(" 2006-01-02T15:04Z")] = true
			}
		}
	}
	got := map[string]bool{}
	for now := begin; now.Before(end); {
		next, err := st.Tick(ctx, now)
		if err != nil {
			t.Fatal(err)
		}
		claimed, err := st.Claim(ctx, now)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range claimed {
			key := f.Schedule + f.At.UTC().Format(" 2006-01-02T15:04Z")
			if got[key] {
				t.Errorf("%s has fired twice", key)
			}
			if got[key] = true; !want[key] {
				t.Errorf("%s has fired, and its clock doesn't show that", key)
			}
			if !f.At.Equal(now) {
				t.Errorf("%s has fired at %v", key, now)
			}
		}
		if len(claimed) > 0 { // they succeed at once
			if _, err := st.db.Exec("UPDATE fires SET state = 'SUCCEEDED' WHERE state = 'STARTING'"); err != nil {
				t.Fatal(err)
			}
		}
		if next.IsZero() {
			break
		}
		now = next
	}
	for key := range want {
		if !got[key] {
			t.Errorf("%s was missed", key)
		}
	}
	if len(got) < 30*schedules {
		t.Errorf("only %d fires", len(got))
	}
	t.Logf("%d schedules, %d fires", len(all), len(got))
	for _, c := range []struct {
		name, day string
		want      int
	}{
		{"s0000", "2027-03-28", 0}, {"s0000", "2027-10-31", 2}, {"s0000", "2027-07-01", 1}, // Zurich 02:00
		{"s0001", "2027-03-14", 0}, {"s0001", "2027-07-01", 1}, // New York 02:00
		{"s0002", "2027-10-02", 0}, // Lord Howe 02:00 on 3 October
	} {
		n := 0
		for key := range got {
			if day, err := time.Parse("2006-01-02T15:04Z", key[6:]); err == nil && key[:5] == c.name && day.Format("2006-01-02") == c.day {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%s has fired %d times on %s, not %d", c.name, n, c.day, c.want)
		}
	}
}
