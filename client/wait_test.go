package client_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
)

// An answerer gives one answer after the other.
type answerer struct {
	client.Client
	answers []any // *client.Run or error; the last one again and again
	n       int
}

func (a *answerer) Get(context.Context, string) (*client.Run, error) {
	v := a.answers[min(a.n, len(a.answers)-1)]
	a.n++
	if r, ok := v.(*client.Run); ok {
		return r, nil
	}
	return nil, v.(error)
}

// TestWait: waiting goes on while a server restarts, and ends when asking again is
// no use.
func TestWait(t *testing.T) {
	down := &client.Error{Code: client.Unavailable}
	running := &client.Run{State: client.Running, Tasks: []client.Task{{ID: "1", Path: "a", State: client.Running}}}
	failed := &client.Run{Name: "r", State: client.Failed, Tasks: []client.Task{{ID: "1", Path: "a", State: client.Failed, Error: "it broke"}}}
	var states []client.State
	troubles := 0
	o := client.WaitOptions{Interval: time.Millisecond, Observe: func(t client.Task) { states = append(states, t.State) }, Trouble: func(error) { troubles++ }}
	r, err := client.Wait(t.Context(), &answerer{answers: []any{running, down, down, running, &client.Error{Code: client.Internal, Status: 500}, failed}}, "x", o)
	if err != nil || r != failed || troubles != 3 || len(states) != 2 {
		t.Errorf("%+v %v, %d troubles, states %v", r, err, troubles, states)
	}
	if err := r.Err(); !errors.Is(err, client.ErrNotSucceeded) || !strings.Contains(err.Error(), "task a: it broke") {
		t.Errorf("got %v", err)
	}
	if _, err := client.Wait(t.Context(), &answerer{answers: []any{running, &client.Error{Code: client.NotFound}}}, "x", o); client.CodeOf(err) != client.NotFound {
		t.Errorf("got %v", err)
	}
	o.Patience = 5 * time.Millisecond
	if _, err := client.Wait(t.Context(), &answerer{answers: []any{down}}, "x", o); client.CodeOf(err) != client.Unavailable || !strings.Contains(err.Error(), "gave up") {
		t.Errorf("got %v", err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	if r, err := client.Wait(ctx, &answerer{answers: []any{running}}, "x", client.WaitOptions{Interval: time.Millisecond}); !errors.Is(err, context.DeadlineExceeded) || r != running {
		t.Errorf("%+v %v", r, err)
	}
}
