package argo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/net/paging"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// A kind is one of the kinds of objects that an access is for.
type kind int

const (
	workflows kind = iota
	cronWorkflows
)

// An action is an operation on objects.
type action int

const (
	get action = iota
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
	op     string // the operation, for errors
	action action
	kind   kind
	name   string
	labels string // of list: a selector
	next   string // of list: what the page before has said
	object any    // of post and put
	page   int    // of list: at most so many objects; 0: pages
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
	case got != nil && unclear && errors.As(err, &e): // what isn't there may still come: a try got no answer
		e.Msg += "; it is not known whether it was done, and doing it again with the same token is safe"
	}
	return nil, err
}

// createIn creates a Workflow or a CronWorkflow.
func createIn[T any](ctx context.Context, c *Client, op string, k kind, name string, object any, same func(*T) bool) (*T, error) {
	return create(ctx, c.conf.Timeout, func(ctx context.Context, into *T, unclear *bool) error {
		return c.do(ctx, request{op: op, action: post, kind: k, name: name, object: object, into: into, unclear: unclear})
	}, func(ctx context.Context, into *T) error {
		return c.do(ctx, request{op: op, action: get, kind: k, name: name, into: into})
	}, same)
}

// pages are how many objects a list is asked for at once.
const pages = 500

func (r *request) limit() int { return cmp.Or(r.page, pages) }

// paged goes through the pages of a list. Where a page is larger than kfpgo reads, it
// asks for smaller ones. Take returns what the page says of the next one.
func paged[L any](ctx context.Context, c *Client, r request, take func(*L) (next string, err error)) error {
	for trail := (paging.Trail{}); ; {
		page := new(L)
		r.into = page
		err := c.do(ctx, r)
		if web.IsTooLarge(err) && r.limit() > 1 {
			r.page = max(1, r.limit()/5)
			continue
		}
		if err != nil {
			return err
		}
		if r.next, err = take(page); err != nil || r.next == "" {
			return err
		}
		if err := trail.Follow(ctx, r.next); err != nil {
			return &client.Error{Op: r.op, Code: client.Internal, Msg: err.Error(), Err: err}
		}
	}
}

// do makes a request. An answer that should be an object has a name, and one that should
// be a list is one.
func (c *Client) do(ctx context.Context, r request) error {
	if err := c.access.do(ctx, r); err != nil {
		return err
	}
	msg := ""
	if o, ok := r.into.(runtime.Object); ok {
		kind := o.GetObjectKind().GroupVersionKind().Kind
		if r.action == list && kind != "" && !strings.HasSuffix(kind, "List") {
			msg = fmt.Sprintf("the response is not one of the Kubernetes API for a list: its kind is %q", kind)
		}
	}
	if o, ok := r.into.(metav1.Object); ok && o.GetName() == "" {
		msg = "the response is not one of the Kubernetes API: it is an object without a name"
	}
	if msg == "" {
		return nil
	}
	address, _ := c.access.reach()
	return &client.Error{Op: r.op, Server: address, Code: client.Internal, Msg: msg, Advice: "is the address that of the API?"}
}

func below(path, name string) string { return path + "/" + url.PathEscape(name) }
