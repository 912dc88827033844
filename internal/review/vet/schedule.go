package vet

import (
	"fmt"
	"math/bits"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/cron"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

// schedules finds fire times that surprise. Findings about clocks are those
// within a year.
func (v *vetter) schedules() {
	for _, s := range v.p.Schedules {
		say := func(format string, args ...any) {
			v.find(Warning, "schedule", "", graph.Pos{}, "schedule %s: %s", s.Name, fmt.Sprintf(format, args...))
		}
		if legacy(s.Zone) {
			say("%s is an old abbreviation, and some systems have no data for it; name a place, such as Europe/Zurich", s.Zone)
		}
		for _, w := range schedule.Warnings(s, time.Now()) {
			v.find(Warning, "schedule", "", graph.Pos{}, "%s", w)
		}
		if e, err := cron.Parse(s.Cron, s.Seconds); s.Every == 0 && err == nil {
			traps(s, e, say)
		}
	}
}

// traps finds what a cron expression says and its author is unlikely to mean.
func traps(s *program.Schedule, e cron.Expr, say func(string, ...any)) {
	fields := strings.Fields(s.Cron)
	if s.Seconds && len(fields) > 0 {
		fields = fields[1:]
	}
	if len(fields) != 5 {
		return
	}
	minutes, hours := bits.OnesCount64(uint64(e.Minute)), bits.OnesCount64(uint64(e.Hour))
	if minutes == 60 && hours < 24 {
		say("%s runs every minute of those hours, %d times a day; 0 as the minute is once an hour", s.Cron, 60*hours)
	}
	day, weekday := fields[2], fields[4]
	if !strings.HasPrefix(day, "*") && day != "?" && !strings.HasPrefix(weekday, "*") && weekday != "?" {
		say("%s runs on each of these days of the month and on each of these days of the week too, not only where both hold", s.Cron)
	}
	for i, of := range []struct {
		name string
		size int
	}{{"minutes", 60}, {"hours", 24}} {
		var step int
		if n, err := fmt.Sscanf(fields[i], "*/%d", &step); n == 1 && err == nil && step > 0 && of.size%step != 0 && !strings.Contains(fields[i], ",") {
			last := (of.size - 1) / step * step
			say("%s counts its %s anew from 0, so that after %d come %d %s and not %d; take a divisor of %d, or Every", s.Cron, of.name, last, of.size-last, of.name, step, of.size)
		}
	}
}

// legacy reports whether a time zone is one of those that are kept for old
// systems only.
func legacy(zone string) bool {
	switch zone {
	case "", "UTC", "Local":
		return false
	}
	area, _, named := strings.Cut(zone, "/")
	return !named || area == "US" || area == "Canada" || area == "SystemV"
}
