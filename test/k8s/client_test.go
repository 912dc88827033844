package k8s

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"net/http"

	api "github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/argo"
	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/calc"
	network "github.com/kfpgo/kfpgo/internal/testing/faults"
)

// A gate is the API of the cluster at an address that other clients can use, and
// that can be closed.
type gate struct {
	*httptest.Server
	closed atomic.Bool
}

func opened(t *testing.T) *gate {
	t.Helper()
	g := &gate{}
	p := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: "localhost"})
	p.Transport, p.FlushInterval = client.Transport, -1
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.closed.Load() {
			panic(http.ErrAbortHandler)
		}
		p.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { g.CloseClientConnections(); g.Close() })
	return g
}

func connect(t *testing.T, endpoint string) *argo.Client {
	t.Helper()
	c, err := argo.Connect(argo.Config{Endpoint: endpoint, Namespace: "default", Timeout: 10 * time.Second})
	no(t, err)
	return c
}

func no(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var calcImage = api.Compile(compiler.Image("registry.local/calc:1"))

// TestClient submits, follows, reads logs and outputs, and loses the connection for a
// while meanwhile.
func TestClient(t *testing.T) {
	t.Parallel()
	ready(t)
	slots <- struct{}{}
	defer func() { <-slots }()
	g := opened(t)
	c := connect(t, g.URL)
	ctx := t.Context()
	r, err := api.Submit(ctx, c, calc.Pipeline, calc.CalcIn{A: dsl.Const(12.0)}, calcImage, api.Token("once-"+time.Now().String()))
	no(t, err)
	var seen []string
	troubles := 0
	time.AfterFunc(4*time.Second, func() { g.closed.Store(true); g.CloseClientConnections() })
	time.AfterFunc(10*time.Second, func() { g.closed.Store(false) })
	r, err = api.Wait(ctx, c, r.ID, api.WaitOptions{
		Observe: func(task api.Task) { seen = append(seen, task.Path+" "+string(task.State)) },
		Trouble: func(error) { troubles++ },
	})
	no(t, err)
	if r.Err() != nil || string(r.Outputs["result"]) != "19" || string(r.Outputs["quotient"]) != "2" {
		t.Errorf("%v, outputs %s", r.Err(), r.Outputs)
	}
	for _, want := range []string{"add SUCCEEDED", "my-divmod SUCCEEDED", "add-2 SUCCEEDED"} {
		if !strings.Contains(strings.Join(seen, "\n"), want) {
			t.Errorf("no %q in %q", want, seen)
		}
	}
	var logs bytes.Buffer
	no(t, c.Logs(ctx, r.ID, api.LogOptions{Out: &logs}))
	if logs.Len() > 0 { // the steps of calc write nothing
		t.Errorf("logs: %s", logs.String())
	}
	no(t, c.Logs(ctx, r.ID, api.LogOptions{Out: &logs, All: true}))
	if !strings.Contains(logs.String(), "add: ") || !strings.Contains(logs.String(), "my-divmod: ") {
		t.Errorf("logs: %s", logs.String())
	}
	pods, err := c.Pods(ctx, r.ID)
	no(t, err)
	if len(pods) != 3 || pods[0].Task != "add" || len(pods[0].Events) == 0 {
		t.Errorf("%d pods, the first is %+v", len(pods), pods[0])
	}
	if err := c.Retry(ctx, r.ID); api.CodeOf(err) != api.Precondition {
		t.Error(err)
	}
	no(t, c.Delete(ctx, r.ID))
	if _, err := c.Get(ctx, r.ID); api.CodeOf(err) != api.NotFound {
		t.Error(err)
	}
}

var missing = dsl.Pipeline("no-such-image", func(s *dsl.Scope, in calc.CalcIn) dsl.None {
	calc.Add.Call(s, calc.AddIn{A: in.A, B: in.A})
	return dsl.None{}
})

// TestClientPending: the reason why a pod doesn't start is told, and a run is ended.
func TestClientPending(t *testing.T) {
	t.Parallel()
	ready(t)
	c := connect(t, opened(t).URL)
	ctx := t.Context()
	r, err := api.Submit(ctx, c, missing, calc.CalcIn{A: dsl.Const(1.0)}, api.Compile(compiler.Image("registry.local/no-such:1")))
	no(t, err)
	told := ""
	for end := time.Now().Add(patience); time.Now().Before(end) && !strings.Contains(told, "Image"); time.Sleep(time.Second) {
		pods, err := c.Pods(ctx, r.ID)
		no(t, err)
		told = ""
		for _, p := range pods {
			told += strings.Join(p.Waits, "\n")
		}
	}
	if !strings.Contains(told, "Image") {
		t.Errorf("the pod waits for %q", told)
	}
	no(t, c.Terminate(ctx, r.ID))
	r, err = api.Wait(ctx, c, r.ID, api.WaitOptions{})
	no(t, err)
	if r.State != api.Cancelled {
		t.Errorf("%+v", r)
	}
}

var often = dsl.Pipeline("often", func(s *dsl.Scope, in calc.CalcIn) calc.AddOut {
	return calc.Add.Call(s, calc.AddIn{A: in.A, B: in.A}).Out
})

// TestClientSchedule: a schedule fires on the real controller, is updated, paused,
// resumed, triggered and deleted, and no run is doubled or killed by that.
func TestClientSchedule(t *testing.T) {
	t.Parallel()
	ready(t)
	c := connect(t, opened(t).URL)
	ctx := t.Context()
	name := fmt.Sprintf("often-%d", time.Now().Unix())
	yaml, err := compiler.Compile(often, c.Target(), compiler.Image("registry.local/calc:1"))
	no(t, err)
	spec := api.ScheduleSpec{Name: name, When: dsl.When{Every: time.Minute}, Pipeline: api.Submission{Spec: yaml, Args: map[string]json.RawMessage{"a": json.RawMessage("2")}}}
	apply := func(want api.Change) {
		t.Helper()
		if _, change, err := c.ApplySchedule(ctx, spec); err != nil || change != want {
			t.Fatalf("%v, %v; want %v", change, err, want)
		}
	}
	runs := func() []*api.Run {
		t.Helper()
		p, err := c.List(ctx, api.ListOptions{Schedule: name, Size: 100})
		no(t, err)
		return p.Runs
	}
	apply(api.Created)
	apply(api.Unchanged)
	var first *api.Run
	for end := time.Now().Add(patience); first == nil; time.Sleep(time.Second) {
		if all := runs(); len(all) > 0 {
			first = all[0]
		}
		if time.Now().After(end) {
			s, err := c.Schedule(ctx, name)
			t.Fatalf("it has not fired: %+v, %v", s, err)
		}
	}
	spec.When = dsl.When{Cron: "0 3 * * *", Zone: "Europe/Zurich"} // while its run goes on
	apply(api.Updated)
	first, err = api.Wait(ctx, c, first.ID, api.WaitOptions{})
	no(t, err)
	if first.State != api.Succeeded || string(first.Outputs["sum"]) != "4" || first.Scheduled.IsZero() {
		t.Errorf("%+v", first)
	}
	no(t, c.PauseSchedule(ctx, name))
	s, err := c.Schedule(ctx, name)
	no(t, err)
	if !s.Paused || s.When != spec.When || s.Problem != "" {
		t.Errorf("%+v", s)
	}
	no(t, c.ResumeSchedule(ctx, name))
	before := len(runs())
	day := time.Date(2026, 3, 28, 2, 0, 0, 0, time.UTC)
	r, err := c.TriggerSchedule(ctx, name, day)
	no(t, err)
	again, err := c.TriggerSchedule(ctx, name, day)
	no(t, err)
	if again.ID != r.ID || len(runs()) != before+1 {
		t.Errorf("%d runs, and there were %d", len(runs()), before)
	}
	r, err = api.Wait(ctx, c, r.ID, api.WaitOptions{})
	no(t, err)
	if r.State != api.Succeeded || !r.Scheduled.Equal(day) {
		t.Errorf("%+v", r)
	}
	no(t, c.DeleteSchedule(ctx, name))
	time.Sleep(2 * time.Second)
	if len(runs()) != before+1 {
		t.Errorf("%d runs are left of %d", len(runs()), before+1)
	}
}

// clientFaults submits through a proxy that spoils three of ten requests, 50
// times for each kind of fault. What was reported is what the API server stores. No
// controller takes the Workflows: they are labelled for one that isn't there.
func clientFaults(t *testing.T) {
	g := opened(t)
	const n = 50
	yaml, err := compiler.Compile(often, connect(t, g.URL).Target(), compiler.Image("registry.local/calc:1"))
	no(t, err)
	for i, kind := range network.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			p := network.New(t, g.URL, kind, 0.3, uint64(2000+i))
			p.Delay = 4 * time.Second
			c, err := argo.Connect(argo.Config{Endpoint: p.URL, Namespace: "default", Timeout: 2 * time.Second})
			no(t, err)
			batch := fmt.Sprintf("faults-%s-%d", kind, time.Now().UnixNano())
			errs := make([]error, n)
			var wg sync.WaitGroup
			slots := make(chan struct{}, 10) // of each kind, which are as many as the API server answers in time
			for i := range n {
				slots <- struct{}{}
				wg.Go(func() {
					defer func() { <-slots }()
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					_, errs[i] = c.Submit(ctx, api.Submission{
						Name: fmt.Sprint("faults-", i), Spec: yaml, Args: map[string]json.RawMessage{"a": json.RawMessage("1")}, Token: fmt.Sprint(batch, i),
						Labels: map[string]string{"batch": batch, "workflows.argoproj.io/controller-instanceid": "none"},
					})
				})
			}
			wg.Wait()
			started, refused, unknown := 0, 0, 0
			for _, err := range errs {
				switch {
				case err == nil:
					started++
				case strings.Contains(err.Error(), "not known whether"):
					unknown++
				default:
					if refused++; refused == 1 {
						t.Logf("such as: %v", err)
					}
					if api.CodeOf(err) == "" {
						t.Errorf("an error without a code: %v", err)
					}
				}
			}
			var list struct{ Items []any }
			get(t, workflows+"?labelSelector=batch%3D"+batch, &list)
			if got := len(list.Items); got < started || got > started+unknown {
				t.Errorf("%d Workflows are stored; %d were reported, and %d as unknown", got, started, unknown)
			}
			if p.Faults() == 0 {
				t.Error("no fault happened")
			}
			t.Logf("%d faults: %d started, %d refused, %d unknown", p.Faults(), started, refused, unknown)
			call(t, http.MethodDelete, workflows+"?labelSelector=batch%3D"+batch, "", nil)
		})
	}
}
