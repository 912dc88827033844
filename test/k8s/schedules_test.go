package k8s

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	api "github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/argo"
	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/expect"
)

// there is the real Argo, for the table of what schedules do.
type there struct {
	*argo.Client
	space, kfpgo, endpoint string
	spec                   []byte

	mu   sync.Mutex
	seen map[string]map[string]expect.Fire // Argo keeps one run that has failed
}

func (e *there) Name() string            { return "argo" }
func (e *there) Interval() time.Duration { return time.Minute }
func (e *there) Slack() time.Duration    { return 0 }

func (e *there) Apply(ctx context.Context, name string, w dsl.When) (api.Change, error) {
	_, change, err := e.ApplySchedule(ctx, api.ScheduleSpec{Name: name, When: w, FireTime: []string{"day"}, Pipeline: api.Submission{Spec: e.spec}})
	return change, err
}

func (e *there) Backfill(ctx context.Context, name, from, to string) error {
	out, err := exec.CommandContext(ctx, e.kfpgo, "schedule", "backfill", name, "--from", from, "--to", to, "--on", "argo", "--endpoint", e.endpoint, "--namespace", e.space).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return err
}

func (e *there) Enabled(ctx context.Context, name string) (int, error) {
	s, err := e.Schedule(ctx, name)
	if err != nil || s.Paused {
		return 0, err
	}
	return 1, nil
}

// Fires reads what the pods' arguments became of the nodes: a Workflow keeps its own
// as they were before.
func (e *there) Fires(_ context.Context, name string) (all []expect.Fire, err error) {
	b, err := try(http.MethodGet, "/apis/argoproj.io/v1alpha1/namespaces/"+e.space+"/workflows?labelSelector=workflows.argoproj.io%2Fcron-workflow%3D"+name, "", nil)
	if err != nil {
		return nil, err
	}
	var list struct {
		Items []struct {
			Metadata struct {
				Name        string
				Annotations map[string]string
			}
			Spec   struct{ Shutdown string }
			Status struct {
				Phase string
				Nodes map[string]struct {
					Type   string
					Inputs struct {
						Parameters []struct{ Name, Value string }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.seen == nil {
		e.seen = map[string]map[string]expect.Fire{}
	}
	if e.seen[name] == nil {
		e.seen[name] = map[string]expect.Fire{}
	}
	seen := e.seen[name]
	for id, f := range seen {
		f.Going = false // unless it is there
		seen[id] = f
	}
	for _, w := range list.Items {
		f := expect.Fire{ID: w.Metadata.Name, Going: w.Status.Phase == "Running" && w.Spec.Shutdown == ""}
		f.At, _ = time.Parse(time.RFC3339, w.Metadata.Annotations["workflows.argoproj.io/scheduled-time"])
		for _, n := range w.Status.Nodes {
			for _, p := range n.Inputs.Parameters {
				if n.Type == "Pod" && p.Name == "day" {
					json.Unmarshal([]byte(p.Value), &f.Day)
				}
			}
		}
		if seen[f.ID] = f; f.At.IsZero() {
			delete(seen, f.ID)
		}
	}
	for _, f := range seen {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b expect.Fire) int { return a.At.Compare(b.At) })
	return all, nil
}

func (e *there) Release(ctx context.Context, name string) error {
	all, err := e.Fires(ctx, name)
	for _, f := range all {
		if f.Going && f.Day != "" { // its pod is there
			if code := api.CodeOf(e.Terminate(ctx, f.ID)); code != "" && code != api.Precondition {
				err = cmp.Or(err, fmt.Errorf("terminate %s: %s", f.ID, code))
			}
		}
	}
	return err
}

func (e *there) Away() error { return exec.Command("./cluster", "halt", "workflow-controller").Run() }
func (e *there) Back() error { return exec.Command("./cluster", "back").Run() }

// engine makes a namespace of its own for a test of schedules.
func engine(t *testing.T) *there {
	t.Helper()
	g := opened(t)
	e := &there{space: fmt.Sprintf("table-%x", time.Now().UnixNano()&0xffffffff), endpoint: g.URL, kfpgo: filepath.Join(t.TempDir(), "kfpgo")}
	command(t, "", "go", "-C", "../..", "build", "-o", e.kfpgo, "./cmd/kfpgo")
	call(t, http.MethodPost, "/api/v1/namespaces", "", fmt.Appendf(nil, `{"metadata": {"name": %q}}`, e.space))
	t.Cleanup(func() { try(http.MethodDelete, "/api/v1/namespaces/"+e.space, "", nil) })
	var err error
	e.Client, err = argo.Connect(argo.Config{Endpoint: g.URL, Namespace: e.space})
	no(t, err)
	e.spec, err = compiler.Compile(expect.Days, e.Target())
	no(t, err)
	return e
}

// TestScheduleTable: schedules on Argo do what the table of all engines says.
func TestScheduleTable(t *testing.T) {
	t.Parallel()
	expect.Run(t, engine(t), func(r *expect.Row) bool { return !r.Away() })
}

// TestControllerAway is what needs Argo's controller stopped, or not running anything: the rows of the
// table of schedules that stop it, and submissions through a bad network, which keep the API server busy.
func TestControllerAway(t *testing.T) {
	ready(t)
	e := engine(t)
	t.Cleanup(func() { e.Back() })
	t.Run("together", func(t *testing.T) {
		t.Run("schedules", func(t *testing.T) { t.Parallel(); expect.Run(t, e, (*expect.Row).Away) })
		t.Run("faults", func(t *testing.T) { t.Parallel(); clientFaults(t) })
	})
}
