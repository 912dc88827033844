package dsl_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl/testdata/mnist"
	"github.com/kfpgo/kfpgo/examples/calc"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

// TestRoundTrip writes graphs as JSON and reads them back, without the Go types
// that they were made from. One of them has mistakes, which it carries.
func TestRoundTrip(t *testing.T) {
	for _, g := range []*graph.Graph{
		recorded.Graph(calc.Pipeline, calc.PythonPipeline, calc.ContainerPipeline),
		recorded.Graph[any](mnist.Pipeline, mnist.Nightly), recorded.Graph(everything), recorded.Graph(misuse),
	} {
		var b bytes.Buffer
		if err := graph.Write(&b, g); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		for _, table := range []string{`"schema":1`, `"components":[`, `"scopes":[`, `"tasks":[`, `"values":[`, `"schedules":[`, `"errors":[`} {
			if !strings.Contains(text, table) {
				t.Errorf("no %s in %.200s", table, text)
			}
		}
		back, err := graph.Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(g, back) {
			t.Errorf("%s changed on the way", g.Component(1).Name)
		}
	}
	if g := recorded.Graph(misuse); len(g.Errors) == 0 || g.Errors[0].File != "misuse_test.go" {
		t.Errorf("errors %v", g.Errors)
	}
}

func TestTypes(t *testing.T) {
	g := recorded.Graph[any](mnist.Pipeline)
	for _, f := range g.Component(1).Inputs {
		if f.Name != "sweep" {
			continue
		}
		e := f.Type.Elem
		if f.Type.Name != "LIST" || e.Name != "STRUCT" || e.Fields[1].Name != "rate" || e.Fields[1].Type.Name != "NUMBER_DOUBLE" {
			t.Errorf("sweep is %+v", f.Type)
		}
		if want := `[{"epochs":5,"rate":0.1},{"epochs":10,"rate":0.01}]`; string(f.Default) != want {
			t.Errorf("default %s, want %s", f.Default, want)
		}
	}
}

// TestGraphFile keeps a graph that has all that one can hold, for the tests of
// package graph, which don't import this one.
func TestGraphFile(t *testing.T) {
	var got bytes.Buffer
	if err := graph.Write(&got, recorded.Graph(everything)); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "../internal/model/graph/testdata/graph.json", got.Bytes())
}

// TestPick tests which pipeline of a package is meant.
func TestPick(t *testing.T) {
	pipeline := func(name string) *graph.Component {
		return &graph.Component{Name: strings.ToLower(name), Var: name, Kind: graph.Pipeline}
	}
	g := func(vars ...string) *graph.Graph {
		g := &graph.Graph{}
		for i, v := range vars {
			c := pipeline(v)
			c.ID = graph.ComponentID(i + 1)
			g.Components = append(g.Components, c)
		}
		return g
	}
	called := g("Outer", "Inner")
	called.Tasks = []*graph.Task{{ID: 1, Component: 2}}
	for _, tt := range []struct {
		g    *graph.Graph
		name string
		want string // or error
	}{
		{g("A", "Pipeline"), "", "Pipeline"},
		{g("A", "Pipeline"), "A", "A"},
		{g("Only"), "", "Only"},
		{called, "", "Outer"},
		{called, "Inner", "Inner"},
		{g("A", "B"), "", "several pipelines; add one of #A, #B"},
		{g("A"), "C", "no exported component variable C; the pipelines are #A"},
		{g(), "", "no exported pipeline"},
	} {
		c, err := tt.g.Pick(tt.name)
		if err == nil && c.Var != tt.want || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, %v, want %s", tt.name, c, err, tt.want)
		}
	}
}
