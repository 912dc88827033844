package kfp_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
)

// BenchmarkWrite writes chains of tasks.
func BenchmarkWrite(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := chain(n)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := kfp.Write(p, kfp.Options{Image: "prog"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// chain returns a program of n tasks, each of which reads the one before.
func chain(n int) *program.Program {
	number := graph.Type{Name: "NUMBER_INTEGER"}
	d := &program.DAG{Kind: program.Pipeline}
	for i := range n {
		t := &program.Task{Name: fmt.Sprintf("add-%d", i), Component: "add", Args: map[string]program.Value{
			"a": {Kind: program.Const, Type: number, Const: json.RawMessage("1")},
			"b": {Kind: program.Input, Type: number, Name: "n"},
		}}
		if i > 0 {
			before := d.Tasks[i-1].Name
			t.Args["a"] = program.Value{Kind: program.Output, Type: number, Task: before, Name: "sum"}
			t.After = []string{before}
		}
		d.Tasks = append(d.Tasks, t)
	}
	return &program.Program{Name: "chain", Main: "chain", Components: []*program.Component{
		{Name: "chain", Inputs: []program.Port{{Name: "n", Type: number}}, DAG: d},
		{Name: "add", Inputs: []program.Port{{Name: "a", Type: number}, {Name: "b", Type: number}}, Outputs: []program.Port{{Name: "sum", Type: number}},
			Exec: &program.Executor{Go: &program.GoStep{Name: "add"}}},
	}}
}
