package progdiff

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A pair is two components that are compared once, wherever they are used.
type pair struct{ a, b *program.Component }

type differ struct {
	a, b     *side
	changes  []Change
	essences map[*program.Component]map[string]int
	units    map[pair]*place            // nested pipelines
	leaves   map[pair]*place            // what tasks run
	renamed  map[pair]map[string]string // ports of a, by what b calls them
	queue    []func()                   // nested pipelines to come
}

// A place is where two components were compared first, and where else they are used.
type place struct {
	pair pair
	path string
	also []string
	diff []Change
}

func newDiffer(a, b *program.Program) *differ {
	return &differ{
		a: newSide(a), b: newSide(b), essences: map[*program.Component]map[string]int{},
		units: map[pair]*place{}, leaves: map[pair]*place{}, renamed: map[pair]map[string]string{},
	}
}

func (d *differ) program() {
	a, b := d.a.p, d.b.p
	d.settings("", "pipeline", d.about(a), d.about(b))
	ca, cb := a.Component(a.Main), b.Component(b.Main)
	if ca == nil || cb == nil || ca.DAG == nil || cb.DAG == nil {
		return
	}
	d.unit(ca, cb, "")
	for len(d.queue) > 0 {
		next := d.queue[0]
		d.queue = d.queue[1:]
		next()
	}
	d.schedules(a, b)
}

// about returns the properties of a whole pipeline.
func (d *differ) about(p *program.Program) []leaf {
	return flatten(struct {
		Name, DisplayName, Description, ArtifactRoot string
		Config                                       *program.Config
	}{p.Name, cmp.Or(p.Title, p.Name), p.Doc, p.Root, p.Config}, constant)
}

// constant resolves values that aren't in a DAG.
func constant(v program.Value) ref {
	r := &resolver{left: limit}
	if v.Kind == program.Const || v.Kind == program.FireTime || v.Kind == program.FireDate {
		return r.follow(&node{}, v)
	}
	return ref{v.String(), v.String()}
}

func (d *differ) schedules(a, b *program.Program) {
	in := func(p *program.Program) (names []string, by map[string]*program.Schedule) {
		by = map[string]*program.Schedule{}
		for _, s := range p.Schedules {
			names, by[s.Name] = append(names, s.Name), s
		}
		return names, by
	}
	before, old := in(a)
	after, now := in(b)
	for _, name := range before {
		if now[name] == nil {
			d.add(Change{Kind: "schedule", Op: Removed, What: name})
			continue
		}
		d.settings(name, "schedule", flatten(*old[name], constant), flatten(*now[name], constant))
	}
	for _, name := range after {
		if old[name] == nil {
			d.add(Change{Kind: "schedule", Op: Added, What: name})
		}
	}
}

func (d *differ) add(c Change) { d.changes = append(d.changes, c) }

// settings compares leaves, in the order of a and then of b.
func (d *differ) settings(path, kind string, a, b []leaf) {
	for _, c := range compare(a, b) {
		c.Path, c.Kind = path, kind
		if kind == "schedule" {
			c.Path, c.What = "", path+": "+c.What
		}
		d.add(c)
	}
}

func compare(a, b []leaf) (out []Change) {
	now := map[string]leaf{}
	for _, l := range b {
		now[l.label] = l
	}
	for _, l := range a {
		n, ok := now[l.label]
		delete(now, l.label)
		if !ok || n.key != l.key {
			out = append(out, Change{Op: Changed, What: l.label, Old: l.text, New: n.text})
		}
	}
	for _, l := range b {
		if _, ok := now[l.label]; ok {
			out = append(out, Change{Op: Changed, What: l.label, New: l.text})
		}
	}
	return out
}

// unit compares two pipelines. Path is where the nested one is.
func (d *differ) unit(ca, cb *program.Component, path string) {
	p := d.units[pair{ca, cb}]
	if p == nil {
		p = &place{pair: pair{ca, cb}, path: path}
		d.units[p.pair] = p
	}
	from := len(d.changes)
	defer func() {
		for i := from; i < len(d.changes); i++ {
			if d.changes[i].unit == nil {
				d.changes[i].unit = &p.pair
			}
		}
	}()
	ua, ub := d.a.unit(ca), d.b.unit(cb)
	d.match(ua, ub)
	d.pipelinePorts(ca, cb, path)
	if path != "" {
		d.settings(path, "task", flatten(struct{ Description string }{ca.Doc}, nil), flatten(struct{ Description string }{cb.Doc}, nil))
	}
	u := &unitDiff{differ: d, path: path, a: ua, b: ub, renamed: d.portNames(ca, cb)}
	u.compare()
}

// pipelinePorts compares the inputs and outputs of two pipelines.
func (d *differ) pipelinePorts(ca, cb *program.Component, path string) {
	names := d.portNames(ca, cb)
	for _, c := range slices.Concat(portChanges("input", ca.Inputs, cb.Inputs, names), portChanges("output", ca.Outputs, cb.Outputs, names)) {
		c.Path = path
		d.add(c)
	}
}

// finish says where else the same is true, and puts what only has another number
// at the end.
func (d *differ) finish() {
	var first []Change
	at := map[string]int{}
	for _, c := range d.changes {
		if c.unit != nil {
			if p := d.units[*c.unit]; p != nil {
				for _, other := range p.also {
					c.Also = append(c.Also, join(other, strings.TrimPrefix(strings.TrimPrefix(c.Path, p.path), "/")))
				}
			}
		}
		if c.Kind == "component" {
			key := fmt.Sprintf("%q", []string{string(c.Op), c.What, c.Old, c.New})
			if i, ok := at[key]; ok {
				first[i].Also = append(append(first[i].Also, c.Path), c.Also...)
				continue
			}
			at[key] = len(first)
		}
		first = append(first, c)
	}
	slices.SortStableFunc(first, func(a, b Change) int {
		last := func(c Change) int {
			if c.Op == Renumbered {
				return 1
			}
			return 0
		}
		return last(a) - last(b)
	})
	for i := range first {
		slices.Sort(first[i].Also)
		first[i].Also = slices.Compact(first[i].Also)
		first[i].unit = nil
	}
	d.changes = first
}

// portNames pairs the ports of two components: by name, and those that are left
// by their type, where only one of each has it.
func (d *differ) portNames(ca, cb *program.Component) map[string]string {
	key := pair{ca, cb}
	if got, ok := d.renamed[key]; ok {
		return got
	}
	names := map[string]string{}
	d.renamed[key] = names
	pairPorts(names, "in ", ca.Inputs, cb.Inputs)
	pairPorts(names, "out ", ca.Outputs, cb.Outputs)
	return names
}

func pairPorts(names map[string]string, prefix string, a, b []program.Port) {
	typed := func(ps, others []program.Port) map[string][]string {
		by := map[string][]string{}
		for _, p := range ps {
			if !slices.ContainsFunc(others, func(o program.Port) bool { return o.Name == p.Name }) {
				key := typeWords(p.Type)
				by[key] = append(by[key], p.Name)
			}
		}
		return by
	}
	gone, come := typed(a, b), typed(b, a)
	for _, t := range slices.Sorted(maps.Keys(gone)) {
		if len(gone[t]) == 1 && len(come[t]) == 1 {
			names[prefix+gone[t][0]] = come[t][0]
		}
	}
}

func renamedTo(names map[string]string, prefix, name string) string {
	if to, ok := names[prefix+name]; ok {
		return to
	}
	return name
}
