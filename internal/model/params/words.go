package params

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/text/near"
)

// wanted says in words what a value of a type looks like.
func wanted(t graph.Type) string {
	if t.Artifact {
		return "the URI of a " + t.Name
	}
	switch t.Name {
	case kfptype.String:
		if t.Go == "time.Time" {
			return "a time such as 2026-01-31T03:00:00Z, or a date such as 2026-01-31"
		}
		return "a string"
	case kfptype.Boolean:
		return "true or false"
	case kfptype.Integer:
		return "an integer (" + typeName(t) + ")"
	case kfptype.Double:
		return "a number (" + typeName(t) + ")"
	case kfptype.List:
		return "a JSON list (" + typeName(t) + ")"
	case kfptype.Struct:
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
	case kfptype.Boolean:
		return "true"
	case kfptype.Integer:
		return "1"
	case kfptype.Double:
		return "1.5"
	case kfptype.List:
		return "'[...]'"
	case kfptype.Struct:
		return "'{...}'"
	}
	return "..."
}

// nearest returns the closest name, if one is similar enough.
func nearest(typed string, names []string) string {
	best, least := "", 3
	for _, name := range names {
		d := near.Distance(strings.ToLower(typed), strings.ToLower(name), least)
		if d < least && d*2 < max(len(name), 2) {
			best, least = name, d
		}
	}
	return best
}
