package main

import (
	"strings"
	"testing"
	"time"
)

// TestReport prints the times and how they compare, and says what is too slow.
func TestReport(t *testing.T) {
	ms := func(n int) cost { return cost{time: time.Duration(n) * time.Millisecond} }
	for _, test := range []struct {
		python string
		rows   []row
		want   string
		err    string
	}{
		{"python", []row{{10, ms(1400), ms(15), ms(700), ms(7), cost{}, ms(650)}, {1000, ms(17000), ms(80), ms(800), ms(50), cost{}, ms(700)}}, "" +
			"   tasks   kfp (Python)   kfpgo compile   faster   built program   faster   after an edit   go build\n" +
			"      10         1.40 s         15.0 ms      93x          7.0 ms     200x        700.0 ms   650.0 ms\n" +
			"    1000        17.00 s         80.0 ms     212x         50.0 ms     340x        800.0 ms   700.0 ms\n", ""},
		{"python", []row{{100, ms(1000), ms(60), ms(700), ms(11), cost{}, ms(600)}, {1000, ms(17000), ms(90), ms(800), ms(50), cost{}, ms(600)}}, "100         1.00 s         60.0 ms      17x",
			"too slow:\n100 tasks: kfpgo compile is 17 times as fast as Python, want 20\n" +
				"100 tasks: a built program is 91 times as fast as Python, want 100\n" +
				"1000 tasks: kfpgo compile is 189 times as fast as Python, want 200"},
		{"", []row{{10, cost{}, ms(15), ms(700), ms(7), cost{}, ms(660)}}, "KFP_PYTHON names no Python with kfp", ""},
		{"", []row{{10, cost{}, ms(15), ms(721), ms(7), cost{}, ms(660)}}, "", "too slow:\n10 tasks: after an edit, kfpgo compile takes 61.0 ms longer than go build, want at most 60.0 ms"},
	} {
		var out strings.Builder
		err := (&comparison{python: test.python, check: true, out: &out}).report(test.rows)
		if got := out.String(); !strings.Contains(got, test.want) {
			t.Errorf("got\n%s\nwant\n%s", got, test.want)
		}
		if err == nil && test.err != "" || err != nil && err.Error() != test.err {
			t.Errorf("got %v, want %s", err, test.err)
		}
	}
}

// TestReportStarts says which programs are too slow to start, and fails where it should.
func TestReportStarts(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	all := []start{{name: "nothing", most: 1}, {name: "a step", most: 4}, {name: "kfpgo", most: 15}}
	for _, test := range []struct {
		check bool
		best  []time.Duration
		want  string
		err   string
	}{
		{true, []time.Duration{ms(1), ms(4), ms(15)}, "a step 4.0 ms 4.0 4 kfpgo", ""},
		{true, []time.Duration{ms(2), ms(9), ms(20)}, "a step 9.0 ms 4.5 4 kfpgo 20.0 ms 10.0 15", "slow to start:\na step takes 4.5 times as long as a program that does nothing, want at most 4"},
		{false, []time.Duration{ms(1), ms(1), ms(16)}, "Slower to start than wanted: kfpgo takes 16.0 times as long", ""},
	} {
		var out strings.Builder
		err := (&comparison{check: test.check, out: &out}).reportStarts(all, test.best)
		if got := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(got, test.want) {
			t.Errorf("got\n%s\nwant\n%s", got, test.want)
		}
		if err == nil && test.err != "" || err != nil && err.Error() != test.err {
			t.Errorf("got %v, want %s", err, test.err)
		}
	}
}
