package kfp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
)

// server is where the real server listens.
func server() string {
	if s := os.Getenv("KFPGO_TEST_KFP"); s != "" {
		return s
	}
	return "http://127.0.0.1:8888"
}

func connect(t *testing.T, o kfp.Config) *kfp.Client {
	t.Helper()
	if o.Endpoint == "" {
		o.Endpoint = server()
	}
	c, err := kfp.Connect(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

type helloIn struct {
	Name dsl.Param[string] `default:"Ada"`
	N    dsl.Param[int]    `default:"1"`
}

var say = dsl.Container("say", func(in helloIn, _ dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "registry.local/busybox:1", Command: dsl.Args("echo", in.Name, in.N)}
})

// hello has the name that test/kfp/manifests keeps from running: the server is
// what these tests are about.
var hello = dsl.Pipeline("idle", func(s *dsl.Scope, in helloIn) dsl.None {
	say.Call(s, in)
	return dsl.None{}
})

func compile(t *testing.T, d dsl.Definition) []byte {
	t.Helper()
	b, err := compiler.Compile(d, compiler.KFP)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// unique names something of a test that the server hasn't.
func unique(t *testing.T) string {
	return fmt.Sprintf("%s-%x", t.Name(), time.Now().UnixNano()&0xffffffff)
}

func no(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func code(t *testing.T, err error, want client.Code) {
	t.Helper()
	if client.CodeOf(err) != want {
		t.Errorf("got %v, want an error with code %q", err, want)
	}
}

func TestPipelines(t *testing.T) {
	ctx, c, name := t.Context(), connect(t, kfp.Config{}), unique(t)
	spec := compile(t, hello)
	v, change, err := c.Upload(ctx, kfp.Upload{Pipeline: name, Spec: spec})
	no(t, err)
	if change != client.Created {
		t.Errorf("the first upload: %s", change)
	}
	again, change, err := c.Upload(ctx, kfp.Upload{Pipeline: name, Spec: spec})
	no(t, err)
	if change != client.Unchanged || again.ID != v.ID {
		t.Errorf("the same again: %s, %s and %s", change, again.ID, v.ID)
	}
	other := compile(t, dsl.Pipeline("idle-other", func(s *dsl.Scope, in helloIn) dsl.None { say.Call(s, in); say.Call(s, in); return dsl.None{} }))
	v2, change, err := c.Upload(ctx, kfp.Upload{Pipeline: name, Version: "two", Spec: other})
	no(t, err)
	if change != client.Updated || v2.Name != "two" {
		t.Errorf("another content: %s %+v", change, v2)
	}
	if _, change, err = c.Upload(ctx, kfp.Upload{Pipeline: name, Version: "two", Spec: other}); err != nil || change != client.Unchanged {
		t.Errorf("the same version again: %s %v", change, err)
	}
	_, _, err = c.Upload(ctx, kfp.Upload{Pipeline: name, Version: "two", Spec: spec})
	code(t, err, client.Exists)
	p, err := c.Pipeline(ctx, name)
	no(t, err)
	n := 0
	for v, err := range c.Versions(ctx, p.ID, kfp.ListOptions{Size: 1}) {
		no(t, err)
		if n++; v.Name != "two" && v.ID != again.ID {
			t.Errorf("version %+v", v)
		}
	}
	if n != 2 {
		t.Errorf("%d versions", n)
	}
	n = 0
	for p, err := range c.Pipelines(ctx, kfp.ListOptions{Name: name}) {
		no(t, err)
		if n++; p.Name != name {
			t.Errorf("pipeline %+v", p)
		}
	}
	if n != 1 {
		t.Errorf("%d pipelines", n)
	}
	got, err := c.Version(ctx, p.ID, "two")
	no(t, err)
	if got.Spec == nil {
		t.Error("no spec")
	}
	r, err := c.SubmitVersion(ctx, kfp.VersionRef{Pipeline: name, Version: "two"}, client.Submission{})
	no(t, err)
	if r.Version != v2.ID {
		t.Errorf("run %+v", r)
	}
	no(t, c.DeleteVersion(ctx, p.ID, "two"))
	_, err = c.Version(ctx, p.ID, "two")
	code(t, err, client.NotFound)
	no(t, c.DeletePipeline(ctx, name))
	_, err = c.Pipeline(ctx, name)
	code(t, err, client.NotFound)
	_, err = c.Pipeline(ctx, p.ID)
	code(t, err, client.NotFound)
}

func TestExperiments(t *testing.T) {
	ctx, c, name := t.Context(), connect(t, kfp.Config{}), unique(t)
	e, change, err := c.CreateExperiment(ctx, name, "for a test")
	no(t, err)
	if change != client.Created || e.Description != "for a test" {
		t.Errorf("%s %+v", change, e)
	}
	if _, change, err = c.CreateExperiment(ctx, name, ""); err != nil || change != client.Unchanged {
		t.Errorf("the same again: %s %v", change, err)
	}
	got, err := c.Experiment(ctx, name)
	no(t, err)
	if got.ID != e.ID {
		t.Errorf("%+v", got)
	}
	no(t, c.ArchiveExperiment(ctx, name))
	if got, err = c.Experiment(ctx, e.ID); err != nil || !got.Archived {
		t.Errorf("%+v %v", got, err)
	}
	no(t, c.UnarchiveExperiment(ctx, e.ID))
	found := false
	for e, err := range c.Experiments(ctx, kfp.ListOptions{Size: 1}) {
		no(t, err)
		found = found || e.Name == name
	}
	if !found {
		t.Error("not in the list")
	}
	no(t, c.DeleteExperiment(ctx, name))
	_, err = c.Experiment(ctx, name)
	code(t, err, client.NotFound)
}

func TestRuns(t *testing.T) {
	ctx, c, name := t.Context(), connect(t, kfp.Config{}), unique(t)
	var ids []string
	for i := range 3 {
		r, err := client.Submit(ctx, c, hello, helloIn{Name: dsl.Const("Bob"), N: dsl.Const(i)}, client.Name(fmt.Sprintf("%s-%d", name, i)), client.Experiment(name))
		no(t, err)
		ids = append(ids, r.ID)
	}
	r, err := c.Get(ctx, ids[1])
	no(t, err)
	if string(r.Args["name"]) != `"Bob"` || string(r.Args["n"]) != "1" || r.Pipeline != "idle" || r.Created.IsZero() || r.State.Done() {
		t.Errorf("%+v", r)
	}
	n := 0
	for r, err := range client.Runs(ctx, c, client.ListOptions{Experiment: name, Size: 1, Sort: "name"}) {
		no(t, err)
		if r.ID != ids[n] {
			t.Errorf("run %d is %s", n, r.Name)
		}
		n++
	}
	if n != 3 {
		t.Errorf("%d runs", n)
	}
	p, err := c.List(ctx, client.ListOptions{Name: name + "-2"})
	no(t, err)
	if len(p.Runs) != 1 || p.Runs[0].ID != ids[2] {
		t.Errorf("by name: %+v", p)
	}
	code(t, c.Delete(ctx, ids[0]), client.Precondition)
	code(t, c.Retry(ctx, ids[0]), client.Precondition)
	no(t, c.Terminate(ctx, ids[0]))
	ended, stop := context.WithTimeout(ctx, patience)
	defer stop()
	r, err = client.Wait(ended, c, ids[0], client.WaitOptions{Interval: time.Second / 2})
	no(t, err)
	if r.State != client.Failed && r.State != client.Cancelled || r.Err() == nil {
		t.Errorf("terminated: %+v", r)
	}
	p, err = c.List(ctx, client.ListOptions{Experiment: name, State: r.State})
	no(t, err)
	if len(p.Runs) != 1 || p.Runs[0].ID != ids[0] {
		t.Errorf("by state %s: %+v", r.State, p)
	}
	no(t, c.Retry(ctx, ids[0]))
	if r, err = c.Get(ctx, ids[0]); err != nil || r.State.Done() {
		t.Errorf("retried: %+v %v", r, err)
	}
	no(t, c.Archive(ctx, ids[1]))
	p, err = c.List(ctx, client.ListOptions{Experiment: name, Archived: true})
	no(t, err)
	if len(p.Runs) != 1 || p.Runs[0].ID != ids[1] || !p.Runs[0].Archived {
		t.Errorf("archived: %+v", p)
	}
	no(t, c.Unarchive(ctx, ids[1]))
	for _, id := range ids {
		no(t, c.Terminate(ctx, id))
	}
	for _, id := range ids {
		_, err = client.Wait(ended, c, id, client.WaitOptions{Interval: time.Second / 2})
		no(t, err)
		no(t, c.Delete(ctx, id))
		_, err = c.Get(ctx, id)
		code(t, err, client.NotFound)
	}
}

// TestPackage runs compiled YAML, and uploads it.
func TestPackage(t *testing.T) {
	ctx, c, name := t.Context(), connect(t, kfp.Config{}), unique(t)
	yaml, err := compiler.Compile(hello, compiler.KFP)
	no(t, err)
	r, err := c.Submit(ctx, client.Submission{Name: name, Spec: yaml, Args: map[string]json.RawMessage{"n": json.RawMessage("7")}})
	no(t, err)
	if r.Name != name || string(r.Args["n"]) != "7" {
		t.Errorf("%+v", r)
	}
	no(t, c.Terminate(ctx, r.ID))
	v, change, err := c.Upload(ctx, kfp.Upload{Pipeline: name, Version: "1", Spec: yaml})
	no(t, err)
	if change != client.Created || v.Name != "1" {
		t.Errorf("%s %+v", change, v)
	}
	n := 0
	for p, err := range c.Pipelines(ctx, kfp.ListOptions{Size: 2}) {
		no(t, err)
		if p.Name == name {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d times in the list", n)
	}
	no(t, c.DeletePipeline(ctx, name))
}

func TestTokens(t *testing.T) {
	ctx, c, name := t.Context(), connect(t, kfp.Config{}), unique(t)
	a, err := client.Submit(ctx, c, hello, helloIn{}, client.Token(name))
	no(t, err)
	b, err := client.Submit(ctx, c, hello, helloIn{}, client.Token(name))
	no(t, err)
	if a.ID != b.ID {
		t.Errorf("two runs, %s and %s", a.ID, b.ID)
	}
}

func TestRecurringRuns(t *testing.T) {
	ctx, c, name := t.Context(), connect(t, kfp.Config{}), unique(t)
	v, _, err := c.Upload(ctx, kfp.Upload{Pipeline: name, Spec: compile(t, hello)})
	no(t, err)
	_, err = c.CreateRecurringRun(ctx, kfp.RecurringRun{Name: name, Every: time.Hour, Version: v.ID, Pipeline: v.Pipeline, MaxConcurrency: 11})
	code(t, err, client.Invalid)
	r, err := c.CreateRecurringRun(ctx, kfp.RecurringRun{Name: name, Every: 2 * time.Second, Version: v.ID, Pipeline: v.Pipeline, MaxConcurrency: 2, Enabled: true, Experiment: name, Start: time.Now()})
	no(t, err)
	got, err := c.RecurringRun(ctx, name)
	no(t, err)
	if got.ID != r.ID || !got.Enabled || got.Every != 2*time.Second || got.MaxConcurrency != 2 || got.Version != v.ID {
		t.Errorf("%+v", got)
	}
	no(t, c.DisableRecurringRun(ctx, name))
	if got, err = c.RecurringRun(ctx, r.ID); err != nil || got.Enabled {
		t.Errorf("disabled: %+v %v", got, err)
	}
	no(t, c.EnableRecurringRun(ctx, r.ID))
	for end := time.Now().Add(patience); ; time.Sleep(time.Second) {
		p, err := c.List(ctx, client.ListOptions{Schedule: name})
		no(t, err)
		if len(p.Runs) >= 2 {
			if p.Runs[0].Schedule != r.ID {
				t.Errorf("%+v", p.Runs[0])
			}
			break
		}
		if time.Now().After(end) {
			t.Fatal("it doesn't fire")
		}
	}
	spec, err := kfp.SpecOf(compile(t, hello))
	no(t, err)
	cron, err := c.CreateRecurringRun(ctx, kfp.RecurringRun{Name: name, Cron: "0 0 3 * * *", Spec: spec, End: time.Now().Add(24 * time.Hour)})
	no(t, err)
	if got, err = c.RecurringRun(ctx, cron.ID); err != nil || got.Enabled || got.Cron != "0 0 3 * * *" || got.End.IsZero() || got.Spec == nil {
		t.Errorf("%+v %v", got, err)
	}
	_, err = c.RecurringRun(ctx, name)
	code(t, err, client.Invalid) // two have the name
	n := 0
	for _, err := range c.RecurringRuns(ctx, "", kfp.ListOptions{Name: name, Size: 1}) {
		no(t, err)
		n++
	}
	if n != 2 {
		t.Errorf("%d recurring runs", n)
	}
	for _, id := range []string{r.ID, cron.ID} {
		no(t, c.DeleteRecurringRun(ctx, id))
		_, err = c.RecurringRun(ctx, id)
		code(t, err, client.NotFound)
	}
}
