package record

import (
	"math/rand/v2"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
)

// TestWithin compares Within with a climb, in a tree of scopes, and finds what is
// far above in few steps.
func TestWithin(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	scopes := []*Scope{NewScope("pipeline", nil, nil, graph.Pos{}), NewScope("pipeline", nil, nil, graph.Pos{})}
	for range 300 {
		in := scopes[random.IntN(len(scopes))]
		if random.IntN(4) > 0 {
			in = scopes[len(scopes)-1]
		}
		scopes = append(scopes, NewScope("if", nil, in, graph.Pos{}))
	}
	for _, s := range scopes {
		for _, outer := range scopes {
			want := false
			for up := s; up != nil; up = up.Parent {
				want = want || up == outer
			}
			if got := s.Within(outer); got != want {
				t.Fatalf("%v, want %v, from depth %d to %d", got, want, s.depth, outer.depth)
			}
		}
	}
	deep := scopes[0]
	for range 100_000 {
		deep = NewScope("if", nil, deep, graph.Pos{})
	}
	steps := 0
	for s := deep; s.depth > 0; steps++ {
		s = s.jump
	}
	if steps > 40 {
		t.Errorf("%d steps over 100,000 scopes", steps)
	}
}
