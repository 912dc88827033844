package schedule

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/lower/when"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
	"github.com/kfpgo/kfpgo/internal/testing/expect"
)

// here is this machine, with a process of kfpgo schedule serve that can be killed.
type here struct {
	*localSchedules
	t     *testing.T
	kfpgo string
	hold  *input.Pipeline
	serve *exec.Cmd
}

func (h *here) Name() string            { return "local" }
func (h *here) Interval() time.Duration { return 2 * time.Second }
func (h *here) Slack() time.Duration    { return 0 }

func (h *here) gate(name string) string { return filepath.Join(h.st.Home, "gate-"+name) }

func (h *here) Apply(ctx context.Context, name string, w dsl.When) (client.Change, error) {
	s := when.Schedule(name, w)
	gate, err := json.Marshal(h.gate(name))
	if err != nil {
		return "", err
	}
	when.SetArgs(s, map[string]json.RawMessage{"gate": gate}, []string{"day"}, nil)
	if err := schedule.Check(s, time.Now()); err != nil {
		return "", err
	}
	_, change, err := h.apply(ctx, defined{s, h.hold})
	return change, err
}

// TriggerSchedule starts the run in a process of the command, not of the test.
func (h *here) TriggerSchedule(_ context.Context, name string, at time.Time) (*client.Run, error) {
	return nil, h.command("schedule", "trigger", name, "--at", at.Format(time.RFC3339), "--home", h.st.Home)
}

func (h *here) command(args ...string) error {
	out, err := exec.Command(h.kfpgo, args...).CombinedOutput()
	if err != nil {
		h.t.Logf("%s", out)
	}
	return err
}

func (h *here) Backfill(_ context.Context, name, from, to string) error {
	return h.command("schedule", "backfill", name, "--from", from, "--to", to, "--home", h.st.Home)
}

func (h *here) Enabled(ctx context.Context, name string) (int, error) {
	s, err := h.Schedule(ctx, name)
	if err != nil || s.Paused {
		return 0, err
	}
	return 1, nil
}

func (h *here) Fires(ctx context.Context, name string) (all []expect.Fire, err error) {
	fires, err := h.st.Fires(ctx, name, 1000)
	for _, f := range fires {
		if f.Run == "" || f.State == run.Skipped {
			continue
		}
		out := expect.Fire{ID: f.Run, At: f.At, Going: f.State == run.Running}
		if r, err := run.Load(filepath.Join(h.st.Home, "runs", f.Run)); err == nil {
			json.Unmarshal(r.Params["day"], &out.Day)
		}
		all = append(all, out)
	}
	return all, err
}

// Release makes the gate newer than what waits at it.
func (h *here) Release(_ context.Context, name string) error {
	return os.WriteFile(h.gate(name), nil, 0o644)
}

func (h *here) Away() error {
	if err := h.serve.Process.Kill(); err != nil {
		return err
	}
	h.serve.Wait()
	return nil
}

func (h *here) Back() error {
	h.serve = exec.Command(h.kfpgo, "schedule", "serve", "--home", h.st.Home)
	return h.serve.Start()
}

// TestScheduleTable: the schedules of this machine do what the table of all engines
// says.
func TestScheduleTable(t *testing.T) {
	kfpgo := filepath.Join(t.TempDir(), "kfpgo")
	if out, err := exec.Command("go", "build", "-o", kfpgo, "../..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	hold, err := input.Load(t.Context(), "./testdata/hold")
	if err != nil {
		t.Fatal(err)
	}
	for _, which := range []string{"all", "away"} {
		t.Run(which, func(t *testing.T) {
			home, err := os.MkdirTemp("", "kfpgo-schedules-")
			if err != nil {
				t.Fatal(err)
			}
			l, err := openLocal(home, &strings.Builder{})
			if err != nil {
				t.Fatal(err)
			}
			h := &here{localSchedules: l, t: t, kfpgo: kfpgo, hold: hold}
			if err := h.Back(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				h.Away()
				l.close()
				for range 100 { // runs of the killed process still write for a moment
					if err = os.RemoveAll(home); err == nil {
						return
					}
					time.Sleep(100 * time.Millisecond)
				}
				t.Error(err)
			})
			expect.Run(t, h, func(r *expect.Row) bool { return r.Away() == (which == "away") })
		})
	}
}
