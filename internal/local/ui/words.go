package ui

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/kfpgo/kfpgo/internal/local/report"
)

func sortValues(all []report.Value) {
	slices.SortFunc(all, func(a, b report.Value) int { return cmp.Compare(a.Name, b.Name) })
}

// in says how soon something is.
func in(d time.Duration) string {
	n := func(n int, what string) string {
		if n != 1 {
			what += "s"
		}
		return fmt.Sprintf("in %d %s", n, what)
	}
	switch {
	case d < time.Minute:
		return n(max(int(d.Seconds()), 1), "second")
	case d < time.Hour:
		return n(int(d.Minutes()), "minute")
	case d < 48*time.Hour:
		return n(int(d.Hours()), "hour")
	}
	return n(int(d.Hours()/24), "day")
}
