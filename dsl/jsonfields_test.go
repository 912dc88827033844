package dsl_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
)

type inner struct {
	X int `json:"x"`
	Y string
	Z string `json:"z"`
}

type Named struct {
	W int `json:"w"`
}

type tagged struct {
	inner
	Named `json:"named"`
	//lint:ignore SA5008 what encoding/json takes for no name is what is tested
	Quote string `json:"it's"`
	//lint:ignore SA5008 a dash as a name is
	Dash   string `json:"-,"`
	Hidden string `json:"-"`
	Space  string `json:"a b.c"`
	Z      string `json:"z"` // hides the embedded one
	Empty  string `json:",omitempty"`
}

// TestJSONNames: fields have the names that encoding/json gives them, since that
// writes the values.
func TestJSONNames(t *testing.T) {
	b, err := json.Marshal(tagged{Empty: "x"})
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(b, &keys); err != nil {
		t.Fatal(err)
	}
	type in struct{ T dsl.Param[tagged] }
	p := dsl.Pipeline("p", func(s *dsl.Scope, in in) dsl.None {
		for _, f := range []dsl.Param[string]{
			dsl.Field(in.T, func(t *tagged) *string { return &t.Y }), dsl.Field(in.T, func(t *tagged) *string { return &t.Quote }),
			dsl.Field(in.T, func(t *tagged) *string { return &t.Dash }), dsl.Field(in.T, func(t *tagged) *string { return &t.Space }),
			dsl.Field(in.T, func(t *tagged) *string { return &t.Z }), dsl.Field(in.T, func(t *tagged) *string { return &t.Empty }),
		} {
			show.Call(s, showIn{f})
		}
		double.Call(s, numIn{dsl.Field(in.T, func(t *tagged) *int { return &t.X })})
		double.Call(s, numIn{dsl.Field(dsl.Field(in.T, func(t *tagged) *Named { return &t.Named }), func(n *Named) *int { return &n.W })})
		return dsl.None{}
	})
	g := recorded.Graph(p)
	if len(g.Errors) > 0 {
		t.Fatal(g.Errors)
	}
	var types []string
	for _, f := range g.Component(1).Inputs[0].Type.Fields {
		types = append(types, f.Name)
	}
	slices.Sort(types)
	if want := slices.Sorted(maps.Keys(keys)); !slices.Equal(types, want) {
		t.Errorf("fields %q, and encoding/json has %q", types, want)
	}
	for _, v := range g.Values {
		if v.Kind == graph.Member && v.Name != "w" {
			if _, ok := keys[v.Name]; !ok {
				t.Errorf("a field %q, and encoding/json has %q", v.Name, slices.Sorted(maps.Keys(keys)))
			}
		}
	}
}

// TestJSONText: a tag that makes texts of numbers would give another type than the field's.
func TestJSONText(t *testing.T) {
	type quoted struct {
		N int `json:"n,string"`
	}
	type in struct{ Q dsl.Param[quoted] }
	err := dsl.Pipeline("p", func(s *dsl.Scope, in in) dsl.None { return dsl.None{} }).Check()
	if want := "field N of dsl_test.quoted: its json tag makes a string of it"; !strings.Contains(fmt.Sprint(err), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
