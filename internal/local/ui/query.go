package ui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// A query says which runs, in which order.
type query struct {
	Text, Pipeline, Sort string
	State                run.State
	Page                 int
}

// The orders of a list.
var orders = []struct{ Name, Label string }{
	{"new", "newest first"}, {"old", "oldest first"}, {"long", "longest first"}, {"short", "shortest first"}, {"name", "by pipeline"}, {"state", "by state"},
}

// choose returns the runs that a query is about, in its order.
func (q query) choose(all []*records.Summary, now time.Time) []*records.Summary {
	text := strings.ToLower(strings.TrimSpace(q.Text))
	var found []*records.Summary
	for _, s := range all {
		if q.Pipeline != "" && s.Pipeline != q.Pipeline || q.State != "" && s.State != q.State || text != "" && !s.Has(text) {
			continue
		}
		found = append(found, s)
	}
	newest := records.Newest
	order := map[string]func(a, b *records.Summary) int{
		"old":   func(a, b *records.Summary) int { return newest(b, a) },
		"long":  func(a, b *records.Summary) int { return cmp.Or(cmp.Compare(b.Took(now), a.Took(now)), newest(a, b)) },
		"short": func(a, b *records.Summary) int { return cmp.Or(cmp.Compare(a.Took(now), b.Took(now)), newest(a, b)) },
		"name":  func(a, b *records.Summary) int { return cmp.Or(cmp.Compare(a.Pipeline, b.Pipeline), newest(a, b)) },
		"state": func(a, b *records.Summary) int { return cmp.Or(cmp.Compare(a.State, b.State), newest(a, b)) },
	}[q.Sort]
	if order == nil {
		order = newest
	}
	slices.SortFunc(found, order)
	return found
}
