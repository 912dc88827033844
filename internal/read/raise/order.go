package raise

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// sort puts the nodes of a scope in an order that an author can have written them
// in: a task comes before those that read it, and lower numbers come first, since the compiler
// counted tasks and groups as it met them.
func (b *builder) sort(s *scope) {
	for _, n := range s.nodes {
		n.keys = keys(n)
	}
	if s.kind == program.Branches {
		b.sortArms(s)
		return
	}
	before := map[*node][]*node{} // what must come first
	for _, n := range s.nodes {
		for _, a := range n.task.After {
			if first := s.byName[a]; first != nil && first != n && n.exitOf == nil {
				before[n] = append(before[n], first)
			}
		}
		if n.exitOf != nil { // written at the head of what it guards
			for _, other := range s.nodes {
				if other.group == n.exitOf {
					before[other] = append(before[other], n)
				}
			}
		}
	}
	numbers := choices(s)
	last := map[string]*node{} // of each counter
	type numberedNode struct {
		n     *node
		count string
		i     int
	}
	var all []numberedNode
	for _, n := range s.nodes {
		for _, k := range n.keys {
			name, i := split(k)
			all = append(all, numberedNode{n, name, i})
		}
	}
	slices.SortStableFunc(all, func(x, y numberedNode) int {
		return cmp.Or(cmp.Compare(x.count, y.count), cmp.Compare(x.i, y.i))
	})
	for _, x := range all {
		if prev := last[x.count]; prev != nil && prev != x.n {
			numbers[x.n] = append(numbers[x.n], prev)
		}
		last[x.count] = x.n
	}
	done := map[*node]bool{}
	var out []*node
	for len(out) < len(s.nodes) {
		next := ready(s.nodes, done, before, numbers)
		if next == nil {
			next = ready(s.nodes, done, before, nil)
		}
		if next == nil { // a cycle, which the reader should have found
			b.errorf(s.comp.Pos, "%s: its tasks wait for each other in a circle", s.comp.Name)
			return
		}
		done[next] = true
		out = append(out, next)
	}
	s.nodes = out
}

// choices makes what reads the second value of branches follow something that
// reads the first, and so on: they were numbered as they were read.
func choices(s *scope) map[*node][]*node {
	after := map[*node][]*node{}
	readers := map[string]map[int][]*node{} // by branches and number
	for _, n := range s.nodes {
		for _, v := range n.task.Args {
			from := s.byName[v.Task]
			m := numbered.FindStringSubmatch(v.Name)
			if v.Kind != program.Output || from == nil || from.group == nil || from.group.kind != program.Branches || m == nil {
				continue
			}
			if readers[v.Task] == nil {
				readers[v.Task] = map[int][]*node{}
			}
			i, _ := strconv.Atoi(m[2])
			readers[v.Task][i] = append(readers[v.Task][i], n)
		}
	}
	for _, by := range readers {
		for i, ns := range by {
			for _, first := range by[i-1][:min(1, len(by[i-1]))] {
				for _, n := range ns {
					if n != first {
						after[n] = append(after[n], first)
					}
				}
			}
		}
	}
	return after
}

// ready returns the first node that nothing holds back.
func ready(nodes []*node, done map[*node]bool, constraints ...map[*node][]*node) *node {
next:
	for _, n := range nodes {
		if done[n] {
			continue
		}
		for _, c := range constraints {
			for _, first := range c[n] {
				if !done[first] {
					continue next
				}
			}
		}
		return n
	}
	return nil
}

// keys returns the names of the tasks and groups below a node, whose numbers say
// in which order the compiler met them.
func keys(n *node) []string {
	if n.group == nil {
		return []string{n.task.Name}
	}
	out := []string{n.task.Name}
	for _, sub := range n.group.nodes {
		out = append(out, sub.keys...)
	}
	return out
}

// groups are the names that share one counter.
var groups = []string{"condition-branches", "condition", "for-loop", "exit-handler"}

// split returns what a name counts, and its number.
func split(name string) (counter string, n int) {
	m := numbered.FindStringSubmatch(name)
	if m == nil {
		return name, 1
	}
	n, err := strconv.Atoi(m[2])
	if err != nil {
		return name, 1
	}
	if slices.Contains(groups, m[1]) {
		return "", n
	}
	if n < 2 {
		return name, 1
	}
	return m[1], n
}

// sortArms puts the branches in order: each one's condition starts with the
// negations of those before.
func (b *builder) sortArms(s *scope) {
	arms := true
	for _, n := range s.nodes {
		if n.group == nil || n.group.kind != program.Condition {
			arms = false
			b.taskErrorf(n.task, "it stands among the branches %s without a condition. The KFP SDK puts there what follows an If with an Elif and no Else; "+
				"give the pipeline an Else, compile it again and import that", s.task.Name)
		}
	}
	if !arms {
		return
	}
	slices.SortStableFunc(s.nodes, func(x, y *node) int {
		_, i := split(x.task.Name)
		_, j := split(y.task.Name)
		return cmp.Or(cmp.Compare(len(expr.Conjuncts(x.task.When)), len(expr.Conjuncts(y.task.When))), cmp.Compare(i, j))
	})
	// An else has as many parts as the branch before it, all of them negations.
	for i := range s.nodes {
		if i > 0 && i == len(s.nodes)-2 && b.isElse(s, s.nodes[i]) && !b.isElse(s, s.nodes[i+1]) {
			s.nodes[i], s.nodes[i+1] = s.nodes[i+1], s.nodes[i]
		}
	}
	for i, n := range s.nodes {
		if i > 0 && n.task.When != nil && !b.follows(s, i) {
			b.taskErrorf(n.task, "its condition %s doesn't start with the negations of the branches before it, and so it is not an Elif or Else of them", n.task.When.CEL())
		}
	}
}

// own returns the condition of arm i without the negations of those before it;
// nil for an else.
func own(s *scope, i int) *expr.Expr {
	all := expr.Conjuncts(s.nodes[i].task.When)
	if i > len(all) {
		return nil
	}
	if all = all[i:]; len(all) == 0 {
		return nil
	}
	return expr.And(all...)
}

// follows reports whether arm i starts with the negations of those before it.
func (b *builder) follows(s *scope, i int) bool {
	all := expr.Conjuncts(s.nodes[i].task.When)
	if len(all) < i || len(all) == i && i != len(s.nodes)-1 {
		return false
	}
	for j := range i {
		before := own(s, j)
		if before == nil || all[j].Op != "!" || len(all[j].Args) != 1 || !b.sameCond(s.nodes[i], all[j].Args[0], s.nodes[j], before) {
			return false
		}
	}
	return true
}

// sameCond reports whether two conditions read the same, whatever their inputs
// are called.
func (b *builder) sameCond(n *node, x *expr.Expr, m *node, y *expr.Expr) bool {
	name := func(n *node) func(string) string {
		return func(s string) string {
			if v, ok := n.task.Args[s]; ok {
				return v.String()
			}
			return s
		}
	}
	return x.Rename(name(n)).CEL() == y.Rename(name(m)).CEL()
}

// isElse reports whether the last arm is an else.
func (b *builder) isElse(s *scope, n *node) bool {
	all := expr.Conjuncts(n.task.When)
	for _, e := range all {
		if e == nil || e.Op != "!" {
			return false
		}
	}
	return len(all) == len(s.nodes)-1
}
