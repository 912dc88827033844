package kfp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/fakekfp"
	"github.com/kfpgo/kfpgo/internal/testing/faults"
)

// A dying server does what it is asked for until a request that changes something;
// that one it does or does not do, and then nothing any more, as for a client that
// is killed.
type dying struct {
	*fakekfp.Server
	t     *testing.T
	left  int  // changes that are still done; negative: all
	last  bool // whether the one that is too many is done
	dead  bool
	inner bool
	most  int // recurring runs that were enabled at once
}

func (d *dying) before(w http.ResponseWriter, r *http.Request) bool {
	if d.inner {
		return false
	}
	d.most = max(d.most, len(d.enabled()))
	if d.dead {
		w.WriteHeader(http.StatusForbidden)
		return true
	}
	if r.Method == http.MethodGet || d.left < 0 {
		return false
	}
	if d.left--; d.left >= 0 {
		return false
	}
	d.dead = true
	if d.last {
		d.inner = true
		d.ServeHTTP(httptest.NewRecorder(), r)
		d.inner = false
	}
	w.WriteHeader(http.StatusForbidden)
	return true
}

// enabled returns the crons that fire.
func (d *dying) enabled() (crons []string) {
	for _, o := range d.Objects("recurringruns") {
		if o["status"] == "ENABLED" {
			crons = append(crons, fmt.Sprint(o["trigger"].(map[string]any)["cron_schedule"].(map[string]any)["cron"]))
		}
	}
	return crons
}

func at10(minute int) client.ScheduleSpec {
	return client.ScheduleSpec{Name: "nightly", When: dsl.When{Cron: fmt.Sprintf("%d 10 * * *", minute)}, Pipeline: client.Submission{Spec: []byte(spec)}}
}

func paused(s client.ScheduleSpec) client.ScheduleSpec { s.When.Paused = true; return s }

// TestApplyBrokenOff kills the client at each change that an update makes, before and
// after it. Never are two recurring runs enabled, and the next call, whichever it is,
// leaves exactly what it is for.
func TestApplyBrokenOff(t *testing.T) {
	type state func(ctx context.Context, c *Client, d *dying)
	apply := func(s client.ScheduleSpec) state {
		return func(ctx context.Context, c *Client, d *dying) {
			if _, _, err := c.ApplySchedule(ctx, s); err != nil {
				d.t.Fatal(err)
			}
		}
	}
	busy := func(ctx context.Context, c *Client, d *dying) { // a run of the current one goes on
		s, err := c.Schedule(ctx, "nightly")
		if err != nil {
			d.t.Fatal(err)
		}
		d.inner = true
		body := fmt.Sprintf(`{"display_name": "r", "recurring_run_id": %q}`, s.ID)
		d.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/apis/v2beta1/runs", strings.NewReader(body)))
		d.inner = false
	}
	pause := func(ctx context.Context, c *Client, d *dying) {
		if err := c.PauseSchedule(ctx, "nightly"); err != nil {
			d.t.Fatal(err)
		}
	}
	starts := map[string]struct {
		before []state
		update client.ScheduleSpec
		fires  bool // once the update is done
	}{
		"new":                    {nil, at10(1), true},
		"new and paused":         {nil, paused(at10(1)), false},
		"update":                 {[]state{apply(at10(0))}, at10(1), true},
		"while a run goes":       {[]state{apply(at10(0)), busy}, at10(1), true},
		"back to the one before": {[]state{apply(at10(1)), busy, apply(at10(0))}, at10(1), true},
		"paused by hand":         {[]state{apply(at10(0)), pause}, at10(1), false},
		"paused by it":           {[]state{apply(at10(0)), busy}, paused(at10(1)), false},
		"resumed by it":          {[]state{apply(paused(at10(0)))}, at10(1), true},
	}
	for name, start := range starts {
		for _, then := range []string{"the same", "another", "resume", "pause", "delete"} {
			for _, last := range []bool{false, true} {
				for n := 0; ; n++ {
					s := fakekfp.New(t)
					d := &dying{Server: s, t: t, left: -1, last: last}
					s.First(d.before)
					c, ctx := to(t, Config{Endpoint: s.URL}), t.Context()
					for _, f := range start.before {
						f(ctx, c, d)
					}
					d.left = n
					_, _, err := c.ApplySchedule(ctx, start.update)
					if d.left = -1; !d.dead {
						if err != nil {
							t.Fatal(err)
						}
						break // it makes no more changes
					}
					d.dead = false
					nothing := len(s.Objects("recurringruns")) == 0
					known, _ := c.Schedule(ctx, "nightly")
					want := []string{"0 1 10 * * *"}
					if !start.fires {
						want = nil
					}
					switch then {
					case "the same":
						apply(start.update)(ctx, c, d)
					case "another":
						other := at10(2)
						other.When.Paused = start.update.When.Paused
						apply(other)(ctx, c, d)
						if want = []string{"0 2 10 * * *"}; !start.fires {
							want = nil
						}
					case "resume":
						if nothing {
							continue
						}
						if err := c.ResumeSchedule(ctx, "nightly"); err != nil {
							t.Fatal(err)
						}
						if want = d.enabled(); len(want) != 1 {
							t.Errorf("%s, %d changes, then %s: %q fire", name, n, then, want)
						}
					case "pause":
						if nothing {
							continue
						}
						pause(ctx, c, d)
						if on := d.enabled(); len(on) > 0 {
							t.Errorf("%s, %d changes, then %s: %q fire", name, n, then, on)
						}
						if known.When.Paused == start.update.When.Paused { // else the update is what resumes it
							want = nil
						}
						apply(start.update)(ctx, c, d)
					case "delete":
						err := c.DeleteSchedule(ctx, "nightly")
						if code := client.CodeOf(err); code != "" && code != client.Precondition && !(nothing && code == client.NotFound) {
							t.Error(err)
						}
						want = nil
					}
					at := fmt.Sprintf("%s, killed at change %d (done: %t), then %s", name, n, last, then)
					if got := d.enabled(); strings.Join(got, " ") != strings.Join(want, " ") {
						t.Errorf("%s: %q fire, want %q", at, got, want)
					}
					for _, o := range s.Objects("recurringruns") {
						if strings.Contains(fmt.Sprint(o["description"]), `"d":true`) && then != "resume" {
							t.Errorf("%s: a draft is left", at)
						}
					}
					if d.most > 1 {
						t.Errorf("%s: %d were enabled at once", at, d.most)
					}
				}
			}
		}
	}
}

// TestApplyTwice: of two calls at the same time one wins.
func TestApplyTwice(t *testing.T) {
	s := fakekfp.New(t)
	d := &dying{Server: s, t: t, left: -1}
	c := to(t, Config{Endpoint: s.URL})
	for range 40 {
		var wait sync.WaitGroup
		for i := range 3 {
			wait.Go(func() {
				_, _, err := c.ApplySchedule(t.Context(), at10(i))
				if code := client.CodeOf(err); code != "" && code != client.NotFound { // the other one has deleted it
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if on := d.enabled(); len(on) > 1 {
			t.Fatalf("%q fire", on)
		}
		if _, _, err := c.ApplySchedule(t.Context(), at10(5)); err != nil || len(d.enabled()) != 1 {
			t.Fatalf("%q fire, %v", d.enabled(), err)
		}
	}
}

// TestApplyFaults updates a schedule through a proxy that spoils three of ten
// requests, for each kind of fault. Never are two recurring runs enabled, and a last
// call without faults leaves one.
func TestApplyFaults(t *testing.T) {
	was := window
	window = 200 * time.Millisecond
	t.Cleanup(func() { window = was })
	for i, kind := range faults.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			s := fakekfp.New(t)
			d := &dying{Server: s, t: t, left: -1}
			s.First(d.before)
			p := faults.New(t, s.URL, kind, 0.3, uint64(3000+i))
			p.Delay = 200 * time.Millisecond
			c := to(t, Config{Endpoint: p.URL, Timeout: 150 * time.Millisecond})
			done := 0
			for n := range 6 {
				_, _, err := c.ApplySchedule(t.Context(), at10(n))
				if err == nil {
					done++
					if on := d.enabled(); len(on) != 1 || on[0] != fmt.Sprintf("0 %d 10 * * *", n) {
						t.Errorf("%d was applied, and %q fire", n, on)
					}
				} else if client.CodeOf(err) == "" {
					t.Errorf("an error without a code: %v", err)
				}
			}
			if _, _, err := to(t, Config{Endpoint: s.URL}).ApplySchedule(t.Context(), at10(59)); err != nil {
				t.Fatal(err)
			}
			if on := d.enabled(); len(on) != 1 || on[0] != "0 59 10 * * *" || s.Count("recurringruns") != 1 {
				t.Errorf("%q fire, of %d", on, s.Count("recurringruns"))
			}
			if d.most > 1 {
				t.Errorf("%d were enabled at once", d.most)
			}
			t.Logf("%d faults: %d of 6 were applied", p.Faults(), done)
		})
	}
}
