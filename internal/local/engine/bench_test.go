package engine_test

import (
	"context"
	"encoding/json"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
)

// BenchmarkLoop runs a loop over 10,000 items, and prints how large the heap and the
// stacks get, in megabytes, and how much of them an item keeps at the end, in bytes.
func BenchmarkLoop(b *testing.B) {
	const items = 10_000
	var most atomic.Uint64
	measure := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapInuse + m.StackInuse
	}
	step := dsl.Func("step", func(_ context.Context, in numIn, out *numOut) error {
		if in.N.Get()%100 == 0 {
			most.Store(max(most.Load(), measure()))
		}
		out.N.Set(in.N.Get())
		return nil
	})
	p := dsl.Pipeline("many", func(s *dsl.Scope, in manyIn) manyOut {
		each := dsl.ParallelFor(s, in.List, func(s *dsl.Scope, n dsl.Param[int64]) numOut { return step.Call(s, numIn{n}).Out })
		return manyOut{dsl.Collected(each.Each.N)}
	})
	list := make([]int, items)
	for i := range list {
		list[i] = i
	}
	g := recorded.Graph(p)
	prog, err := lower.Lower(g, g.Component(1))
	if err != nil {
		b.Fatal(err)
	}
	params, _ := json.Marshal(list)
	for b.Loop() {
		runtime.GC()
		before := measure()
		r, err := engine.Run(b.Context(), prog, engine.Options{Home: b.TempDir(), NoCache: true, Parallel: 2, Params: map[string]json.RawMessage{"list": params},
			InProcess: func(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error) {
				c, err := record.Find([]*record.Component{record.Of(p)}, name)
				if err != nil {
					return nil, err
				}
				return c.Run(ctx, input)
			}})
		if err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		b.ReportMetric(float64(most.Load())/1e6, "MB-most")
		b.ReportMetric(float64(measure()-before)/items, "B/item-kept")
		runtime.KeepAlive(r)
	}
}
