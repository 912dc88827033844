package argosim

import (
	"fmt"
	"maps"
	"slices"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
)

// A kind is one of templates.
type kind struct {
	is  func(t *wfv1.Template) bool
	pod bool
	run func(s *Sim, c *call, t *wfv1.Template) *Node
}

// kinds are those that are known. It is a function since templates run others.
func kinds() []kind {
	return []kind{
		{func(t *wfv1.Template) bool { return t.DAG != nil }, false, (*Sim).dag},
		{func(t *wfv1.Template) bool { return t.Steps != nil }, false, (*Sim).steps},
		{func(t *wfv1.Template) bool { return t.Suspend != nil }, false, (*Sim).suspend},
		{func(t *wfv1.Template) bool { return t.Container != nil || t.Script != nil }, true, (*Sim).container},
		{func(t *wfv1.Template) bool { return t.Resource != nil }, true, (*Sim).resource},
	}
}

// around is what can surround the run of a template, from the outside in.
var around = []func(s *Sim, c *call, run func(*call) *Node) *Node{(*Sim).memoized, (*Sim).retried}

// A home has the templates that those in it may name.
type home map[string]*wfv1.Template

func homeOf(list []wfv1.Template) home {
	h := home{}
	for i := range list {
		h[list[i].Name] = &list[i]
	}
	return h
}

// find returns the template of a task, and its home.
func (s *Sim) find(h home, task *wfv1.DAGTask) (*wfv1.Template, home, error) {
	name := task.Template
	switch ref := task.TemplateRef; {
	case task.Inline != nil:
		return task.Inline, h, nil
	case ref != nil:
		if h, name = s.homes[ref.Name], ref.Template; h == nil {
			return nil, nil, fmt.Errorf("there is no WorkflowTemplate %q", ref.Name)
		}
	}
	if h[name] == nil {
		return nil, nil, fmt.Errorf("there is no template %q", name)
	}
	return h[name], h, nil
}

// A call is one of a template.
type call struct {
	node, task string
	as         string // "tasks" or "steps"
	t          *wfv1.Template
	home       home
	args       wfv1.Arguments
	local      map[string]string
	before     pods
	limits     []int64 // parallelism of the templates around it and its own, from the outside in
	attempt    int
	last       bool // there is no other attempt
}

// invoke runs the template of a task of the call within.
func (s *Sim) invoke(within *call, task *wfv1.DAGTask, as, node string, before pods) *Node {
	h := within.home
	t, h, err := s.find(h, task)
	if err != nil {
		return s.wrong(node, err)
	}
	limits := slices.Clone(within.limits)
	if t.Parallelism != nil {
		limits = append(limits, *t.Parallelism)
	}
	c := &call{node: node, task: task.Name, as: as, t: t, home: h, args: task.Arguments, before: before, limits: limits, last: true,
		local: map[string]string{"node.name": node, as + ".name": task.Name}}
	run := s.once
	for i := len(around) - 1; i >= 0; i-- {
		within, outer := run, around[i]
		run = func(c *call) *Node { return outer(s, c, within) }
	}
	return run(c)
}

// once runs a template with all that surrounds it done.
func (s *Sim) once(c *call) *Node {
	for _, k := range kinds() {
		if !k.is(c.t) {
			continue
		}
		local := maps.Clone(c.local)
		if k.pod {
			local["pod.name"] = fmt.Sprintf("%s-%d", s.global["workflow.name"], len(s.Ran)+1)
		}
		t, err := s.lang.Process(c.t, &c.args, s.global, local)
		if err != nil {
			return s.wrong(c.node, err)
		}
		if n := check(s, unknown, c.node, t); n != nil {
			return n
		}
		c.local = local
		return k.run(s, c, t)
	}
	return s.wrong(c.node, fmt.Errorf("the kind of its template %w", errUnknown))
}
