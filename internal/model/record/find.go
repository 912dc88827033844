package record

import (
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
)

// Find returns the component with a name that the program can run by itself: a
// Go function, a stand-in for one, or an operation on a Kubernetes object. It
// looks in the roots and all that they call. Where two have the name, the
// definition is wrong and neither runs.
func Find(roots []*Component, name string) (*Component, error) {
	f := finder{name: name, seen: map[*Component]bool{}}
	for _, c := range roots {
		f.component(c)
	}
	switch len(f.found) {
	case 1:
		return f.found[0], nil
	case 0:
		return nil, fmt.Errorf("this program has no Go component %q; it has %s", name, f.names())
	}
	where := ""
	if a, b := f.found[0].Pos, f.found[1].Pos; a.Line > 0 && b.Line > 0 {
		where = fmt.Sprintf(", at %s and %s", a, b)
	}
	return nil, fmt.Errorf("this program has two components %q%s", name, where)
}

type finder struct {
	name  string
	seen  map[*Component]bool
	found []*Component

	others []string
}

// names lists what could be meant.
func (f *finder) names() string {
	const most = 10
	switch n := len(f.others); {
	case n == 0:
		return "none"
	case n > most:
		return strings.Join(f.others[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	return strings.Join(f.others, ", ")
}

func (f *finder) component(c *Component) {
	if c == nil || f.seen[c] {
		return
	}
	f.seen[c] = true
	if c.Name == f.name && (c.Kind == graph.Func || c.Kind == graph.Resource || c.OnLocal) {
		f.found = append(f.found, c)
	} else if c.Kind == graph.Func {
		f.others = append(f.others, c.Name)
	}
	if c.Body != nil {
		f.scope(c.Body)
	}
}

func (f *finder) scope(s *Scope) {
	for _, n := range s.Nodes {
		switch n := n.(type) {
		case *Task:
			f.component(n.Component)
		case *Scope:
			f.scope(n)
		}
	}
}
