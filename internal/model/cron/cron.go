// Package cron reads cron expressions of five fields, minute first, or of six with
// the second in front.
//
// A day matches if it is in both the day of month and the day of week, where one
// of the two is *, and else if it is in either, as in every cron.
package cron

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A field is a field of a cron expression.
type field struct {
	name     string
	min, max int
	names    string // of the values, from min up
}

var fields = []field{
	{"second", 0, 59, ""},
	{"minute", 0, 59, ""},
	{"hour", 0, 23, ""},
	{"day of month", 1, 31, ""},
	{"month", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"},
	{"day of week", 0, 7, "SUN MON TUE WED THU FRI SAT"},
}

// descriptors are the names of common expressions.
var descriptors = map[string]string{
	"@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
	"@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
}

// A Set is the values of a field: bit n is value n.
type Set uint64

// Has reports whether a value is in the set.
func (s Set) Has(n int) bool { return s>>uint(n)&1 == 1 }

// List returns the values, the smallest first.
func (s Set) List() (list []int) {
	for n := range 64 {
		if s.Has(n) {
			list = append(list, n)
		}
	}
	return list
}

// An Expr is a cron expression.
type Expr struct {
	Second, Minute, Hour, Day, Month, Weekday Set // Sunday is 0

	AnyDay, AnyWeekday bool // the field is *
}

// The sets of all values.
const (
	AllMinutes Set = 1<<60 - 1
	AllHours   Set = 1<<24 - 1
	AllDays    Set = 1<<32 - 2
	AllMonths  Set = 1<<13 - 2
)

// Parse reads an expression. One that never comes is an error too.
func Parse(expr string, seconds bool) (Expr, error) {
	e := Expr{}
	parts := strings.Fields(expr)
	wanted := fields[1:]
	if seconds {
		wanted = fields
	}
	if len(parts) > 0 && strings.HasPrefix(parts[0], "@") {
		full, ok := descriptors[strings.ToLower(parts[0])]
		switch {
		case parts[0] == "@every":
			return e, fmt.Errorf("cron %q is an interval; give it as one, not as a cron", expr)
		case !ok || len(parts) > 1:
			return e, fmt.Errorf("cron %q is not one of @hourly, @daily, @weekly, @monthly or @yearly", expr)
		}
		if parts = strings.Fields(full); seconds {
			parts = append([]string{"0"}, parts...)
		}
	}
	for i, p := range parts {
		if name, _, ok := strings.Cut(p, "="); ok && i == 0 && (name == "TZ" || name == "CRON_TZ") {
			return e, fmt.Errorf("cron %q has a zone in it; give the zone on its own", expr)
		}
	}
	switch {
	case len(parts) == 6 && !seconds:
		return e, fmt.Errorf("cron %q has six fields; the first of five is the minute; set Seconds if it starts with the second", expr)
	case len(parts) != len(wanted):
		return e, fmt.Errorf("cron %q has %d fields, not %d, from the %s to the day of week", expr, len(parts), len(wanted), wanted[0].name)
	}
	if !seconds {
		parts = append([]string{"0"}, parts...)
	}
	var errs []error
	sets := make([]Set, len(fields))
	for i, f := range fields {
		set, err := f.parse(parts[i])
		if err != nil {
			errs = append(errs, fmt.Errorf("cron %q: %w", expr, err))
		}
		sets[i] = set
	}
	if err := errors.Join(errs...); err != nil {
		return e, err
	}
	if sets[5].Has(7) {
		sets[5] = sets[5]&^(1<<7) | 1
	}
	e = Expr{sets[0], sets[1], sets[2], sets[3], sets[4], sets[5], every(parts[3]), every(parts[5])}
	return e, e.comes(expr)
}

func every(part string) bool { return part == "*" || part == "?" || part == "*/1" || part == "?/1" }

// comes reports an error if no day of any year matches.
func (e Expr) comes(expr string) error {
	if !e.AnyWeekday {
		return nil
	}
	longest := 0
	for _, m := range e.Month.List() {
		longest = max(longest, []int{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[m-1])
	}
	if first := e.Day.List()[0]; first > longest {
		return fmt.Errorf("cron %q never fires: day %d is in none of its months", expr, first)
	}
	return nil
}

// parse returns the values that a field lists: 1,2 1-5 */15 MON-FRI.
func (f field) parse(text string) (set Set, err error) {
	for _, item := range strings.Split(text, ",") {
		span, stepText, stepped := strings.Cut(item, "/")
		lo, hi, step := f.min, f.max, 1
		if stepped {
			if step, err = strconv.Atoi(stepText); err != nil || step < 1 {
				return 0, fmt.Errorf("%s %q: bad step", f.name, item)
			}
		}
		if f.name == "day of week" {
			hi = 6 // 7 is Sunday again, and no day of its own to count to
		}
		if span != "*" && span != "?" {
			from, to, ranged := strings.Cut(span, "-")
			if lo, err = f.number(from); err != nil {
				return 0, err
			}
			if ranged {
				if hi, err = f.number(to); err != nil {
					return 0, err
				}
			} else if !stepped {
				hi = lo
			}
			if hi < lo {
				return 0, fmt.Errorf("%s %q: the range runs backwards", f.name, item)
			}
		}
		for v := lo; v <= hi; v += step {
			set |= 1 << v
		}
	}
	return set, nil
}

func (f field) number(text string) (int, error) {
	if i := slices.Index(strings.Fields(f.names), strings.ToUpper(text)); i >= 0 {
		return f.min + i, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < f.min || n > f.max {
		return 0, fmt.Errorf("%s %q: not from %d to %d", f.name, text, f.min, f.max)
	}
	return n, nil
}
