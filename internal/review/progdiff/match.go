package progdiff

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// match finds out which tasks of two units are the same: those with one name that
// run something alike, those that run the same under another name, those that are
// most alike, and at last those with one name.
func (d *differ) match(a, b *unit) {
	m := &matcher{d: d}
	left, right := leaves(a), leaves(b)
	m.named(left, right, func(x, y *node) bool { return m.alike(x, y) >= 0.3 })
	m.equal(left, right)
	m.similar(left, right)
	m.named(left, right, func(x, y *node) bool { return true })
	groups(a, b)
}

type matcher struct{ d *differ }

func pairUp(x, y *node) { x.to, y.to = y, x }

func leaves(u *unit) (all []*node) {
	for _, n := range u.all {
		if n.to = nil; !n.group() {
			all = append(all, n)
		}
	}
	return all
}

// named pairs tasks by name; of several with one name, those in the same place.
func (m *matcher) named(left, right []*node, fits func(x, y *node) bool) {
	byPath, byName := map[string]*node{}, map[string][]*node{}
	for _, y := range right {
		if y.to == nil {
			byPath[y.path] = y
			byName[y.task.Name] = append(byName[y.task.Name], y)
		}
	}
	for _, x := range left {
		if y := byPath[x.path]; x.to == nil && y != nil && y.to == nil && fits(x, y) {
			pairUp(x, y)
		}
	}
	for _, x := range left {
		for _, y := range byName[x.task.Name][:min(len(byName[x.task.Name]), 20)] {
			if x.to == nil && y.to == nil && fits(x, y) {
				pairUp(x, y)
			}
		}
	}
}

// equal pairs tasks that run the same with the same settings.
func (m *matcher) equal(left, right []*node) {
	same := map[[32]byte][]*node{}
	for _, y := range right {
		if y.to == nil {
			same[m.print(y)] = append(same[m.print(y)], y)
		}
	}
	for _, x := range left {
		if x.to != nil {
			continue
		}
		key := m.print(x)
		if at := same[key]; len(at) > 0 {
			pairUp(x, at[0])
			same[key] = at[1:]
		}
	}
}

// similar pairs the remaining nodes by similarity, the most similar first.
func (m *matcher) similar(left, right []*node) {
	free := func(all []*node) []*node {
		return slices.DeleteFunc(slices.Clone(all), func(n *node) bool { return n.to != nil })
	}
	l, r := free(left), free(right)
	if len(l)*len(r) > 250_000 {
		return // what so much differs in isn't the same pipeline
	}
	type pairing struct {
		score float64
		x, y  *node
	}
	var all []pairing
	for _, x := range l {
		for _, y := range r {
			if s := m.alike(x, y); s >= 0.6 {
				if x.parent.to == y.parent || x.parent.path == y.parent.path {
					s += 0.05
				}
				all = append(all, pairing{s, x, y})
			}
		}
	}
	slices.SortStableFunc(all, func(p, q pairing) int { return -cmp.Compare(p.score, q.score) })
	for _, p := range all {
		if p.x.to == nil && p.y.to == nil {
			pairUp(p.x, p.y)
		}
	}
}

// alike says how much two tasks have in common, from 0 to 1: what they run, what
// their ports are, and how they are set.
func (m *matcher) alike(x, y *node) float64 {
	if x.kind() != y.kind() {
		return 0
	}
	ex, ey := m.d.essence(x.comp), m.d.essence(y.comp)
	essence := dice(ex, ey)
	if essence < 0.6 && x.task.Name != y.task.Name {
		return 0
	}
	return 0.6*essence + 0.2*dice(m.d.ports(x.comp), m.d.ports(y.comp)) + 0.2*dice(bag(m.d.blank(x)), bag(m.d.blank(y)))
}

// print is a digest of all that a task is, but for names of tasks.
func (m *matcher) print(n *node) [32]byte {
	var b strings.Builder
	b.WriteString(n.kind())
	if c := n.comp; c != nil && c.Exec != nil {
		b.WriteString(encode(c.Exec) + encode(c.Inputs) + encode(c.Outputs))
	} else if c != nil {
		fmt.Fprint(&b, m.d.essence(c))
	}
	for _, l := range m.d.blank(n) {
		fmt.Fprintf(&b, "%q=%q", l.label, l.key)
	}
	return sha256.Sum256([]byte(b.String()))
}

// groups pairs groups by the tasks in them, the inner ones first, and those that
// have none in common by name.
func groups(a, b *unit) {
	for i := len(a.all) - 1; i >= 0; i-- {
		x := a.all[i]
		if !x.group() {
			continue
		}
		votes := map[*node]int{}
		var best *node
		for _, c := range x.children {
			if c.to == nil || c.to.parent.task == nil {
				continue
			}
			p := c.to.parent
			votes[p]++
			if p.to == nil && p.kind() == x.kind() && (best == nil || votes[p] > votes[best]) {
				best = p
			}
		}
		if best != nil {
			pairUp(x, best)
		}
	}
	byPath := map[string]*node{}
	for _, y := range b.all {
		byPath[y.path] = y
	}
	for _, x := range a.all {
		if y := byPath[x.path]; x.to == nil && y != nil && y.to == nil && x.group() && y.group() && x.kind() == y.kind() {
			pairUp(x, y)
		}
	}
}

// essence is the words of what a component runs.
func (d *differ) essence(c *program.Component) map[string]int {
	if got, ok := d.essences[c]; ok {
		return got
	}
	words := map[string]int{}
	d.essences[c] = words // ends a cycle, should there be one
	switch {
	case c == nil:
	case c.DAG != nil:
		for _, t := range c.DAG.Tasks {
			words[t.Component]++
			words[t.Name]++
		}
	case c.Exec == nil:
	case c.Exec.Go != nil:
		words[c.Exec.Go.Name]++
	case c.Exec.Python != nil:
		tokens(words, c.Exec.Python.Source)
		words[c.Exec.Python.Function] += 3
	case c.Exec.Container != nil:
		x := c.Exec.Container
		for _, s := range append(slices.Clone(x.Command), x.Args...) {
			tokens(words, s)
		}
		if len(words) == 0 {
			words[x.Image]++
		}
	case c.Exec.Resource != nil:
		words[c.Exec.Resource.Builtin+" "+c.Exec.Resource.Action]++
		tokens(words, c.Exec.Resource.Manifest)
	case c.Exec.Suspend != nil:
		words["suspend"]++
	default:
		words["import"]++
	}
	return words
}

// tokens adds the words of a string.
func tokens(words map[string]int, s string) {
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		switch w {
		case "sh", "bash", "bin", "c", "inputs", "outputs", "parameters", "artifacts", "path", "output_file", "python3":
			continue // in most commands
		}
		words[w]++
	}
}

func (d *differ) ports(c *program.Component) map[string]int {
	words := map[string]int{}
	if c != nil {
		for _, p := range c.Inputs {
			words["in "+p.Name+" "+p.Type.Name]++
		}
		for _, p := range c.Outputs {
			words["out "+p.Name+" "+p.Type.Name]++
		}
	}
	return words
}

func bag(ls []leaf) map[string]int {
	words := map[string]int{}
	for _, l := range ls {
		words[l.label+"="+l.key]++
	}
	return words
}

// dice is how much of two bags is in both, from 0 to 1.
func dice(a, b map[string]int) float64 {
	both, all := 0, 0
	for w, n := range a {
		both += min(n, b[w])
		all += n
	}
	for _, n := range b {
		all += n
	}
	if all == 0 {
		return 1
	}
	return 2 * float64(both) / float64(all)
}
