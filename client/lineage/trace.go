package lineage

import "slices"

// A Trace is an artifact with its past and its future.
type Trace struct {
	Artifact *Artifact `json:"artifact"`
	Up       *Graph    `json:"upstream"`          // what made it, from what, and what made that
	Down     *Graph    `json:"downstream"`        // tasks that have read it, their outputs, and so on
	Missing  []string  `json:"missing,omitempty"` // parts that could not be read, and why
}

// Trace follows an artifact both ways. Where the run that made an artifact is
// gone, a task that took it from the cache stands in for its maker.
func (g *Graph) Trace(a *Artifact) *Trace {
	ofArtifact, ofExecution := map[string][]*Event{}, map[string][]*Event{}
	for _, ev := range g.Events {
		ofArtifact[ev.Artifact] = append(ofArtifact[ev.Artifact], ev)
		ofExecution[ev.Execution] = append(ofExecution[ev.Execution], ev)
	}
	walk := func(also []*Event, from func(artifact string) []*Event, onward func(*Event) bool) *Graph {
		kept, artifacts, executions := map[*Event]bool{}, map[string]bool{a.ID: true}, map[string]bool{}
		for queue := []string{a.ID}; len(queue) > 0; queue = queue[1:] {
			for _, ev := range from(queue[0]) {
				kept[ev] = true
				if executions[ev.Execution] {
					continue
				}
				executions[ev.Execution] = true
				for _, next := range ofExecution[ev.Execution] {
					if !onward(next) {
						continue
					}
					kept[next] = true
					if !artifacts[next.Artifact] {
						artifacts[next.Artifact] = true
						queue = append(queue, next.Artifact)
					}
				}
			}
		}
		for _, ev := range also {
			kept[ev] = true
		}
		part := g.part(func(ev *Event) bool { return kept[ev] })
		if !slices.Contains(part.Artifacts, a) {
			part.Artifacts = append([]*Artifact{a}, part.Artifacts...)
		}
		return part
	}
	isRead := func(ev *Event) bool { return ev.Kind == Read }
	also := only(ofArtifact[a.ID], func(ev *Event) bool { return !isRead(ev) }) // who else came by it
	t := &Trace{
		Artifact: a,
		Up:       walk(also, func(id string) []*Event { return makers(ofArtifact[id]) }, isRead),
		Down:     walk(nil, func(id string) []*Event { return only(ofArtifact[id], isRead) }, func(ev *Event) bool { return !isRead(ev) }),
		Missing:  slices.Clone(g.Missing),
	}
	for _, from := range t.Up.Artifacts {
		if len(makers(ofArtifact[from.ID])) == 0 {
			t.Missing = append(t.Missing, "no run that is still there has made or imported "+from.title()+" at "+from.URI+": the run was deleted or archived, or it came from elsewhere")
		}
	}
	return t
}

// makers returns the events of what an artifact comes from.
func makers(events []*Event) []*Event {
	for _, kind := range []EventKind{Made, Imported, Reused} {
		if found := only(events, func(ev *Event) bool { return ev.Kind == kind }); len(found) > 0 {
			return found
		}
	}
	return nil
}

// only returns those of a list that are to be kept.
func only[T any](list []T, keep func(T) bool) []T {
	out := []T{}
	for _, v := range list {
		if keep(v) {
			out = append(out, v)
		}
	}
	return out
}
