package emit

import (
	"github.com/kfpgo/kfpgo/internal/model/graph"
)

// Split takes an error of package lower or of a back end apart: the mistakes
// that have a line of the author's code, and what else there is.
func Split(err error) (mistakes []*graph.Error, rest []error) {
	switch err := err.(type) {
	case nil:
	case *graph.Error:
		mistakes = append(mistakes, err)
	case graph.Errors:
		mistakes = err
	case interface{ Unwrap() []error }:
		for _, e := range err.Unwrap() {
			m, r := Split(e)
			mistakes, rest = append(mistakes, m...), append(rest, r...)
		}
	default:
		rest = append(rest, err)
	}
	return mistakes, rest
}
