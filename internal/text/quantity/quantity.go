// Package quantity reads quantities of Kubernetes, such as 500m and 1.5Gi. It takes
// what Kubernetes takes and gives the same values, without its packages: the
// language links the standard library only. A test compares it with Kubernetes' own.
package quantity

import (
	"strconv"
	"strings"
)

// A Quantity is a number with a unit.
type Quantity struct {
	negative    bool
	whole, frac string // the digits before and after the dot, without zeros in front
	unit
}

// A unit is a power of 10, or of 2.
type unit struct{ base, exp int32 }

// units are all that Kubernetes knows. There is no K.
var units = map[string]unit{
	"n": {10, -9}, "u": {10, -6}, "m": {10, -3}, "": {10, 0}, "k": {10, 3}, "M": {10, 6}, "G": {10, 9}, "T": {10, 12}, "P": {10, 15}, "E": {10, 18},
	"Ki": {2, 10}, "Mi": {2, 20}, "Gi": {2, 30}, "Ti": {2, 40}, "Pi": {2, 50}, "Ei": {2, 60},
}

// Parse reads a quantity. The error has the given string, and a suggestion.
func Parse(text string) (Quantity, error) {
	q, ok := parse(text)
	if !ok {
		return Quantity{}, refusal(text)
	}
	return q, nil
}

func parse(text string) (q Quantity, ok bool) {
	if text == "" {
		return q, false
	}
	rest := text
	if rest[0] == '-' || rest[0] == '+' {
		q.negative, rest = rest[0] == '-', rest[1:]
	}
	q.whole, rest = digits(rest)
	if after, dot := strings.CutPrefix(rest, "."); dot {
		q.frac, rest = digits(after)
	}
	if q.unit, ok = readUnit(rest); !ok {
		return q, false
	}
	none := q.whole == "" && q.frac == ""
	if q.whole = strings.TrimLeft(q.whole, "0"); q.whole == "" {
		q.whole = "0"
	}
	// Kubernetes takes a unit alone, such as Ki, for 0, but not where it calculates
	// with numbers of any size, as for Ei.
	_, _, small := q.small()
	return q, !none || small
}

// digits splits a string after its digits.
func digits(text string) (number, rest string) {
	rest = strings.TrimLeft(text, "0123456789")
	return text[:len(text)-len(rest)], rest
}

// readUnit reads a suffix, or an exponent such as e3, of which Kubernetes keeps 32 bits.
func readUnit(text string) (unit, bool) {
	if u, ok := units[text]; ok {
		return u, true
	}
	if text[0] != 'e' && text[0] != 'E' {
		return unit{}, false
	}
	n, err := strconv.ParseInt(text[1:], 10, 64)
	return unit{10, int32(n)}, err == nil
}

// Sign is -1, 0 or 1.
func (q Quantity) Sign() int {
	switch {
	case strings.Trim(q.whole+q.frac, "0") == "":
		return 0
	case q.negative:
		return -1
	}
	return 1
}
