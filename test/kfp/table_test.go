package kfp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/expect"
)

// patience is how long the server may take for anything, on a busy machine.
const patience = 5 * time.Minute

// there is the real server, for the table of what schedules do. Pods stay pending in
// its cluster, so that runs go on until they are terminated.
type there struct {
	*kfp.Client
	cmd  *command
	spec []byte
}

func (e *there) Name() string            { return "kfp" }
func (e *there) Interval() time.Duration { return 20 * time.Second } // its controller looks each 10 seconds
func (e *there) Slack() time.Duration    { return 5 * time.Second }  // so far apart may its rounds be on a busy machine

func (e *there) Apply(ctx context.Context, name string, w dsl.When) (client.Change, error) {
	fire := []string{"day"}
	if w.Zone != "" { // KFP passes the time in UTC
		fire = nil
	}
	_, change, err := e.ApplySchedule(ctx, client.ScheduleSpec{Name: name, When: w, FireTime: fire, Pipeline: client.Submission{Spec: e.spec, Experiment: name}})
	return change, err
}

func (e *there) Backfill(_ context.Context, name, from, to string) error {
	out, said, code := e.cmd.try("schedule backfill", name, "--from", from, "--to", to, "--on", "kfp")
	if code != 0 {
		return fmt.Errorf("%s%s", out, said)
	}
	return nil
}

func (e *there) Enabled(ctx context.Context, name string) (n int, err error) {
	for r, err := range e.RecurringRuns(ctx, "", kfp.ListOptions{Name: name}) {
		if err != nil {
			return 0, err
		}
		if r.Enabled {
			n++
		}
	}
	return n, nil
}

func (e *there) Fires(ctx context.Context, name string) (all []expect.Fire, err error) {
	for r, err := range client.Runs(ctx, e, client.ListOptions{Experiment: name}) {
		if client.CodeOf(err) == client.NotFound {
			return nil, nil // nothing was applied
		}
		if err != nil {
			return nil, err
		}
		f := expect.Fire{ID: r.ID, At: r.Scheduled, Going: !r.State.Done() && r.State != client.Cancelling}
		json.Unmarshal(r.Args["day"], &f.Day)
		if at, err := time.Parse("20060102-150405", strings.TrimPrefix(r.Name, name+"-")); err == nil {
			f.At = at // it was triggered
		}
		all = append(all, f)
	}
	return all, nil
}

func (e *there) Release(ctx context.Context, name string) error {
	all, err := e.Fires(ctx, name)
	for _, f := range all {
		if f.Going {
			err = cmp.Or(err, e.Terminate(ctx, f.ID))
		}
	}
	return err
}

func (e *there) Away() error { return exec.Command("./server", "away").Run() }
func (e *there) Back() error { return exec.Command("./server", "back").Run() }

// TestScheduleTable: schedules on KFP do what the table of all engines says.
func TestScheduleTable(t *testing.T) {
	e := &there{Client: connect(t, kfp.Config{}), cmd: newCommand(t), spec: compile(t, expect.Days)}
	for _, which := range []string{"all", "away"} {
		t.Run(which, func(t *testing.T) {
			if which == "away" {
				t.Cleanup(func() { e.Back() })
			}
			expect.Run(t, e, func(r *expect.Row) bool { return r.Away() == (which == "away") })
		})
	}
}
