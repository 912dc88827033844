package program

import "strings"

// WithExits returns the program with the tasks of its exit handlers run each time,
// if it was read from a file of KFP's SDK: there a task is cached if its author
// said nothing about it. Package lower does that for pipelines written in Go, and
// kfpgo's own files say what they mean.
func (p *Program) WithExits() *Program {
	if p.IR == nil || WroteIR(p.IR) {
		return p
	}
	return p.Uncached(func(*Component) bool { return false })
}

// WroteIR reports whether kfpgo wrote a file.
func WroteIR(ir *IR) bool { return ir != nil && strings.HasPrefix(ir.SDKVersion, "kfpgo-") }

// Uncached returns the program with caching off for the tasks of exit handlers,
// for all tasks in the DAGs that these call, and for those whose component is one
// of others. Tasks with a cache key stay as they are.
func (p *Program) Uncached(others func(*Component) bool) *Program {
	inside := p.ofExits()
	q := p.Clone()
	changed := false
	for c, t := range q.Tasks() {
		sub := q.Component(t.Component)
		if t.Settings.NoCache || t.Settings.CacheKey != "" || sub == nil || sub.DAG != nil && sub.DAG.Kind != Pipeline {
			continue
		}
		if t.Exit || inside[c.Name] || others(sub) {
			t.Settings.NoCache, changed = true, true
		}
	}
	if !changed {
		return p
	}
	return q
}

// ofExits returns the names of the components that tasks of exit handlers call, at
// any depth.
func (p *Program) ofExits() map[string]bool {
	inside := map[string]bool{}
	var add func(name string)
	add = func(name string) {
		c := p.Component(name)
		if inside[name] || c == nil {
			return
		}
		inside[name] = true
		if c.DAG != nil {
			for _, t := range c.DAG.Tasks {
				add(t.Component)
			}
		}
	}
	for _, t := range p.Tasks() {
		if t.Exit {
			add(t.Component)
		}
	}
	return inside
}

// CachedExits is the set of tasks that a KFP server may take from its cache and
// WithExits runs each time.
func (p *Program) CachedExits() map[*Task]bool {
	q := p.WithExits()
	if q == p {
		return nil
	}
	all := map[*Task]bool{}
	for i, c := range p.Components {
		if c.DAG == nil {
			continue
		}
		for j, t := range c.DAG.Tasks {
			if t.Settings.NoCache != q.Components[i].DAG.Tasks[j].Settings.NoCache {
				all[t] = true
			}
		}
	}
	return all
}
