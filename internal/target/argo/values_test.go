package argo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
)

type entry struct {
	Name dsl.Param[string] `json:"name"`
	N    dsl.Param[int]    `json:"n"`
	Tag  dsl.Param[string] `json:"tag"`
}

type entryIn struct {
	Entry dsl.Param[entry]
	Text  dsl.Param[string]
}

type entriesIn struct {
	Text dsl.Param[string]
	N    dsl.Param[int]
}

var takeEntry = dsl.Func("take-entry", func(context.Context, entryIn, *dsl.None) error { return nil })

// TestRecordsWithReferences: a loop over records with references in them, and a record of its own.
func TestRecordsWithReferences(t *testing.T) {
	const odd = `a "b" {{c}} \ $d <é>`
	p := dsl.Pipeline("records", func(s *dsl.Scope, in entriesIn) dsl.None {
		one := entry{in.Text, in.N, dsl.Sprintf("%s{%v}", in.Text, in.N)}
		list := dsl.Items(dsl.Values(one), dsl.Const(entry{dsl.Const("$known"), dsl.Const(1), dsl.Const("{{x")}))
		takeEntry.Call(s, entryIn{dsl.Values(one), in.Text})
		dsl.ParallelFor(s, list, func(s *dsl.Scope, item dsl.Param[entry]) dsl.None {
			takeEntry.Call(s, entryIn{item, dsl.Fields(item).Name})
			return dsl.None{}
		})
		return dsl.None{}
	})
	for _, version := range []int{3, 4} {
		s := newSim(t, workflow(t, p, options), map[string]string{"text": odd, "n": "7"})
		s.Version = version
		got := map[string]int{}
		s.step = func(_ string, x map[string]any) (map[string]string, error) {
			b, err := json.Marshal([]any{in(x, "entry"), in(x, "text")})
			got[string(b)]++
			return nil, err
		}
		if n := s.run(); n.phase != "Succeeded" {
			t.Fatal(n.phase)
		}
		key := func(name, tag string, n int) string {
			b, _ := json.Marshal([]any{map[string]any{"name": name, "n": n, "tag": tag}, name})
			return string(b)
		}
		if want := map[string]int{key(odd, odd+"{7}", 7): 2, key("$known", "{{x", 1): 1}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("Argo %d: got %v, want %v", version, got, want)
		}
	}
}
