package engine_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

type record13 struct {
	Name dsl.Param[string]   `json:"name"`
	N    dsl.Param[int64]    `json:"n"`
	Tags dsl.Param[[]string] `json:"tags"`
}

type records13In struct {
	Records dsl.Param[[]record13]
	Any     dsl.Param[map[string]any]
}

type values13In struct {
	Text dsl.Param[string]
	N    dsl.Param[int64]
	Note dsl.Param[string] `kfp:",optional"`
}

// TestRecordsWithReferences: a loop over records of which some fields are inputs and outputs, and
// the same in a struct: they are filled in, each as what it is.
func TestRecordsWithReferences(t *testing.T) {
	const odd = `a "b" {{c}} \ $d <é>`
	var items []string
	read := dsl.Func("read", func(_ context.Context, in record13, _ *dsl.None) error {
		b, err := json.Marshal([]any{in.Name.Get(), in.N.Get(), in.Tags.Get()})
		items = append(items, string(b))
		return err
	})
	got := map[string]any{}
	whole := dsl.Func("whole", func(_ context.Context, in records13In, _ *dsl.None) error {
		got = in.Any.Get()
		return nil
	})
	p := dsl.Pipeline("records", func(s *dsl.Scope, in values13In) dsl.None {
		n := double.Call(s, numIn{in.N}).Out.N
		list := dsl.Items(dsl.Values(record13{in.Text, n, dsl.Items(in.Text, dsl.Const("x"))}),
			dsl.Const(record13{dsl.Const("known"), dsl.Const(int64(1)), dsl.Const([]string{})}))
		dsl.ParallelFor(s, list, func(s *dsl.Scope, item dsl.Param[record13]) dsl.None {
			read.Call(s, dsl.Fields(item))
			return dsl.None{}
		}, dsl.Parallelism(1))
		whole.Call(s, records13In{list, dsl.Values(map[string]any{
			"n": n, "text": dsl.Sprintf("<%s>", in.Text), "list": []any{in.Text, 1, dsl.Items(n)}, "note": in.Note, "": true,
		})})
		return dsl.None{}
	})
	params, err := json.Marshal(map[string]any{"text": odd, "n": 1 << 60})
	if err != nil {
		t.Fatal(err)
	}
	if r := start(t, t.Context(), p, engine.Options{}, string(params)); r.State != run.Succeeded {
		t.Fatalf("%s: %s", r.State, r.Error)
	}
	text, _ := json.Marshal(odd)
	want := []string{`[` + string(text) + `,2305843009213693952,[` + string(text) + `,"x"]]`, `["known",1,[]]`}
	if len(items) != 2 || items[0] != want[0] || items[1] != want[1] {
		t.Errorf("items %s, want %s", items, want)
	}
	b, _ := json.Marshal(got)
	wantAll, _ := json.Marshal(map[string]any{"n": 1 << 61, "text": "<" + odd + ">", "list": []any{odd, 1, []any{1 << 61}}, "note": "", "": true})
	var x, y any
	_ = json.Unmarshal(b, &x)
	_ = json.Unmarshal(wantAll, &y)
	if xs, ys := mustJSON(x), mustJSON(y); xs != ys {
		t.Errorf("got %s, want %s", xs, ys)
	}
}

func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
