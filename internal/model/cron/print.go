package cron

import (
	"strconv"
	"strings"
)

// Format returns the expression with its second in front if seconds is set. Days are
// written out, so that engines that disagree on whether */2 is "any day" (robfig's
// cron 1 says yes, 3 says no) and that don't know Sunday as 7 all read the same.
func (e Expr) Format(seconds bool) string {
	parts := []string{
		e.Second.format(0, 59), e.Minute.format(0, 59), e.Hour.format(0, 23),
		e.Day.format(1, 31), e.Month.format(1, 12), e.Weekday.format(0, 6),
	}
	if e.AnyDay {
		parts[3] = "*"
	} else if parts[3] == "*" {
		parts[3] = "1-31"
	}
	if e.AnyWeekday {
		parts[5] = "*"
	} else if parts[5] == "*" {
		parts[5] = "0-6"
	}
	if !seconds {
		parts = parts[1:]
	}
	return strings.Join(parts, " ")
}

// format returns a set as * or as a list of numbers and ranges, or as steps of all.
func (s Set) format(lo, hi int) string {
	list := s.List()
	if len(list) == hi-lo+1 {
		return "*"
	}
	if lo == 0 && hi > 6 && len(list) > 2 { // minutes and hours: */15
		if step := list[1] - list[0]; list[0] == 0 && step > 1 && len(list) == (hi-lo)/step+1 {
			even := true
			for i, n := range list {
				even = even && n == i*step
			}
			if even {
				return "*/" + strconv.Itoa(step)
			}
		}
	}
	var b strings.Builder
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(list[i]))
		switch {
		case j > i+1:
			b.WriteString("-" + strconv.Itoa(list[j]))
		case j == i+1:
			b.WriteString("," + strconv.Itoa(list[j]))
		}
		i = j + 1
	}
	return b.String()
}
