package lineage

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Builder collects what runs did into a [Graph]. Runs may be added in any order.
type Builder struct {
	g      Graph
	byURI  map[string]*known
	execs  map[string]*Execution
	events map[Event]bool
	seen   []seen
}

// known is an artifact and how certain its data is.
type known struct {
	Artifact
	rank int
	ids  map[string]bool
}

type seen struct {
	Event
	of *known
}

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder {
	return &Builder{byURI: map[string]*known{}, execs: map[string]*Execution{}, events: map[Event]bool{}}
}

// Execution adds an execution, unless it is there.
func (b *Builder) Execution(e *Execution) {
	if b.execs[e.ID] == nil {
		b.execs[e.ID] = e
		b.g.Executions = append(b.g.Executions, e)
	}
}

// ranks say whose word counts on an artifact: that of its maker above all.
var ranks = map[EventKind]int{Made: 4, Imported: 3, Reused: 2, Read: 1}

// Event adds what an execution did with an artifact. An artifact without an ID goes
// by its URI.
func (b *Builder) Event(e *Execution, kind EventKind, name string, index int, a Artifact) {
	b.Execution(e)
	a.ID = cmp.Or(a.ID, URIID(a.URI))
	key := cmp.Or(a.URI, a.ID)
	k := b.byURI[key]
	if k == nil {
		k = &known{ids: map[string]bool{}}
		b.byURI[key] = k
	}
	k.ids[a.ID] = true
	ev := Event{Kind: kind, Execution: e.ID, Artifact: a.ID, Name: name, Index: index, Type: a.Type}
	if b.events[ev] {
		return
	}
	b.events[ev] = true
	b.seen = append(b.seen, seen{ev, k})
	if a.Created.IsZero() && kind != Read {
		if a.Created = e.Started; kind == Made && !e.Ended.IsZero() {
			a.Created = e.Ended
		}
	}
	if kind != Read {
		a.Run, a.Task = e.Run, e.Task
	}
	a.Name = cmp.Or(name, a.Name)
	typ := cmp.Or(k.Type, a.Type)
	if rank := ranks[kind]; rank > k.rank || rank == k.rank && kind != Read && older(&a, &k.Artifact) {
		k.rank, k.Artifact = rank, a
	}
	k.Type = cmp.Or(k.Type, typ) // who makes one in a container doesn't say what it is
}

func older(a, b *Artifact) bool {
	return cmp.Or(a.Created.Compare(b.Created), strings.Compare(a.Run, b.Run), strings.Compare(a.Task, b.Task)) < 0
}

// Missing says that something could not be read. It is left out, and the rest is reported.
func (b *Builder) Missing(format string, args ...any) {
	b.g.Missing = append(b.g.Missing, fmt.Sprintf(format, args...))
}

// Graph returns the added graph: artifacts with the newest first, executions in the
// order of time.
func (b *Builder) Graph() *Graph {
	g := &Graph{Artifacts: []*Artifact{}, Executions: slices.Clone(b.g.Executions), Events: []*Event{}, Missing: slices.Clone(b.g.Missing)}
	for _, k := range b.byURI {
		a := k.Artifact
		delete(k.ids, a.ID)
		a.Also = slices.Sorted(maps.Keys(k.ids))
		k.ids[a.ID] = true
		g.Artifacts = append(g.Artifacts, &a)
	}
	slices.SortStableFunc(g.Artifacts, func(x, y *Artifact) int {
		return cmp.Or(y.Created.Compare(x.Created), strings.Compare(y.Run, x.Run), strings.Compare(x.Task, y.Task), strings.Compare(x.Name, y.Name), strings.Compare(x.URI, y.URI), strings.Compare(x.ID, y.ID))
	})
	slices.SortStableFunc(g.Executions, func(x, y *Execution) int {
		return cmp.Or(x.Started.Compare(y.Started), strings.Compare(x.ID, y.ID))
	})
	at := map[string]int{}
	for i, e := range g.Executions {
		at[e.ID] = i
	}
	for _, s := range b.seen {
		ev := s.Event
		if ev.Artifact = s.of.ID; ev.Type == s.of.Type {
			ev.Type = ""
		}
		g.Events = append(g.Events, &ev)
	}
	slices.SortStableFunc(g.Events, func(x, y *Event) int {
		return cmp.Or(at[x.Execution]-at[y.Execution], -strings.Compare(string(x.Kind), string(y.Kind)), strings.Compare(x.Name, y.Name), x.Index-y.Index, strings.Compare(x.Artifact, y.Artifact))
	})
	return g
}

// URIID returns the ID of the artifact at a URI, for engines that have none.
func URIID(uri string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(uri)))[:12]
}

// Artifact returns an artifact by its ID, or nil.
func (g *Graph) Artifact(id string) *Artifact { return g.artifacts()[id] }

// Execution returns an execution by its ID, or nil.
func (g *Graph) Execution(id string) *Execution { return g.executions()[id] }

func (g *Graph) artifacts() map[string]*Artifact {
	m := make(map[string]*Artifact, len(g.Artifacts))
	for _, a := range g.Artifacts {
		m[a.ID] = a
	}
	return m
}

func (g *Graph) executions() map[string]*Execution {
	m := make(map[string]*Execution, len(g.Executions))
	for _, e := range g.Executions {
		m[e.ID] = e
	}
	return m
}

// Find returns the artifact that a string names: by its ID or the beginning of one, its
// URI, or as RUN/TASK/OUTPUT. The run may be the beginning of an id as well.
func (g *Graph) Find(ref string) (*Artifact, error) {
	var begin []*Artifact
	for _, a := range g.Artifacts {
		if a.ID == ref || a.URI == ref || slices.Contains(a.Also, ref) || strings.TrimPrefix(a.URI, "file://") == ref {
			return a, nil
		}
		if len(ref) >= 4 && len(a.ID) == 12 && strings.HasPrefix(a.ID, ref) {
			begin = append(begin, a)
		}
	}
	if len(begin) == 0 {
		begin = g.outputs(ref)
	}
	switch len(begin) {
	case 1:
		return begin[0], nil
	case 0:
		return nil, &NotFoundError{Ref: ref, Many: len(g.Artifacts), Missing: g.Missing}
	}
	names := make([]string, len(begin))
	for i, a := range begin {
		names[i] = a.ID
	}
	slices.Sort(names)
	return nil, fmt.Errorf("%s names %d artifacts: %s", ref, len(begin), strings.Join(names, ", "))
}

// outputs returns what RUN/TASK/OUTPUT names.
func (g *Graph) outputs(ref string) (found []*Artifact) {
	cut := strings.LastIndexByte(ref, '/')
	if cut < 0 {
		return nil
	}
	task, output := ref[:cut], ref[cut+1:]
	execs := g.executions()
	for _, ev := range g.Events {
		if ev.Kind == Read || ev.Name != output {
			continue
		}
		e := execs[ev.Execution]
		run, path, ok := strings.Cut(task, "/")
		if ok && path == e.Task && run != "" && strings.HasPrefix(e.Run, run) {
			if a := g.Artifact(ev.Artifact); !slices.Contains(found, a) {
				found = append(found, a)
			}
		}
	}
	return found
}

// A NotFoundError says that no artifact goes by a name.
type NotFoundError struct {
	Ref     string
	Many    int      // artifacts that there are
	Missing []string // the parts that were left out
}

func (e *NotFoundError) Error() string {
	if len(e.Missing) > 0 {
		return fmt.Sprintf("there is no artifact %s in the runs that could be read; left out: %s", e.Ref, strings.Join(e.Missing, "; "))
	}
	if e.Many == 0 {
		return fmt.Sprintf("there is no artifact %s, nor any other", e.Ref)
	}
	return fmt.Sprintf("there is no artifact %s; name one by its ID, by its URI, or as RUN/TASK/OUTPUT; kfpgo artifacts list shows them", e.Ref)
}

// Select returns the part of a graph that a query asks for.
func (g *Graph) Select(q Query) *Graph {
	of, execs := map[string]bool{}, g.executions()
	for _, ev := range g.Events {
		if q.Run == "" || ev.Kind != Read && execs[ev.Execution].Run == q.Run {
			of[ev.Artifact] = true
		}
	}
	keep := map[string]bool{}
	for _, a := range g.Artifacts {
		if of[a.ID] && (q.Type == "" || a.Type == q.Type) && (q.Max == 0 || len(keep) < q.Max) {
			keep[a.ID] = true
		}
	}
	part := g.part(func(ev *Event) bool { return keep[ev.Artifact] })
	part.Missing = g.Missing
	return part
}

// part returns the events that are to be kept with what they tie together.
func (g *Graph) part(keep func(*Event) bool) *Graph {
	arts, execs := map[string]bool{}, map[string]bool{}
	events := only(g.Events, keep)
	for _, ev := range events {
		arts[ev.Artifact], execs[ev.Execution] = true, true
	}
	return &Graph{
		Artifacts:  only(g.Artifacts, func(a *Artifact) bool { return arts[a.ID] }),
		Executions: only(g.Executions, func(e *Execution) bool { return execs[e.ID] }),
		Events:     events,
	}
}
