package kfp

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	pb "github.com/kubeflow/pipelines/third_party/ml-metadata/go/ml_metadata"
	"golang.org/x/tools/txtar"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/internal/testing/fakekfp"
	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

// A question is a call of the client and the answer that it gets.
type question struct {
	path, answer string
	ask          func(ctx context.Context, c *Client) error
}

// questions are the calls that read one answer each.
func questions(t testing.TB) (all []question) {
	t.Helper()
	a, err := txtar.ParseFile("testdata/servers/2.17.txtar")
	if err != nil {
		t.Fatal(err)
	}
	const run, pipe, ver, exp, rec = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333",
		"44444444-4444-4444-8444-444444444444", "55555555-5555-4555-8555-555555555555"
	calls := map[string]func(ctx context.Context, c *Client) error{
		"healthz":           func(ctx context.Context, c *Client) error { _, err := c.Health(ctx); return err },
		"runs/" + run:       func(ctx context.Context, c *Client) error { _, err := c.Get(ctx, run); return err },
		"runs":              func(ctx context.Context, c *Client) error { _, err := c.List(ctx, client.ListOptions{}); return err },
		"pipelines/" + pipe: func(ctx context.Context, c *Client) error { _, err := c.Pipeline(ctx, pipe); return err },
		"pipelines": func(ctx context.Context, c *Client) error {
			_, _, err := c.ListPipelines(ctx, ListOptions{})
			return err
		},
		"pipelines/" + pipe + "/versions": func(ctx context.Context, c *Client) error {
			_, _, err := c.ListVersions(ctx, pipe, ListOptions{})
			return err
		},
		"pipelines/" + pipe + "/versions/" + ver: func(ctx context.Context, c *Client) error { _, err := c.Version(ctx, pipe, ver); return err },
		"recurringruns/" + rec:                   func(ctx context.Context, c *Client) error { _, err := c.RecurringRun(ctx, rec); return err },
		"recurringruns": func(ctx context.Context, c *Client) error {
			_, _, err := c.ListRecurringRuns(ctx, "", ListOptions{})
			return err
		},
		"experiments/" + exp: func(ctx context.Context, c *Client) error { _, err := c.Experiment(ctx, exp); return err },
		"experiments": func(ctx context.Context, c *Client) error {
			_, _, err := c.ListExperiments(ctx, ListOptions{})
			return err
		},
	}
	for _, f := range a.Files {
		call := calls[f.Name[len("GET "):]]
		if call == nil {
			t.Fatalf("nobody asks for %s", f.Name)
		}
		all = append(all, question{f.Name, string(f.Data), call})
	}
	return all
}

// TestMutants: an answer with null, or something else, in any place is an error, or is
// read for what it still says.
func TestMutants(t *testing.T) {
	s := fakekfp.New(t)
	c := to(t, Config{Endpoint: s.URL, Timeout: 5 * time.Second})
	for _, q := range questions(t) {
		if q.path == "GET healthz" {
			continue // it has two fields
		}
		t.Run(q.path, func(t *testing.T) {
			mutants.Each(t, []byte(q.answer), func(bad []byte) {
				s.Replay(map[string]string{q.path: string(bad)})
				_ = q.ask(t.Context(), c)
			})
		})
	}
	// An object that is not there hides none of the others.
	s.Replay(map[string]string{"GET runs/r": `{"run_id": "r", "state": "SUCCEEDED", "state_history": [null], "run_details": {"task_details": [null, {"task_id": "t", "display_name": "train", "child_tasks": [null]}]}}`})
	if r, err := c.Get(t.Context(), "r"); err != nil || len(r.Tasks) != 1 || r.Tasks[0].Path != "train" {
		t.Errorf("%+v %v", r, err)
	}
	s.Replay(map[string]string{"GET runs": `{"runs": [null]}`})
	if p, err := c.List(t.Context(), client.ListOptions{}); err == nil {
		t.Errorf("a run that is null was read: %+v", p)
	}
}

// TestMetadataMutants: what ML Metadata says with anything left out, or of a wrong kind, is
// an error, or is read for what it still says. Protocol buffers have no null.
func TestMetadataMutants(t *testing.T) {
	m := history()
	m.event(4, 2, pb.Event_INPUT, "model") // what it made went into it
	c := m.serve(t, Config{})
	good, err := json.Marshal(map[string]any{
		"executions": list(t, m.executions[1:5]), "artifacts": list(t, m.artifacts), "events": list(t, m.events[:4]),
	})
	if err != nil {
		t.Fatal(err)
	}
	was, n := *m, 0
	mutants.Each(t, good, func(bad []byte) {
		*m = was
		var parts struct{ Executions, Artifacts, Events []json.RawMessage }
		if json.Unmarshal(bad, &parts) != nil || !into(parts.Executions, &m.executions, slices.Concat(was.executions[:1], was.executions[5:])) || !into(parts.Artifacts, &m.artifacts, nil) || !into(parts.Events, &m.events, was.events[4:]) {
			return
		}
		n++
		if tr, err := c.Lineage(t.Context(), "run1/for-loop-1/0/load/data"); err == nil {
			tr.Tree()
		}
		_, _ = c.Artifacts(t.Context(), lineage.Query{})
	})
	t.Logf("%d answers", n)
	if n < 100 {
		t.Errorf("only %d could be sent", n)
	}
}

// list returns messages as JSON has them.
func list[M proto.Message](t *testing.T, all []M) (out []json.RawMessage) {
	t.Helper()
	for _, m := range all {
		b, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}

// into reads messages, and others after them.
func into[T any, M interface {
	*T
	proto.Message
}](from []json.RawMessage, to *[]M, rest []M) bool {
	var all []M
	for _, b := range from {
		m := M(new(T))
		if protojson.Unmarshal(b, m) != nil {
			return false
		}
		all = append(all, m)
	}
	*to = append(all, rest...)
	return true
}

// FuzzAnswers reads any answer to any question.
func FuzzAnswers(f *testing.F) {
	s := fakekfp.New(f)
	c, err := Connect(Config{Endpoint: s.URL, Timeout: time.Second})
	if err != nil {
		f.Fatal(err)
	}
	all := questions(f)
	for i, q := range all {
		f.Add(uint8(i), q.answer)
	}
	f.Fuzz(func(t *testing.T, i uint8, answer string) {
		q := all[int(i)%len(all)]
		s.Replay(map[string]string{q.path: answer})
		_ = q.ask(t.Context(), c)
	})
}
