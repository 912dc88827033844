package kfp

import (
	"cmp"
	"context"
	"iter"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/net/paging"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// ListOptions say what of KFP's nouns to list.
type ListOptions struct {
	Name     string // exactly this one
	Archived bool   // those that are archived, in place of those that aren't
	Filter   string // a filter of the API, as JSON, beside the others
	Sort     string // a field with an optional " desc"; default: newest first
	Size     int    // of a page; default 100
	Page     string // what the page before returned

	any bool // archived or not
}

func (o *ListOptions) size() int32  { return int32(cmp.Or(o.Size, 100)) }
func (o *ListOptions) sort() string { return cmp.Or(o.Sort, "created_at desc") }

func (o *ListOptions) filter(archives bool) (*string, error) {
	var ps []predicate
	if o.Name != "" {
		ps = append(ps, is("name", o.Name))
	}
	if archives && !o.any {
		if o.Archived {
			ps = append(ps, is("storage_state", "ARCHIVED"))
		} else {
			ps = append(ps, isNot("storage_state", "ARCHIVED"))
		}
	}
	return filter(o.Filter, ps...)
}

// pages goes through all pages of a list.
func pages[T any](ctx context.Context, o ListOptions, page func(context.Context, ListOptions) ([]*T, string, error)) iter.Seq2[*T, error] {
	return paging.All(ctx, o.Page, func(ctx context.Context, token string) ([]*T, string, error) {
		o.Page = token
		return page(ctx, o)
	})
}

var uuid = lazyregexp.New(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// isID reports whether a string is an ID of the server, not a name.
func isID(s string) bool { return uuid.MatchString(s) }

// named returns what has a name on the server; nil for nothing.
func named[T any](all iter.Seq2[*T, error], is func(*T) bool) (*T, error) {
	for v, err := range all {
		if err != nil || is(v) {
			return v, err
		}
	}
	return nil, nil
}

// ensure creates what has a name of its own, unless that is there.
func ensure[T any](ctx context.Context, c *Client, op string, send, find func(context.Context) (*T, error)) (*T, client.Change, error) {
	there, err := find(ctx)
	if err != nil || there != nil {
		return there, client.Unchanged, err
	}
	made, err := create(ctx, send, find)
	if err == nil {
		return made, client.Created, nil
	}
	err = c.wrap(err, "%s", op)
	if client.CodeOf(err) == client.Exists { // someone else was faster
		if there, err2 := find(ctx); err2 == nil && there != nil {
			return there, client.Unchanged, nil
		}
	}
	return nil, "", err
}

// with does something to what a user names, of which id returns the id.
func (c *Client) with(ctx context.Context, verb, what, idOrName string, id func(context.Context, string) (string, error), do func(context.Context, string) error) error {
	ctx, end := c.limit(ctx)
	defer end()
	at, err := id(ctx, idOrName)
	if err != nil {
		return err
	}
	return c.wrap(do(ctx, at), "%s %s %s", verb, what, idOrName)
}

// each returns what the API lists, in the words of this package.
func each[A, T any](in []A, f func(A) T) (list []T) {
	for _, v := range in {
		list = append(list, f(v))
	}
	return list
}

func (c *Client) missing(what, name, advice string) error {
	return &client.Error{Op: "get " + what + " " + name, Code: client.NotFound, Msg: "there is no " + what + " " + name, Advice: advice}
}
