package dsl_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
)

// The faults that contracts.md section 11 lists. Those that are mistakes of a
// definition are in misuse_test.go: values that were never set, Lookup on a
// reference, fmt.Sprintf in lists and options, two components of one name.

// TestTaskNames has a component whose name is what the second task of another
// one would get.
func TestTaskNames(t *testing.T) {
	p := dsl.Pipeline("names", func(s *dsl.Scope, in numIn) dsl.None {
		double.Call(s, in)
		double.Call(s, in)
		twice.Call(s, in) // its component is double-2
		double.Call(s, in)
		return dsl.None{}
	})
	seen := map[string]bool{}
	for _, task := range recorded.Graph(p).Tasks {
		if seen[task.Name] {
			t.Errorf("two tasks are named %s", task.Name)
		}
		seen[task.Name] = true
	}
	if !seen["double"] || !seen["double-2"] || !seen["double-2-2"] || !seen["double-3"] {
		t.Errorf("names %v", seen)
	}
}

// TestParamTypes maps types to KFP's, or refuses them.
func TestParamTypes(t *testing.T) {
	type named string
	type good struct {
		Time  dsl.Param[time.Time]
		Named dsl.Param[named]
		Wait  dsl.Param[time.Duration]
		Map   dsl.Param[map[string][]float32]
		Self  dsl.Param[node]
	}
	c := dsl.Func("good", func(context.Context, good, *dsl.None) error { return nil })
	if err := c.Check(); err != nil {
		t.Error(err)
	}
	for _, f := range recorded.Graph(c).Component(1).Inputs {
		want := map[string]string{"time": "STRING", "named": "STRING", "wait": "NUMBER_INTEGER", "map": "STRUCT", "self": "STRUCT"}[f.Name]
		if f.Type.Name != want {
			t.Errorf("%s is %s, want %s", f.Name, f.Type.Name, want)
		}
	}
	refused := []dsl.Definition{
		dsl.Func("number", func(context.Context, struct{ X dsl.Param[json.Number] }, *dsl.None) error { return nil }),
		dsl.Func("bytes", func(context.Context, struct{ X dsl.Param[[]byte] }, *dsl.None) error { return nil }),
		dsl.Func("raw", func(context.Context, struct{ X dsl.Param[json.RawMessage] }, *dsl.None) error { return nil }),
		dsl.Func("pointer", func(context.Context, struct{ X dsl.Param[*int] }, *dsl.None) error { return nil }),
		dsl.Func("anything", func(context.Context, struct{ X dsl.Param[any] }, *dsl.None) error { return nil }),
		dsl.Func("model", func(context.Context, struct {
			X dsl.Param[struct{ M dsl.Model }]
		}, *dsl.None) error {
			return nil
		}),
	}
	for _, d := range refused {
		if err := d.Check(); err == nil || !strings.Contains(err.Error(), "can't be") {
			t.Errorf("%s: got %v", d.Name(), err)
		}
	}
}

type node struct{ Children []node }

// TestConst has constants of every kind of awkwardness.
func TestConst(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct {
		in   map[string]json.RawMessage
		want string
	}{
		{args(dsl.Const([]int(nil))), `[]`},
		{args(dsl.Const(map[string]int(nil))), `{}`},
		{args(dsl.Const("it's \"{{x}}\"\n#")), `"it's \"{{x}}\"\n#"`},
		{args(dsl.Const("")), `""`},
		{args(dsl.Const(false)), `false`},
		{args(dsl.Const(int64(1)<<62 + 1)), `4611686018427387905`},
		{args(dsl.Const(at)), `"2030-01-02T03:04:05Z"`},
	} {
		if got := string(tt.in["x"]); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
	if got := dsl.Const(at).String() + dsl.Const("a").String() + dsl.Const([]int{1}).String(); got != "2030-01-02T03:04:05Za[1]" {
		t.Errorf("as text: %s", got)
	}
}

func args[T any](p dsl.Param[T]) map[string]json.RawMessage {
	type in struct{ X dsl.Param[T] }
	c := dsl.Func("args", func(context.Context, in, *dsl.None) error { return nil })
	m, _ := c.Arguments(in{p})
	return m
}

// TestConditions has every comparison, as the graph shows it.
func TestConditions(t *testing.T) {
	type in struct{ A, B dsl.Param[int] }
	conds := map[string]func(in in) dsl.Cond{
		"input a == 1": func(in in) dsl.Cond { return dsl.Eq(in.A, 1) }, "input a == input b": func(in in) dsl.Cond { return dsl.EqRef(in.A, in.B) },
		"input a != 1": func(in in) dsl.Cond { return dsl.Ne(in.A, 1) }, "input a != input b": func(in in) dsl.Cond { return dsl.NeRef(in.A, in.B) },
		"input a < 1": func(in in) dsl.Cond { return dsl.Lt(in.A, 1) }, "input a < input b": func(in in) dsl.Cond { return dsl.LtRef(in.A, in.B) },
		"input a <= 1": func(in in) dsl.Cond { return dsl.Le(in.A, 1) }, "input a <= input b": func(in in) dsl.Cond { return dsl.LeRef(in.A, in.B) },
		"input a > 1": func(in in) dsl.Cond { return dsl.Gt(in.A, 1) }, "input a > input b": func(in in) dsl.Cond { return dsl.GtRef(in.A, in.B) },
		"input a >= 1": func(in in) dsl.Cond { return dsl.Ge(in.A, 1) }, "input a >= input b": func(in in) dsl.Cond { return dsl.GeRef(in.A, in.B) },
		"input a in [1, 2]": func(in in) dsl.Cond { return dsl.In(in.A, 1, 2) },
	}
	for want, cond := range conds {
		p := dsl.Pipeline("p", func(s *dsl.Scope, in in) dsl.None {
			dsl.If(s, cond(in), func(s *dsl.Scope) { double.Call(s, numIn{in.A}) })
			return dsl.None{}
		})
		var got bytes.Buffer
		g := recorded.Graph(p)
		fprint(&got, g, g.Component(1))
		if len(g.Errors) > 0 || !strings.Contains(got.String(), "if "+want+"\n") {
			t.Errorf("want if %s, got %v\n%s", want, g.Errors, got.String())
		}
	}
}

// TestDoc sets the descriptions of components and of ports.
func TestDoc(t *testing.T) {
	c := dsl.Func("doc", func(context.Context, struct {
		X dsl.Param[int] `doc:"a number"`
	}, *dsl.None) error {
		return nil
	}).Doc("\n  Does it.\n")
	if got := recorded.Graph(c).Component(1); got.Doc != "Does it." || got.Inputs[0].Doc != "a number" {
		t.Errorf("got %q and %q", got.Doc, got.Inputs[0].Doc)
	}
}

// TestNil has no panic where a whole definition is missing.
func TestNil(t *testing.T) {
	p := dsl.Pipeline[dsl.None, dsl.None]("nil", nil)
	if err := p.Check(); err == nil {
		t.Error("no error for a pipeline without a function")
	}
	dsl.Container[dsl.None, dsl.None]("nil", nil)
	dsl.If(nil, dsl.Cond{}, func(s *dsl.Scope) {})
	dsl.OneOf(nil, dsl.Cond{}, func(s *dsl.Scope) dsl.Model { return dsl.Model{} }).Else(nil)
}

// TestPanic names the line of the user's code, where Go's own code panicked too.
func TestPanic(t *testing.T) {
	c := dsl.Func("breaks", func(_ context.Context, in numIn, _ *dsl.None) error {
		_ = strings.Repeat("x", in.N.Get()) // want
		return nil
	})
	src, err := os.ReadFile("faults_test.go")
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(src), " // "+"want")
	want := fmt.Sprintf("panic at faults_test.go:%d: strings: negative Repeat count", strings.Count(before, "\n")+1)
	if _, err := c.Run(t.Context(), numIn{dsl.Const(-1)}); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
