// Package paging follows the tokens by which servers give lists in pages, so that each
// list ends.
package paging

import (
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"strconv"
)

// maxPages is how many pages a list may have.
const maxPages = 100_000

// A Trail is the way through the pages of one list. The zero Trail is at the first page.
type Trail struct {
	seen map[[sha256.Size]byte]bool
}

// An Error says that a list doesn't end, or that there is no time for the rest of it.
type Error struct{ error }

// Unwrap returns what is below.
func (e *Error) Unwrap() error { return e.error }

// All returns what is on all pages of a list from the one of a token on. Page reads one,
// and returns the token of the next. It ends after the first error.
func All[T any](ctx context.Context, token string, page func(ctx context.Context, token string) (list []T, next string, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		trail, at := Trail{}, token
		for {
			list, next, err := page(ctx, at)
			if err == nil {
				for _, v := range list {
					if !yield(v, nil) {
						return
					}
				}
				if at = next; next == "" {
					return
				}
				if err = trail.Follow(ctx, next); err != nil {
					err = &Error{err}
				}
			}
			if err != nil {
				var none T
				yield(none, err)
				return
			}
		}
	}
}

// Cut returns a page of a list that its keeper gives whole, and the token of the next one.
// A size of zero is the usual one, 20.
func Cut[T any](all []T, size int, token string) (page []T, next string, err error) {
	if size <= 0 {
		size = 20
	}
	first, err := strconv.Atoi(token)
	if token != "" && (err != nil || first < 0) {
		return nil, "", fmt.Errorf("%q names no page", token)
	}
	if first+size < len(all) {
		next = strconv.Itoa(first + size)
	}
	return all[min(first, len(all)):min(first+size, len(all))], next, nil
}

// Follow is called with the token of the next page. It returns an error if the server
// has given that token before, if there are too many pages, and if the context is over.
func (t *Trail) Follow(ctx context.Context, token string) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if t.seen == nil {
		t.seen = map[[sha256.Size]byte]bool{}
	}
	sum := sha256.Sum256([]byte(token))
	switch {
	case t.seen[sum]:
		return fmt.Errorf("the list doesn't end: the server names the page %.60q again, after %d others; it or a proxy before it is at fault", token, len(t.seen))
	case len(t.seen) == maxPages:
		return fmt.Errorf("the list has more than %d pages, the last one %.60q; ask for larger pages or for less", maxPages, token)
	}
	t.seen[sum] = true
	return nil
}
