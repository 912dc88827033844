package params

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/graph"
)

// wanted says in words what a value of a type looks like.
func wanted(t graph.Type) string {
	if t.Artifact {
		return "the URI of a " + t.Name
	}
	switch t.Name {
	case "STRING":
		if t.Go == "time.Time" {
			return "a time such as 2026-01-31T03:00:00Z"
		}
		return "a string"
	case "BOOLEAN":
		return "true or false"
	case "NUMBER_INTEGER":
		return "an integer (" + typeName(t) + ")"
	case "NUMBER_DOUBLE":
		return "a number (" + typeName(t) + ")"
	case "LIST":
		return "a JSON list (" + typeName(t) + ")"
	case "STRUCT":
		return "a JSON object (" + typeName(t) + ")"
	}
	return "a " + t.Name
}

func typeName(t graph.Type) string {
	if t.Go != "" {
		return t.Go
	}
	return t.Name
}

// placeholder is an example of a value.
func placeholder(t graph.Type) string {
	switch t.Name {
	case "BOOLEAN":
		return "true"
	case "NUMBER_INTEGER":
		return "1"
	case "NUMBER_DOUBLE":
		return "1.5"
	case "LIST":
		return "'[...]'"
	case "STRUCT":
		return "'{...}'"
	}
	return "..."
}

// nearest returns the name that is meant, if one is close enough to what was typed.
func nearest(typed string, names []string) string {
	best, least := "", 3
	for _, name := range names {
		d := distance(strings.ToLower(typed), strings.ToLower(name))
		if d < least && d*2 < max(len(name), 2) {
			best, least = name, d
		}
	}
	return best
}

// distance counts the insertions, deletions, changes and swaps of neighbours
// that lead from one word to the other.
func distance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := d[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			d[i][j] = min(change, d[i-1][j]+1, d[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
