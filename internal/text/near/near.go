// Package near finds the name that was meant by one that nothing has.
package near

import (
	"slices"
	"strings"
)

// Name returns the name that another one may have been meant for, or "": one that
// differs in capitals and underscores, or else in a letter or, of a longer name, two.
func Name(name string, names []string) string {
	best, least := "", 1+min(2, len(name)/4)
	for _, n := range slices.Sorted(slices.Values(names)) {
		if plain(n) == plain(name) {
			return n
		}
		if d := Distance(name, n, least); d < least {
			best, least = n, d
		}
	}
	return best
}

// Longer is [Name], or else a name that begins with the other one or that it begins
// with: priorityClassName for priorityClass.
func Longer(name string, names []string) string {
	if n := Name(name, names); n != "" {
		return n
	}
	begun := ""
	for _, n := range slices.Sorted(slices.Values(names)) {
		switch {
		case len(name) > 3 && strings.HasPrefix(n, name):
			return n
		case len(n) > 3 && strings.HasPrefix(name, n):
			begun = n
		}
	}
	return begun
}

// Hint asks in a message whether the name that [Longer] finds was meant; "" for none.
func Hint(name string, names []string) string {
	if n := Longer(name, names); n != "" {
		return "; did you mean " + n + "?"
	}
	return ""
}

func plain(s string) string { return strings.ReplaceAll(strings.ToLower(s), "_", "") }

// Distance counts the letters to add, drop, change or swap to make b of a, up to most.
func Distance(a, b string, most int) int {
	if d := len(a) - len(b); d >= most || -d >= most || len(a) > 64 || len(b) > 64 {
		return most
	}
	var before, prev []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, prev, row = prev, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			d := prev[j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			row[j] = min(d, prev[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
