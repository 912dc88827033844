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

// Time reads a time: RFC 3339, or a day or a time without an offset in a zone.
func Time(text, zone string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	loc, err := Zone(zone)
	if err != nil {
		return time.Time{}, err
	}
	for _, layout := range []string{"2006-01-02", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
		if t, err := time.ParseInLocation(layout, text, loc); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time; give it as 2027-03-27, 2027-03-27T12:00 or 2027-03-27T12:00:00Z", text)
}

// offset returns the seconds east of UTC at a time.
func offset(t time.Time, loc *time.Location) int {
	_, off := t.In(loc).Zone()
	return off
}

// bounds returns the time in which a zone's offset stays as it is at a time. The end
// is after that time, or zero: never. It may come before a change of the clocks.
//
// In the years after the table of a zone, ZoneBounds takes each year for one of 365
// days. So on the last day of a leap year the end that it returns has passed.
func bounds(t time.Time) (start, end time.Time) {
	start, end = t.ZoneBounds()
	if !end.IsZero() && !end.After(t) {
		const day = 24 * 60 * 60
		end = time.Unix((t.Unix()/day+1)*day, 0).In(t.Location())
	}
	return start, end
}

// changes returns the times in [from, to) at which the clocks of a zone are changed.
func changes(loc *time.Location, from, to time.Time) (all []time.Time) {
	for t := from; ; {
		_, end := bounds(t.In(loc))
		if end.IsZero() || !end.Before(to) {
			return all
		}
		if offset(end, loc) != offset(end.Add(-time.Second), loc) {
			all = append(all, end)
		}
		t = end
	}
}
