package cron

import "time"

// Next returns the first time of the calendar at or after t that matches, in UTC,
// which stands for any clock that is never changed. The zero time means that there is no such time within
// 40 years.
func (e Expr) Next(t time.Time) time.Time {
	t = t.UTC()
	if whole := t.Truncate(time.Second); whole.Before(t) {
		t = whole.Add(time.Second)
	}
	y, mo, d := t.Date()
	h, mi, s := t.Clock()
	for last := y + 40; y <= last; {
		if !e.Month.Has(int(mo)) {
			mo, d, h, mi, s = mo+1, 1, 0, 0, 0
			if mo > 12 {
				y, mo = y+1, 1
			}
			continue
		}
		if d > daysIn(y, mo) {
			mo, d, h, mi, s = mo+1, 1, 0, 0, 0
			if mo > 12 {
				y, mo = y+1, 1
			}
			continue
		}
		if !e.day(y, mo, d) {
			d, h, mi, s = d+1, 0, 0, 0
			continue
		}
		if nh := e.Hour.from(h); nh != h {
			h, mi, s = nh, 0, 0
		}
		if h < 0 {
			d, h, mi, s = d+1, 0, 0, 0
			continue
		}
		if nm := e.Minute.from(mi); nm != mi {
			mi, s = nm, 0
		}
		if mi < 0 {
			if h, mi, s = h+1, 0, 0; h > 23 {
				d, h = d+1, 0
			}
			continue
		}
		if s = e.Second.from(s); s < 0 {
			if mi, s = mi+1, 0; mi > 59 {
				if h, mi = h+1, 0; h > 23 {
					d, h = d+1, 0
				}
			}
			continue
		}
		return time.Date(y, mo, d, h, mi, s, 0, time.UTC)
	}
	return time.Time{}
}

// from returns the first value from n on, or -1.
func (s Set) from(n int) int {
	for ; n < 64; n++ {
		if s.Has(n) {
			return n
		}
	}
	return -1
}

func (e Expr) day(y int, m time.Month, d int) bool {
	inMonth := e.Day.Has(d)
	inWeek := e.Weekday.Has(int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Weekday()))
	if e.AnyDay || e.AnyWeekday {
		return inMonth && inWeek
	}
	return inMonth || inWeek
}

func daysIn(y int, m time.Month) int { return time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC).Day() }
