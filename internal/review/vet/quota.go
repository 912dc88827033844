package vet

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A Quota is what pods may have together.
type Quota struct {
	Name string // as messages say it, such as quota team-a
	Hard map[string]*big.Rat

	// Says: Kubernetes refuses a pod that doesn't say what it takes of a resource
	// that is limited, as it does for a ResourceQuota.
	Says bool
}

// quota finds what asks for more than there is, alone or with what runs at the same
// time.
func (v *vetter) quota(main *program.Component, q Quota) {
	for _, resource := range sortedKeys(q.Hard) {
		read, unit := v.reader(resource)
		if read == nil {
			continue
		}
		hard := scaled(q.Hard[resource], unit)
		show := func(n int64) string { return amount(n, unit) }
		above := map[*program.Task]bool{}
		ask := func(t *program.Task, c *program.Component) int64 {
			if c.Exec == nil || c.Exec.Importer != nil {
				return 0 // no pod that asks for something
			}
			own, made := read(t, c)
			n := scaled(new(big.Rat).Add(own, made), unit)
			switch {
			case n > hard && !above[t]:
				above[t] = true
				v.find(Error, "quota", t.Name, t.Pos, "it asks for %s of %s, and %s has %s: it never runs", show(n), resource, q.Name, show(hard))
			case own.Sign() == 0 && q.Says && option(resource) != "" && c.Exec.Resource == nil:
				v.find(Warning, "quota", t.Name, t.Pos, "%s limits %s, so that Kubernetes refuses a pod that doesn't say it, unless a LimitRange has a default: set dsl.%s", q.Name, resource, option(resource))
			}
			return n
		}
		p := v.peak(main, "", 0, ask)
		if len(above) > 0 {
			continue
		}
		if p.most > hard {
			v.find(Warning, "quota", "", graph.Pos{}, "tasks that can run at once ask for %s of %s, and %s has %s: some wait or are refused; they are %s. Put one after another with After, or give their loop a Parallelism",
				show(p.most), resource, q.Name, show(hard), list(p.tasks))
		}
		for _, l := range p.open {
			if l.each > 0 && resource != "pods" {
				v.find(Warning, "quota", l.path, l.task.Pos, "its items run at once, however many there are, with %s of %s each, and %s has %s: %d fit; give the loop a Parallelism",
					show(l.each), resource, q.Name, show(hard), hard/l.each)
			}
		}
	}
}

// reader returns what a task asks for of a resource of a quota, for its own pod and for
// those of the objects that it makes, and in which unit it is counted.
func (v *vetter) reader(resource string) (read func(*program.Task, *program.Component) (own, made *big.Rat), unit int64) {
	kind, name, split := strings.Cut(resource, ".")
	if !split || kind != "requests" && kind != "limits" {
		kind, name = "requests", resource
	}
	first := func(values ...*program.Value) *big.Rat {
		for _, v := range values {
			if text, ok := v.Constant(); ok {
				if n, ok := number(text); ok {
					return n
				}
			}
		}
		return nil
	}
	var of func(*program.Settings) *big.Rat
	switch name {
	case "cpu":
		unit = 1000
		of = func(s *program.Settings) *big.Rat {
			if kind == "limits" {
				return first(s.CPULimit)
			}
			return first(s.CPURequest, s.CPULimit)
		}
	case "memory":
		unit = 1
		of = func(s *program.Settings) *big.Rat {
			if kind == "limits" {
				return first(s.MemoryLimit)
			}
			return first(s.MemoryRequest, s.MemoryLimit)
		}
	case "pods":
		unit = 1
		of = func(*program.Settings) *big.Rat { return big.NewRat(1, 1) }
	default:
		if !strings.Contains(name, "/") {
			return nil, 0 // storage, objects
		}
		unit = 1
		of = func(s *program.Settings) *big.Rat {
			sum := new(big.Rat)
			for _, a := range s.Accelerators {
				kind, _ := a.Type.Constant()
				if n := first(&a.Count); n != nil && (a.Resource == name || kind == name) {
					sum.Add(sum, n)
				}
			}
			return sum
		}
	}
	return func(t *program.Task, c *program.Component) (own, made *big.Rat) {
		own, made = new(big.Rat), new(big.Rat)
		if n := of(&t.Settings); n != nil && c.Exec.Resource == nil {
			own = n
		}
		for _, item := range v.items[t] {
			sum := new(big.Rat)
			for _, o := range item.Operations {
				if (o.Action == "create" || o.Action == "apply") && len(o.Depends) == 0 {
					sum.Add(sum, inObject(o.Object, kind, name))
				}
			}
			if sum.Cmp(made) > 0 { // another item of a loop asks for less
				made = sum
			}
		}
		return own, made
	}, unit
}

// option is what sets a resource that pods must say where there is a quota of it.
func option(resource string) string {
	return map[string]string{"cpu": "CPURequest", "requests.cpu": "CPURequest", "limits.cpu": "CPU",
		"memory": "MemoryRequest", "requests.memory": "MemoryRequest", "limits.memory": "Memory"}[resource]
}

// scaled returns a quantity in a unit, rounded up.
func scaled(n *big.Rat, unit int64) int64 {
	if n == nil {
		return 0
	}
	r := new(big.Rat).Mul(n, big.NewRat(unit, 1))
	whole := new(big.Int).Div(new(big.Int).Add(r.Num(), new(big.Int).Sub(r.Denom(), big.NewInt(1))), r.Denom())
	if !whole.IsInt64() {
		return 1 << 50
	}
	return min(whole.Int64(), 1<<50)
}

// amount writes what scaled returned.
func amount(n, unit int64) string {
	switch {
	case unit == 1000 && n%1000 != 0:
		return fmt.Sprintf("%dm", n)
	case unit == 1000:
		return fmt.Sprint(n / 1000)
	case n >= 1<<30 && n%(1<<30) == 0:
		return fmt.Sprintf("%dGi", n>>30)
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%dMi", n>>20)
	}
	return fmt.Sprint(n)
}

func list(names []string) string {
	names = slices.Compact(names)
	if len(names) > 5 {
		return strings.Join(names[:5], ", ") + fmt.Sprintf(" and %d more", len(names)-5)
	}
	return strings.Join(names, ", ")
}
