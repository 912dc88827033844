package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/local/scheduler"
	"github.com/kfpgo/kfpgo/internal/lower/when"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
	"github.com/kfpgo/kfpgo/internal/testing/expect"
)

// TestMain is also the processes of TestCommands: the command with kfpgo schedule alone.
func TestMain(m *testing.M) {
	if os.Getenv("KFPGO_TEST_COMMAND") == "" {
		os.Exit(m.Run())
	}
	root := &cobra.Command{Use: "kfpgo", SilenceUsage: true}
	root.AddCommand(Command())
	if err := root.Execute(); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// here is this machine, with a process of kfpgo schedule serve.
type here struct {
	*localSchedules
	t     *testing.T
	hold  *input.Pipeline
	serve *exec.Cmd
}

func (h *here) Name() string            { return "local" }
func (h *here) Interval() time.Duration { return time.Second } // at which serve looks for new fires
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

// kfpgo returns a process of the command, which is this program: see TestMain.
func kfpgo(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "KFPGO_TEST_COMMAND=1")
	return cmd
}

func (h *here) command(args ...string) error {
	out, err := kfpgo(args...).CombinedOutput()
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
	h.serve = kfpgo("schedule", "serve", "--home", h.st.Home)
	return h.serve.Start()
}

// TestCommands: the rows of the table whose runs are started by a command, with processes of
// the command.
func TestCommands(t *testing.T) {
	hold, err := input.Load(t.Context(), "./testdata/hold")
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.MkdirTemp("", "kfpgo-schedules-")
	if err != nil {
		t.Fatal(err)
	}
	l, err := openLocal(home, &strings.Builder{})
	if err != nil {
		t.Fatal(err)
	}
	h := &here{localSchedules: l, t: t, hold: hold}
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
	expect.Run(t, h, (*expect.Row).Commands)
}

// TestScheduleTable: the schedules of this machine do what the table of all engines says.
// Each row has a clock of its own, which goes on when all wait for it.
func TestScheduleTable(t *testing.T) {
	hold, err := input.Load(t.Context(), "./testdata/hold")
	if err != nil {
		t.Fatal(err)
	}
	expect.Run(t, &faked{here: &here{hold: hold}}, func(r *expect.Row) bool { return !r.Commands() })
}

// faked is this machine with its server in the process of the test, and with runs that do
// nothing but wait until they are released.
type faked struct {
	*here
	running context.Context
	stop    context.CancelFunc
	served  chan error

	mu      sync.Mutex
	waiting map[string][]chan struct{} // by schedule
}

func (f *faked) Interval() time.Duration { return 2 * time.Second }

func (f *faked) Row(t *testing.T, do func(*testing.T, expect.Engine)) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)))
		l, err := openLocal(t.TempDir(), &strings.Builder{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.close() })
		running, end := context.WithCancel(context.Background())
		row := &faked{here: &here{localSchedules: l, t: t, hold: f.hold}, running: running, waiting: map[string][]chan struct{}{}}
		l.st.Runner = row.run
		if err := row.Back(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			end()
			if err := row.Away(); err != nil {
				t.Error(err)
			}
			synctest.Wait() // for the runs
		})
		do(t, row)
	})
}

// run is a run as its record says it.
func (f *faked) run(ctx context.Context, fire *scheduler.Fire, spec *scheduler.Spec) (*run.Run, error) {
	args, err := schedule.Args(spec.Schedule, fire.At)
	if err != nil {
		return nil, err
	}
	dir, err := run.MakeDir(f.st.Home, fire.Run)
	if err != nil {
		return nil, err
	}
	r := &run.Run{Schema: run.Schema, ID: fire.Run, Pipeline: spec.Pipeline, State: run.Running, Params: args, Started: time.Now(), Dir: dir}
	record, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "run.json"), record, 0o600); err != nil {
		return nil, err
	}
	released := make(chan struct{})
	f.mu.Lock()
	f.waiting[fire.Schedule] = append(f.waiting[fire.Schedule], released)
	f.mu.Unlock()
	select {
	case <-released:
		r.State = run.Succeeded
	case <-ctx.Done():
		r.State = run.Cancelled
	}
	return r, nil
}

func (f *faked) Release(_ context.Context, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.waiting[name] {
		close(c)
	}
	delete(f.waiting, name)
	return nil
}

// Away ends the server; its runs continue.
func (f *faked) Away() error {
	f.stop()
	return <-f.served
}

func (f *faked) Back() error {
	ctx, stop := context.WithCancel(context.Background())
	f.stop, f.served = stop, make(chan error, 1)
	s := &scheduler.Server{Store: f.st, Tell: func(string, ...any) {}, Here: func(key string) { f.st.Exec(f.running, key) }}
	go func() {
		defer close(f.served)
		if err := s.Serve(ctx); !errors.Is(err, context.Canceled) { // before it had begun
			f.served <- err
		}
	}()
	return nil
}
