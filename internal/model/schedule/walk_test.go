package schedule

import (
	"archive/zip"
	"context"
	"hash/maphash"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/cron"
)

// A zoneFile is a zone of the database that comes with Go.
type zoneFile struct {
	name string
	loc  *time.Location
}

// zones returns all zones of the database, those that differ.
func zones(t *testing.T) (all []zoneFile) {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	seed, seen := maphash.MakeSeed(), map[uint64]bool{}
	for _, f := range z.File {
		if f.FileInfo().IsDir() {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		if sum := maphash.Bytes(seed, b); seen[sum] { // another name of one that was
			continue
		} else {
			seen[sum] = true
		}
		loc, err := time.LoadLocationFromTZData(f.Name, b)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		all = append(all, zoneFile{f.Name, loc})
	}
	if len(all) < 300 {
		t.Fatalf("only %d zones", len(all))
	}
	return all
}

func walkOf(t testing.TB, expr string, loc *time.Location) *Times {
	t.Helper()
	e, err := cron.Parse(expr, false)
	if err != nil {
		t.Fatal(err)
	}
	return &Times{zone: loc, cron: &e}
}

// TestAllZones walks through 100 years of each zone. Fire times grow, a walk from
// the end of each year goes on where the one from the start is, and the number of
// fires is that of the calendar.
func TestAllZones(t *testing.T) {
	from, to := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2126, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, z := range zones(t) {
		times := walkOf(t, "30 2 1,31 1,3,10,12 *", z.loc)
		last, n, skipped, twice := from, 0, 0, 0
		for e := range times.Events(t.Context(), from) {
			if !e.At.Before(to) {
				break
			}
			if e.Change == Skipped {
				skipped++
				continue
			}
			if !e.At.After(last) {
				t.Fatalf("%s: %v after %v", z.name, e.At, last)
			}
			if h, m, _ := e.At.In(z.loc).Clock(); h != 2 || m != 30 {
				t.Fatalf("%s: %v isn't 02:30", z.name, e.At)
			}
			if e.Change == Second {
				twice++
			}
			n, last = n+1, e.At
		}
		if want := 100 * 8; n+skipped-twice != want {
			t.Errorf("%s: %d fires, %d skipped and %d twice make no %d", z.name, n, skipped, twice, want)
		}
		for year := 2027; year < 2126; year++ {
			last := time.Date(year, 12, 31, 0, 0, 0, 0, time.UTC)
			for _, at := range []time.Time{last, last.Add(11 * time.Hour), last.Add(24*time.Hour - time.Second)} {
				next, err := times.Next(t.Context(), at)
				if err != nil || !next.After(at) || next.Sub(at) > 33*24*time.Hour {
					t.Fatalf("%s: after %v comes %v: %v", z.name, at, next, err)
				}
			}
		}
	}
}

// TestMinutes compares walks with a clock that is looked at each minute, around
// changes of the clocks and the ends of years within and beyond the tables of zones.
func TestMinutes(t *testing.T) {
	crons := []string{"30 2 * * *", "*/20 0-3,23 * * *", "15 1 * * 0"}
	for _, z := range zones(t) {
		var windows []time.Time
		for _, year := range []int{2027, 2037, 2038, 2040, 2044, 2100} {
			first := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
			for _, at := range changes(z.loc, first, first.AddDate(1, 0, 0)) {
				windows = append(windows, at.Add(-4*time.Hour))
			}
			windows = append(windows, first.AddDate(1, 0, -1).Add(-3*time.Hour), first.AddDate(1, 0, 0).Add(-4*time.Hour))
		}
		all := make([]*Times, len(crons))
		for i, expr := range crons {
			all[i] = walkOf(t, expr, z.loc)
		}
		for _, begin := range windows {
			want := make([]string, len(crons))
			end := begin.Add(8 * time.Hour)
			for at := begin.Add(time.Minute); !at.After(end); at = at.Add(time.Minute) {
				in := at.In(z.loc)
				h, m, _ := in.Clock()
				for i, times := range all {
					if e := times.cron; e.Minute.Has(m) && e.Hour.Has(h) && (e.AnyWeekday || e.Weekday.Has(int(in.Weekday()))) {
						want[i] += in.Format(" " + time.RFC3339)
					}
				}
			}
			for i, times := range all {
				got := ""
				for e := range times.Events(t.Context(), begin) {
					if e.At.After(end) {
						break
					}
					if e.Change != Skipped {
						got += e.At.Format(" " + time.RFC3339)
					}
				}
				if got != want[i] {
					t.Fatalf("%s in %s from %v:\n%s\nwant\n%s", crons[i], z.name, begin, got, want[i])
				}
			}
		}
	}
}

// TestWalkEnds: a walk ends with its context, when nothing fires, and with the years
// that can be written. A number in each row says how many fires there may be.
func TestWalkEnds(t *testing.T) {
	zurich, err := Zone("Europe/Zurich")
	if err != nil {
		t.Fatal(err)
	}
	never := &cron.Expr{Second: 1, Minute: 1, Hour: 1, Day: 1 << 30, Month: 1 << 2, Weekday: 127, AnyWeekday: true} // 30 February
	late := time.Date(9990, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		times    *Times
		after    time.Time
		min, max int
	}{
		"30 February":         {&Times{zone: zurich, cron: never}, late.AddDate(-5000, 0, 0), 0, 0},
		"leap days to 9999":   {walkOf(t, "0 3 29 2 *", zurich), late.AddDate(-400, 0, 0), 90, 110},
		"years to 9999":       {walkOf(t, "0 3 1 1 *", zurich), late, 9, 10},
		"after 9999":          {walkOf(t, "0 3 1 1 *", zurich), late.AddDate(100, 0, 0), 0, 0},
		"an interval of ages": {&Times{zone: time.UTC, every: 1 << 62 / time.Second * time.Second}, late.AddDate(-9000, 0, 0), 10, 100},
		"from year 1":         {&Times{zone: time.UTC, every: 30 * 24 * time.Hour}, late, 100, 130},
	} {
		n := 0
		for e := range c.times.Events(t.Context(), c.after) {
			if !e.At.After(c.after) {
				t.Fatalf("%s: %v is not after %v", name, e.At, c.after)
			}
			n++
		}
		if n < c.min || n > c.max {
			t.Errorf("%s: %d fires, want %d to %d", name, n, c.min, c.max)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for range walkOf(t, "* * * * *", zurich).Events(ctx, late) {
		if n++; n == 3 {
			cancel()
		}
	}
	if n != 3 {
		t.Errorf("%d fires after the context ended at 3", n)
	}
	if at, err := walkOf(t, "* * * * *", zurich).Next(ctx, late); err == nil || !at.IsZero() {
		t.Errorf("a context that has ended: %v, %v", at, err)
	}
}

// FuzzTimes: whatever cron, zone and time, a walk ends, goes forward, and fires only
// when the clock of the zone shows what the cron says.
func FuzzTimes(f *testing.F) {
	f.Add("0 3 29 2 *", "Europe/Zurich", int64(1795824000))
	f.Add("0 3 * * *", "America/New_York", int64(2240265600))
	f.Add("30 2 * * *", "Australia/Lord_Howe", int64(2240611200))
	f.Add("*/7 1-3 * * SUN", "Africa/Cairo", int64(4102444800))
	f.Add("0 0 31 12 *", "Pacific/Apia", int64(-1<<40))
	f.Fuzz(func(t *testing.T, expr, zone string, sec int64) {
		e, err := cron.Parse(expr, len(strings.Fields(expr)) == 6)
		if err != nil {
			return
		}
		loc, err := Zone(zone)
		if err != nil {
			return
		}
		from := time.Unix(sec%(1<<38), 0) // some thousand years either way
		last, n := from, 0
		for ev := range (&Times{zone: loc, cron: &e}).Events(t.Context(), from) {
			if n++; n > 40 {
				break
			}
			if ev.Change == Skipped {
				continue
			}
			if !ev.At.After(last) {
				t.Fatalf("%v after %v", ev.At, last)
			}
			if w := wall(ev.At, loc); !e.Next(w).Equal(w) || !w.Equal(ev.Wall) {
				t.Fatalf("%v fires, whose clock shows %v", ev.At, w)
			}
			last = ev.At
		}
	})
}
