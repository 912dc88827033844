// Package freename finds a name that nothing has yet.
package freename

import "strconv"

// Of returns a name, or where that is taken the first free one of those with a number
// from 2 behind it, such as train-2.
func Of(name string, taken func(string) bool) string { return free(name, "-", taken) }

// Take is Of for names of a set, to which it adds the one that it returns.
func Take(set map[string]bool, name string) string { return TakeWith(set, name, "-") }

// TakeWith is Take with what stands before the number.
func TakeWith(set map[string]bool, name, sep string) string {
	got := free(name, sep, func(s string) bool { return set[s] })
	set[got] = true
	return got
}

func free(name, sep string, taken func(string) bool) string {
	got := name
	for n := 2; taken(got); n++ {
		got = name + sep + strconv.Itoa(n)
	}
	return got
}
