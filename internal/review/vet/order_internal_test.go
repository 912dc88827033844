package vet

import (
	"math/rand/v2"
	"testing"
)

// TestTogether: the largest sum of tasks that run at once is that of trying all sets.
func TestTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		n := 1 + r.IntN(9)
		of, order := make([]peak, n), make([][]bool, n)
		for i := range n {
			of[i] = peak{most: int64(r.IntN(5))}
			order[i] = make([]bool, n)
			for j := range i {
				if r.IntN(4) == 0 {
					order[i][j] = true
					for k := range n {
						order[i][k] = order[i][k] || order[j][k]
					}
				}
			}
		}
		best := int64(0)
		for set := range 1 << n {
			sum := int64(0)
			for i := range n {
				if set>>i&1 == 0 {
					continue
				}
				sum += of[i].most
				for j := range n {
					if set>>j&1 == 1 && order[i][j] {
						sum = -1 << 40
					}
				}
			}
			best = max(best, sum)
		}
		if got := together(of, order).most; got != best {
			t.Fatalf("%v %v: got %d, want %d", of, order, got, best)
		}
	}
}

func BenchmarkTogether(b *testing.B) {
	const n = 1000
	of, order := make([]peak, n), make([][]bool, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		of[i] = peak{most: 1 + int64(r.IntN(4))}
		order[i] = make([]bool, n)
		for j := range i {
			if r.IntN(100) == 0 {
				order[i][j] = true
				for k := range n {
					order[i][k] = order[i][k] || order[j][k]
				}
			}
		}
	}
	for b.Loop() {
		together(of, order)
	}
}
