package kfp

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/testing/fakekfp"
)

// TestVersions: answers of servers of other versions than the types that kfpgo was
// built with are read, with unknown fields and values, and with forms that have changed.
// testdata/servers has them, in the forms of their versions' definitions of the API.
func TestVersions(t *testing.T) {
	files, err := filepath.Glob("testdata/servers/*.txtar")
	if err != nil || len(files) != 3 {
		t.Fatalf("%q %v", files, err)
	}
	const run, pipe, ver, exp, rec = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333",
		"44444444-4444-4444-8444-444444444444", "55555555-5555-4555-8555-555555555555"
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			answers := map[string]string{}
			for _, f := range a.Files {
				answers[f.Name] = string(f.Data)
			}
			s := fakekfp.New(t)
			s.Replay(answers)
			c, ctx := to(t, Config{Endpoint: s.URL}), t.Context()
			check := func(what string, err error, got, want any) {
				t.Helper()
				if g, w := fmt.Sprint(got), fmt.Sprint(want); err != nil || g != w {
					t.Errorf("%s: got %s %v, want %s", what, g, err, w)
				}
			}
			state := client.Succeeded
			if strings.Contains(file, "next") {
				state = "EXPIRED"
			}
			h, err := c.Health(ctx)
			want := Health{}
			if strings.Contains(file, "2.17") {
				want = Health{MultiUser: true, Version: "2.17.0"}
			}
			check("health", err, h, want)
			r, err := client.Wait(ctx, c, run, client.WaitOptions{Interval: time.Millisecond, Patience: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			check("run", nil, []any{r.ID, r.Name, r.State, r.Version, r.Pipeline, r.Experiment, r.Archived}, []any{run, "calc 1", state, ver, pipe, exp, false})
			check("times", nil, []any{r.Created.Truncate(time.Second).Format(time.RFC3339), r.Ended.Format(time.RFC3339), r.Scheduled.IsZero()}, []any{"2026-03-14T15:09:26Z", "2026-03-14T15:10:26Z", true})
			check("arguments", nil, fmt.Sprintf("%s", r.Args), "map[list:[1,null,{\"a\":true}] n:9007199254740993 none:null rate:0.1]")
			if len(r.Tasks) == 0 || r.Tasks[0].Path != "train" || r.Tasks[0].State != client.Succeeded || r.Tasks[0].Started.IsZero() {
				t.Errorf("tasks %+v", r.Tasks)
			}
			if err := r.Err(); (err == nil) != (state == client.Succeeded) || err != nil && !strings.Contains(err.Error(), "EXPIRED: it took too long") {
				t.Errorf("its error is %v", err)
			}
			page, err := c.List(ctx, client.ListOptions{})
			if err != nil || len(page.Runs) != 1 || page.Next != "" || page.Runs[0].State != state {
				t.Errorf("runs %+v %v", page, err)
			}
			p, err := c.Pipeline(ctx, pipe)
			if err != nil {
				t.Fatal(err)
			}
			check("pipeline", err, []any{p.ID, p.Name}, []any{pipe, "calc"})
			if ps, next, err := c.ListPipelines(ctx, ListOptions{}); err != nil || len(ps) != 1 || ps[0].Name != "calc" || next != "" {
				t.Errorf("pipelines %+v %v", ps, err)
			}
			v, err := c.LatestVersion(ctx, pipe)
			if err != nil {
				t.Fatal(err)
			}
			check("version", err, []any{v.ID, v.Name, v.Pipeline}, []any{ver, "v1", pipe})
			if yaml, err := YAMLOf(v.Spec); err != nil || !strings.Contains(string(yaml), "9007199254740993") {
				t.Errorf("the specification is\n%s%v", yaml, err)
			}
			j, err := c.RecurringRun(ctx, rec)
			if err != nil {
				t.Fatal(err)
			}
			check("recurring run", err, []any{j.ID, j.Name, j.Enabled, j.Every, j.MaxConcurrency > 0, j.Experiment, j.Version}, []any{rec, "nightly", true, time.Minute, true, exp, ver})
			if js, _, err := c.ListRecurringRuns(ctx, "", ListOptions{}); err != nil || len(js) != 1 || js[0].Every != time.Minute {
				t.Errorf("recurring runs %+v %v", js, err)
			}
			e, err := c.Experiment(ctx, exp)
			if err != nil {
				t.Fatal(err)
			}
			check("experiment", err, []any{e.ID, e.Name, e.Archived}, []any{exp, "Default", false})
			if es, _, err := c.ListExperiments(ctx, ListOptions{}); err != nil || len(es) != 1 || es[0].Name != "Default" {
				t.Errorf("experiments %+v %v", es, err)
			}
		})
	}
}

// TestAnswers: lists that are absent are empty, and what isn't KFP's answer is an error
// that says so, not an empty list.
func TestAnswers(t *testing.T) {
	s := fakekfp.New(t)
	c := to(t, Config{Endpoint: s.URL, Timeout: time.Second})
	for answer, want := range map[string]string{
		`{}`: "", `{"runs": null}`: "", `{"runs": []}`: "", `{"next_page_token": "", "total_size": 0}`: "", `{"runs": [{}], "x": [1, {"y": null}]}`: "",
		`{"runs": "all"}`: "not one of KFP 2", `{"runs": ["a"]}`: "not one of KFP 2", `{"runs": {}}`: "not one of KFP 2", `[]`: "not the JSON object", `"x"`: "not the JSON object", `{`: "not one of KFP 2",
		``: "not the JSON object",
	} {
		s.Replay(map[string]string{"GET runs": answer})
		p, err := c.List(t.Context(), client.ListOptions{})
		if want == "" && (err != nil || p.Runs == nil) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %+v %v, want %q", answer, p, err, want)
		}
	}
}

// TestErrorForms: errors in the forms in which servers from 2.0 to 2.17, and what stands
// before them, tell them.
func TestErrorForms(t *testing.T) {
	s := fakekfp.New(t)
	c := to(t, Config{Endpoint: s.URL})
	for _, e := range []struct {
		status     int
		kind, body string
		code       client.Code
		msg        string
	}{
		{404, "application/json", `{"error": "Run 1 not found", "code": 5, "message": "Run 1 not found", "details": []}`, client.NotFound, "Run 1 not found"},
		{404, "application/json", `{"code": 5, "message": "Run 1 not found", "details": [{"@type": "type.googleapis.com/google.rpc.Status", "code": 5, "value": {"x": 1}}]}`, client.NotFound, "Run 1 not found"},
		{403, "application/json", `{"error": {"code": 7, "message": "not yours", "status": "PERMISSION_DENIED"}}`, client.Denied, "not yours"},
		{400, "application/json", `{"code": "INVALID_ARGUMENT", "message": "a bad filter"}`, client.Invalid, "a bad filter"},
		{400, "application/json", `{"code": 9, "message": "not now", "details": null, "reason": "X", "domain": "kfp"}`, client.Precondition, "not now"},
		{400, "application/json", `{"code": 99, "message": "a code of its own"}`, client.Invalid, "a code of its own"},
		{500, "application/json", `{"error_message": "no room", "error_details": "x"}`, client.Internal, "no room"},
		{500, "application/json", `{"code": "INTERNAL", "message": "it broke"}`, client.Internal, "it broke"},
		{501, "application/json", `{"code": 12, "message": "Method Not Allowed", "details": []}`, client.Unsupported, "Method Not Allowed"},
		{401, "text/plain", "Unauthenticated", client.Unauthenticated, "Unauthenticated"},
		{403, "text/plain; charset=utf-8", "RBAC: access denied", client.Denied, "RBAC: access denied"},
		{404, "text/html", "<html>nothing</html>", client.NotFound, "Not Found"},
		{404, "", "", client.NotFound, "Not Found"},
	} {
		s.First(func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", e.kind)
			w.WriteHeader(e.status)
			io.WriteString(w, e.body)
			return true
		})
		_, err := c.Get(t.Context(), "1")
		if client.CodeOf(err) != e.code || !strings.Contains(fmt.Sprint(err), e.msg) {
			t.Errorf("%d %s: got %v, want %s: %s", e.status, e.body, err, e.code, e.msg)
		}
	}
}

// TestBareHost: a host without a scheme is one of https, as KFP's SDK has it, where it
// is not near.
func TestBareHost(t *testing.T) {
	for endpoint, want := range map[string]string{
		"kfp.example.com": "https://kfp.example.com", "kfp.example.com:8080/pipeline/": "https://kfp.example.com:8080/pipeline", "localhost:8888": "http://localhost:8888",
		"127.0.0.1:8888": "http://127.0.0.1:8888", "[::1]:80": "http://[::1]:80", "ml-pipeline:8888": "http://ml-pipeline:8888", "ml-pipeline.kubeflow.svc:8888": "http://ml-pipeline.kubeflow.svc:8888",
		"ml-pipeline.kubeflow.svc.cluster.local:8888": "http://ml-pipeline.kubeflow.svc.cluster.local:8888", "10.0.0.1": "https://10.0.0.1", "http://kfp.example.com": "http://kfp.example.com",
	} {
		if u, err := address(endpoint); err != nil || u.String() != want {
			t.Errorf("%s: got %v %v, want %s", endpoint, u, err, want)
		}
	}
}
