package argo

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/kfpgo/kfpgo/client"
)

// A kind is one of the kinds of objects that an access is for.
type kind int

const (
	workflows kind = iota
	cronWorkflows
)

// A verb is what is done with objects.
type verb int

const (
	get verb = iota
	list
	post
	put
	remove
	terminate // a Workflow
	pause     // a CronWorkflow
	resume    // a CronWorkflow, as if what it has missed had been seen to
)

// A request is a read, or a change that says by itself what it is, so that making it
// twice is making it once.
type request struct {
	op     string // what is tried, for errors
	verb   verb
	kind   kind
	name   string
	labels string // of list: a selector
	next   string // of list: what the page before has said
	object any    // of post and put
	orphan bool   // of remove: leave what the object has made
	into   any

	unclear *bool // set if a try may have done what it was for though it failed
}

// An access is a way to the Workflows and CronWorkflows of a namespace: the API of
// Kubernetes, or that of the Argo server. All else that a [Client] does is the same on
// both.
type access interface {
	do(ctx context.Context, r request) error
	// watch opens a stream of what becomes of a Workflow after a version.
	watch(ctx context.Context, op, id, version string) (events, *client.Error)
	// retry runs again what has failed.
	retry(ctx context.Context, c *Client, op, id string) error
	// logs writes what steps have written.
	logs(ctx context.Context, c *Client, id string, o client.LogOptions) error
	// kubernetes returns the API of Kubernetes; an error for who has none, of what that
	// would have been for.
	kubernetes(op, what string) (*cluster, error)
	// reach says where requests go, and with which credential.
	reach() (address, credential string)
	// version returns that of the server that is asked; "" for Kubernetes itself.
	version(ctx context.Context) (string, error)
}

// events is a stream of what becomes of a Workflow. It ends with io.EOF.
type events interface {
	next() (event, error)
	Close() error
}

// limit ends a call that has no deadline after some time.
func limit(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, 2*timeout)
}

// create makes an object whose name says what it is. If one is there already that
// same reports to be the same, that is it: an answer that was lost, or a second call.
func create[T any](ctx context.Context, timeout time.Duration, make func(ctx context.Context, into *T, unclear *bool) error, look func(context.Context, *T) error, same func(*T) bool) (*T, error) {
	ctx, cancel := limit(ctx, timeout)
	defer cancel()
	into, unclear := new(T), false
	err := make(ctx, into, &unclear)
	switch client.CodeOf(err) {
	case "":
		return into, err
	case client.Invalid, client.Unsupported:
		return nil, err
	}
	// It may be there, whatever the last answer was.
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), max(timeout, 10*time.Second))
	defer stop()
	there := new(T)
	got := look(last, there)
	var e *client.Error
	switch {
	case got == nil && same(there):
		return there, nil
	case got != nil && client.CodeOf(got) != client.NotFound && unclear && errors.As(err, &e):
		e.Msg += "; it is not known whether it was done, and doing it again with the same token is safe"
	}
	return nil, err
}

// createIn creates a Workflow or a CronWorkflow.
func createIn[T any](ctx context.Context, c *Client, op string, k kind, name string, object any, same func(*T) bool) (*T, error) {
	return create(ctx, c.conf.Timeout, func(ctx context.Context, into *T, unclear *bool) error {
		return c.access.do(ctx, request{op: op, verb: post, kind: k, name: name, object: object, into: into, unclear: unclear})
	}, func(ctx context.Context, into *T) error {
		return c.access.do(ctx, request{op: op, verb: get, kind: k, name: name, into: into})
	}, same)
}

// gone takes it for done that what is deleted isn't there: it may be gone by the second
// try.
func gone(err error) error {
	if client.CodeOf(err) == client.NotFound {
		return nil
	}
	return err
}

// pages are how many objects a list is asked for at once.
const pages = "500"

func below(path, name string) string { return path + "/" + url.PathEscape(name) }
