package dsl_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
)

// chain returns a pipeline of n tasks, each of which reads the one before.
func chain(n int) dsl.Definition {
	return dsl.Pipeline("chain", func(s *dsl.Scope, in numIn) numOut {
		out := double.Call(s, in)
		for range n - 1 {
			out = double.Call(s, numIn{N: out.Out.N}, dsl.CPU("1"))
		}
		return out.Out
	})
}

func BenchmarkGraph(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if g := recorded.Graph(chain(n)); len(g.Errors) > 0 {
					b.Fatal(g.Errors[0])
				}
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	var text bytes.Buffer
	if err := graph.Write(&text, recorded.Graph(chain(10000))); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := graph.Read(text.Bytes()); err != nil {
			b.Fatal(err)
		}
	}
}

// TestDeep nests scopes more deeply than anyone would.
func TestDeep(t *testing.T) {
	var nest func(s *dsl.Scope, in numIn, depth int)
	nest = func(s *dsl.Scope, in numIn, depth int) {
		if depth == 0 {
			double.Call(s, in)
			return
		}
		dsl.If(s, dsl.Gt(in.N, depth), func(s *dsl.Scope) { nest(s, in, depth-1) })
	}
	p := dsl.Pipeline("deep", func(s *dsl.Scope, in numIn) dsl.None {
		nest(s, in, 1000)
		return dsl.None{}
	})
	g := recorded.Graph(p)
	if len(g.Errors) > 0 || len(g.Scopes) != 2001 {
		t.Errorf("%d scopes, errors %v", len(g.Scopes), g.Errors)
	}
	var b bytes.Buffer
	if err := graph.Write(&b, g); err != nil {
		t.Fatal(err)
	}
	if _, err := graph.Read(b.Bytes()); err != nil {
		t.Error(err)
	}
}
