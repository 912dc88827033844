package vet

import (
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// before returns, for each task of a DAG, which others have ended when it starts.
// Tasks come in a topological order.
func before(d *program.DAG) [][]bool {
	index := map[string]int{}
	all := make([][]bool, len(d.Tasks))
	for i, t := range d.Tasks {
		index[t.Name] = i
		all[i] = make([]bool, len(d.Tasks))
		for _, name := range t.After {
			j, ok := index[name]
			if !ok || j == i {
				continue
			}
			all[i][j] = true
			for k, b := range all[j] {
				all[i][k] = all[i][k] || b
			}
		}
	}
	return all
}

// A peak is the most that runs at one time.
type peak struct {
	most  int64
	tasks []string // that make it, as paths

	// open are loops that run their items at once, however many there are; each of
	// them counts as one item.
	open []openLoop
}

type openLoop struct {
	path string
	task *program.Task
	each int64 // of one item
}

// peak returns the most that tasks of a DAG ask for at one time: for the set of tasks
// of which none has to wait for another that asks for the most. A group ends before
// what comes after it starts; of branches one runs.
func (v *vetter) peak(c *program.Component, at string, depth int, ask func(*program.Task, *program.Component) int64) peak {
	if c.DAG == nil || depth > 50 {
		return peak{}
	}
	of := make([]peak, len(c.DAG.Tasks))
	for i, t := range c.DAG.Tasks {
		sub, path := v.p.Component(t.Component), join(at, t.Name)
		switch {
		case sub == nil:
		case sub.DAG != nil:
			of[i] = v.peak(sub, path, depth+1, ask)
		default:
			if n := ask(t, sub); n > 0 {
				of[i] = peak{most: n, tasks: []string{path}}
			}
		}
		if t.Each == nil || of[i].most == 0 {
			continue
		}
		n := int64(len(items(t.Each.Items)))
		if p := int64(t.Each.Parallelism); p > 0 && (n == 0 || p < n) {
			n = p
		}
		switch {
		case n > 0:
			of[i].most *= n
		case t.Each.Items.Kind == program.Const:
			of[i] = peak{} // no items
		default:
			of[i].open = append(of[i].open, openLoop{path, t, of[i].most})
		}
	}
	if c.DAG.Kind == program.Branches {
		return largest(of)
	}
	return together(of, before(c.DAG))
}

func largest(of []peak) (most peak) {
	for _, p := range of {
		if p.most > most.most {
			p.open = append(p.open, most.open...)
			most = p
		} else {
			most.open = append(most.open, p.open...)
		}
	}
	return most
}

// together finds the set of nodes of an order, none before another, whose sum is the
// largest. It is the rest of all after a maximum flow from what is before to what is
// after: Dilworth's theorem, with weights.
func together(of []peak, before [][]bool) (sum peak) {
	var nodes []int
	for i, p := range of {
		sum.open = append(sum.open, p.open...)
		if p.most > 0 {
			nodes = append(nodes, i)
		}
	}
	n := len(nodes)
	from, to := make([]int64, n), make([]int64, n) // the rest of each
	flow := make([][]int64, n)
	for i, node := range nodes {
		from[i], to[i] = of[node].most, of[node].most
		flow[i] = make([]int64, n)
	}
	precedes := func(i, j int) bool { return before[nodes[j]][nodes[i]] }
	// reach searches from the sources that have something left; back has where
	// each right node came from.
	var left, right []bool
	reach := func() (end int, backRight, backLeft []int) {
		left, right = make([]bool, n), make([]bool, n)
		backRight, backLeft = make([]int, n), make([]int, n)
		var queue []int
		for i := range n {
			if from[i] > 0 {
				left[i], backLeft[i] = true, -1
				queue = append(queue, i)
			}
		}
		for len(queue) > 0 {
			i := queue[0]
			queue = queue[1:]
			for j := range n {
				if right[j] || !precedes(i, j) {
					continue
				}
				right[j], backRight[j] = true, i
				if to[j] > 0 {
					return j, backRight, backLeft
				}
				for k := range n {
					if !left[k] && flow[k][j] > 0 {
						left[k], backLeft[k] = true, j
						queue = append(queue, k)
					}
				}
			}
		}
		return -1, nil, nil
	}
	for {
		end, backRight, backLeft := reach()
		if end < 0 {
			break
		}
		push := to[end]
		for j := end; ; {
			i := backRight[j]
			if backLeft[i] < 0 {
				push = min(push, from[i])
				break
			}
			push = min(push, flow[i][backLeft[i]])
			j = backLeft[i]
		}
		to[end] -= push
		for j := end; ; {
			i := backRight[j]
			flow[i][j] += push
			if backLeft[i] < 0 {
				from[i] -= push
				break
			}
			flow[i][backLeft[i]] -= push
			j = backLeft[i]
		}
	}
	for i, node := range nodes {
		if left[i] && !right[i] {
			sum.most += of[node].most
			sum.tasks = append(sum.tasks, of[node].tasks...)
		}
	}
	slices.Sort(sum.tasks)
	return sum
}
