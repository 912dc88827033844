package argo

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/net/scrub"
	"github.com/kfpgo/kfpgo/internal/testing/faults"
)

type greetIn struct {
	Name dsl.Param[string]
	Day  dsl.Param[time.Time] `kfp:",optional"`
	N    dsl.Param[int]       `default:"3"`
}

var greet = dsl.Container("greet", func(in greetIn, _ dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1.36", Command: dsl.Args("echo", in.Name)}
})

var hello = dsl.Pipeline("hello", func(s *dsl.Scope, in greetIn) dsl.None {
	greet.Call(s, in)
	return dsl.None{}
})

// TestFaults: each submission that is reported is one Workflow, and one that isn't
// is none, whatever happens to three of ten requests.
func TestFaults(t *testing.T) {
	const n = 50
	for way, begin := range ways {
		for i, kind := range faults.Kinds {
			t.Run(way+"/"+string(kind), func(t *testing.T) {
				t.Parallel()
				f, url, connect := begin(t)
				p := faults.New(t, url, kind, 0.3, uint64(100+i))
				p.Delay = 3 * time.Second
				c := connect(t, p.URL, time.Second) // longer than a busy machine takes for what has no fault
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				errs := make([]error, n)
				var wg sync.WaitGroup
				for i := range n {
					wg.Go(func() {
						_, errs[i] = client.Submit(ctx, c, hello, greetIn{Name: dsl.Const("Ada")}, client.Name("hello"), client.Token(fmt.Sprint(i)))
					})
				}
				wg.Wait()
				started, open := 0, 0
				for _, err := range errs {
					switch {
					case err == nil:
						started++
					case strings.Contains(err.Error(), "not known whether"):
						open++
					case client.CodeOf(err) == "":
						t.Errorf("an error without a code: %v", err)
					}
				}
				for _, err := range errs {
					if err != nil {
						t.Logf("such as: %v", err)
						break
					}
				}
				if got := f.count("workflows"); got < started || got > started+open {
					t.Errorf("%d Workflows, and %d were reported, %d as unknown", got, started, open)
				}
				if p.Faults() == 0 {
					t.Error("no fault happened")
				}
				t.Logf("%d faults: %d of %d started, %d unknown", p.Faults(), started, n, open)
			})
		}
	}
}

func TestSubmit(t *testing.T) {
	f := newFake(t)
	c := connected(t, f.URL, time.Second)
	ctx := t.Context()
	day := time.Date(2027, 3, 27, 2, 0, 0, 0, time.UTC)
	in := greetIn{Name: dsl.Const("it's {x}"), Day: dsl.Const(day)}
	r, err := client.Submit(ctx, c, hello, in, client.Name("Hello World"), client.Token("a"), client.ServiceAccount("runner"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := client.Submit(ctx, c, hello, in, client.Name("Hello again, a second later"), client.Token("a"))
	if err != nil || again.ID != r.ID || f.count("workflows") != 1 {
		t.Errorf("%+v, %v", again, err)
	}
	if !strings.HasPrefix(r.ID, "hello-") || r.Name != "Hello World" || r.State != client.Pending || r.Pipeline != "hello" {
		t.Errorf("%+v", r)
	}
	if got := fmt.Sprintf("%s", r.Args); got != `map[day:"2027-03-27T02:00:00Z" n:3 name:"it's {x}"]` {
		t.Error(got)
	}
	if _, err := c.Submit(ctx, client.Submission{Name: "x", Spec: []byte("kind: PipelineRun\n")}); client.CodeOf(err) != client.Invalid {
		t.Error(err)
	}
	if _, err := c.Get(ctx, "nosuch"); client.CodeOf(err) != client.NotFound || !strings.Contains(err.Error(), "the namespace is ml") {
		t.Error(err)
	}
	for _, k := range []*cluster{c.access.(*cluster), {conf: Config{Endpoint: f.URL, Timeout: time.Second}, secrets: &scrub.Set{}}} { // with and without a credential
		if err := k.load(); err != nil {
			t.Fatal(err)
		}
		if api := k.podsOf(c, r.ID).API; api.HTTP == nil || api.Base != f.URL {
			t.Errorf("%+v", api)
		}
	}
	page, err := c.List(ctx, client.ListOptions{Name: "Hello World"})
	if err != nil || len(page.Runs) != 1 || page.Next != "" {
		t.Errorf("%+v, %v", page, err)
	}
	if err := c.Delete(ctx, r.ID); client.CodeOf(err) != client.Precondition {
		t.Error(err)
	}
	if err := c.Terminate(ctx, r.ID); err != nil {
		t.Error(err)
	}
	if r, err = c.Get(ctx, r.ID); err != nil || r.State != client.Cancelling {
		t.Errorf("%+v, %v", r, err)
	}
	f.URL = ""
	k := c.access.(*cluster)
	k.conf.Token = "wrong"
	if err := k.load(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Get(ctx, r.ID); client.CodeOf(err) != client.Unauthenticated || !strings.Contains(err.Error(), "sent was a token") || strings.Contains(err.Error(), "wrong") {
		t.Error(err)
	}
}

const failed = `{"metadata": {"name": "w", "labels": {"workflows.argoproj.io/completed": "true"}}, "status": {"phase": "Failed", "message": "child failed",
  "nodes": {
    "w": {"id": "w", "displayName": "w", "type": "DAG", "phase": "Failed", "children": ["w-1", "w-2"], "startedAt": "2027-01-01T00:00:00Z"},
    "w-1": {"id": "w-1", "displayName": "load", "templateName": "load", "type": "Pod", "phase": "Succeeded", "boundaryID": "w", "children": ["w-3"], "startedAt": "2027-01-01T00:00:00Z"},
    "w-2": {"id": "w-2", "displayName": "for-loop-1", "type": "DAG", "phase": "Failed", "boundaryID": "w", "children": ["w-4"], "startedAt": "2027-01-01T00:00:01Z"},
    "w-4": {"id": "w-4", "displayName": "it", "type": "TaskGroup", "phase": "Failed", "boundaryID": "w-2", "children": ["w-5"], "startedAt": "2027-01-01T00:00:01Z"},
    "w-5": {"id": "w-5", "displayName": "it(0:{a})", "type": "DAG", "phase": "Failed", "boundaryID": "w-2", "children": ["w-6"], "startedAt": "2027-01-01T00:00:02Z"},
    "w-6": {"id": "w-6", "displayName": "train", "type": "Retry", "phase": "Failed", "message": "exit code 1", "boundaryID": "w-5", "children": ["w-7", "w-8"], "startedAt": "2027-01-01T00:00:03Z"},
    "w-7": {"id": "w-7", "displayName": "train(0)", "templateName": "train", "type": "Pod", "phase": "Failed", "boundaryID": "w-5", "startedAt": "2027-01-01T00:00:03Z"},
    "w-8": {"id": "w-8", "displayName": "train(1)", "templateName": "train", "type": "Pod", "phase": "Failed", "boundaryID": "w-5", "startedAt": "2027-01-01T00:00:04Z"},
    "w-3": {"id": "w-3", "displayName": "serve", "type": "Skipped", "phase": "Omitted", "boundaryID": "w", "startedAt": "2027-01-01T00:00:09Z"}
  }}}`

// TestTasks: nodes are tasks by the names that the pipeline has for them.
func TestTasks(t *testing.T) {
	var w wfv1.Workflow
	if err := json.Unmarshal([]byte(failed), &w); err != nil {
		t.Fatal(err)
	}
	r := runOf(&w, true)
	var got []string
	for _, task := range r.Tasks {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %d %s %s", task.Path, task.State, task.Attempts, task.Pod, task.Error)))
	}
	want := []string{
		"load SUCCEEDED 1 w-load-1", "for-loop-1 FAILED 0", "for-loop-1/0 FAILED 0",
		"for-loop-1/0/train FAILED 2 w-train-8 exit code 1", "serve SKIPPED 0",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r.State != client.Failed || r.Error != "child failed" {
		t.Errorf("%+v", r)
	}
	pods := again(&w)
	if len(pods) != 2 || w.Status.Phase != "Running" || w.Status.Nodes["w-2"].Phase != "Running" || len(w.Status.Nodes["w-5"].Children) != 0 || w.Labels[labelDone] != "" {
		t.Errorf("%v, %+v", pods, w.Status)
	}
	if _, there := w.Status.Nodes["w-3"]; there || w.Status.Nodes["w-1"].Phase != "Succeeded" {
		t.Errorf("%+v", w.Status.Nodes)
	}
}

// TestUnansweredThenRefused: a try without an answer may still be done by the server,
// whatever it says to the next one and to who looks.
func TestUnansweredThenRefused(t *testing.T) {
	tries := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method != http.MethodPost:
			http.Error(w, `{"kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404}`, http.StatusNotFound)
		case tries > 0:
			http.Error(w, `{"kind": "Status", "status": "Failure", "reason": "Forbidden", "code": 403}`, http.StatusForbidden)
		default:
			tries++
			panic(http.ErrAbortHandler)
		}
	}))
	defer srv.Close()
	_, err := client.Submit(t.Context(), connected(t, srv.URL, time.Second), hello, greetIn{Name: dsl.Const("Ada")}, client.Name("hello"))
	if client.CodeOf(err) != client.Denied || !strings.Contains(err.Error(), "not known whether") {
		t.Errorf("%v", err)
	}
}
