// Package order puts what waits for each other in a row.
package order

import "container/heap"

// Of returns nodes so that each comes after those before it, and otherwise as they
// were. Nodes in a cycle, and those that wait for one, are left out; a node before that isn't in the list is
// ignored.
func Of[N comparable](nodes []N, before func(N) []N) []N {
	at := make(map[N]int, len(nodes))
	for i, n := range nodes {
		at[n] = i
	}
	waits, followers := make([]int, len(nodes)), make([][]int, len(nodes))
	ready := &indexes{}
	for i, n := range nodes {
		for _, b := range before(n) {
			if j, ok := at[b]; ok {
				followers[j] = append(followers[j], i)
				waits[i]++
			}
		}
		if waits[i] == 0 {
			*ready = append(*ready, i) // in order, so it is a heap
		}
	}
	out := make([]N, 0, len(nodes))
	for ready.Len() > 0 {
		i := heap.Pop(ready).(int)
		out = append(out, nodes[i])
		for _, j := range followers[i] {
			if waits[j]--; waits[j] == 0 {
				heap.Push(ready, j)
			}
		}
	}
	return out
}

type indexes []int

func (x indexes) Len() int           { return len(x) }
func (x indexes) Less(i, j int) bool { return x[i] < x[j] }
func (x indexes) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }
func (x *indexes) Push(i any)        { *x = append(*x, i.(int)) }
func (x *indexes) Pop() any {
	last := (*x)[len(*x)-1]
	*x = (*x)[:len(*x)-1]
	return last
}
