package schedule

import (
	"fmt"
	"time"
	_ "time/tzdata" // so that zones are known on any machine
)

// Zone returns a time zone by its name; no name is UTC.
func Zone(name string) (*time.Location, error) {
	if name == "Local" {
		return nil, fmt.Errorf("zone Local is another one on each machine; use a name such as Europe/Zurich")
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("%v; use a name such as Europe/Zurich", err)
	}
	return loc, nil
}

// offset returns the seconds east of UTC at a time.
func offset(t time.Time, loc *time.Location) int {
	_, off := t.In(loc).Zone()
	return off
}

// changes returns the times in [from, to) at which the clocks of a zone are changed.
func changes(loc *time.Location, from, to time.Time) (all []time.Time) {
	for t := from; ; {
		_, end := t.In(loc).ZoneBounds()
		if end.IsZero() || !end.Before(to) {
			return all
		}
		if offset(end, loc) != offset(end.Add(-time.Second), loc) {
			all = append(all, end)
		}
		t = end
	}
}
