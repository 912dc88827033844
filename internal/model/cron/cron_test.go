package cron

import (
	"math/rand"
	"strings"
	"testing"
	"time"

	robfig3 "github.com/robfig/cron/v3"
)

func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		expr    string
		seconds bool
		want    string
	}{
		{"0 3 30 2 *", false, "never fires: day 30 is in none of its months"},
		{"0 3 31 4,6,9,11 *", false, "never fires: day 31"},
		{"0 0 3 * * *", false, "has six fields"},
		{"0 3 * *", false, "has 4 fields, not 5, from the minute to the day of week"},
		{"0 3 * * *", true, "has 5 fields, not 6, from the second"},
		{"60 3 * * *", false, `minute "60": not from 0 to 59`},
		{"0 3 0 * *", false, `day of month "0": not from 1 to 31`},
		{"0 3 * * 8", false, `day of week "8": not from 0 to 7`},
		{"5-3 3 * * *", false, "runs backwards"},
		{"*/0 3 * * *", false, "bad step"},
		{"@every 5m", false, "is an interval"},
		{"@fortnightly", false, "not one of @hourly"},
		{"TZ=UTC 0 3 * * *", false, "has a zone in it"},
		{"", false, "has 0 fields"},
		{"0 L * * *", false, `hour "L"`},
	} {
		if _, err := Parse(c.expr, c.seconds); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.expr, err, c.want)
		}
	}
}

// TestFormat: what is printed reads as the same again, and is what every engine takes.
func TestFormat(t *testing.T) {
	for expr, want := range map[string]string{
		"10 10 * * *":        "10 10 * * *",
		"*/15 9-17 * * 1-5":  "*/15 9-17 * * 1-5",
		"0 3 * * 7":          "0 3 * * 0",
		"0 3 * * 5-7":        "0 3 * * 0,5,6",
		"0 3 */2 * MON":      "0 3 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31 * 1",
		"0 3 1 JAN,jul ?":    "0 3 1 1,7 *",
		"5/20 * * * *":       "5,25,45 * * * *",
		"0 0 1-31 * 1":       "0 0 1-31 * 1",
		"@daily":             "0 0 * * *",
		"0 12 13 * 5":        "0 12 13 * 5",
		"0,10,20,30 * * * *": "0,10,20,30 * * * *",
	} {
		e, err := Parse(expr, false)
		if err != nil {
			t.Error(err)
			continue
		}
		got := e.Format(false)
		if got != want {
			t.Errorf("%q is printed as %q, not %q", expr, got, want)
		}
		if again, err := Parse(got, false); err != nil || again != e {
			t.Errorf("%q is read again as %+v, not %+v: %v", got, again, e, err)
		}
		if six := e.Format(true); six != "0 "+got {
			t.Errorf("%q with seconds is %q", expr, six)
		}
	}
}

// TestNext compares fire times with robfig's, which Argo goes by, where no clock is changed.
func TestNext(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	list := func(lo, hi int) string {
		var b strings.Builder
		for i := range 1 + rng.Intn(3) {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(Set(1<<(lo+rng.Intn(hi-lo+1))).format(lo, hi))
		}
		return b.String()
	}
	parser := robfig3.NewParser(robfig3.Second | robfig3.Minute | robfig3.Hour | robfig3.Dom | robfig3.Month | robfig3.Dow)
	for range 300 {
		parts := []string{list(0, 59), list(0, 59), list(0, 23), list(1, 28), list(1, 12), list(0, 6)}
		for i := range parts {
			switch rng.Intn(4) {
			case 0:
				parts[i] = "*"
			case 1:
				parts[i] = "*/" + []string{"2", "3", "5"}[rng.Intn(3)]
			}
		}
		text := strings.Join(parts, " ")
		ours, err := Parse(text, true)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := parser.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		at := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(rng.Intn(1e8)) * time.Second)
		for range 50 {
			a, b := ours.Next(at.Add(time.Second)), theirs.Next(at)
			if !a.Equal(b) && !(b.IsZero() && a.Sub(at) > 4*365*24*time.Hour) {
				t.Fatalf("%q after %v: %v, robfig says %v", text, at, a, b)
			}
			if b.IsZero() {
				break
			}
			at = a
		}
	}
}
