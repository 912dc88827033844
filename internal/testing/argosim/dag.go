package argosim

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"github.com/expr-lang/expr"
)

// A dag is one that runs.
type dag struct {
	frame
	nodes map[string]*Node
	came  map[string]pods // what had ended before each, and in it
}

func (d *dag) index(name string) *wfv1.DAGTask {
	for i := range d.t.DAG.Tasks {
		if d.t.DAG.Tasks[i].Name == name {
			return &d.t.DAG.Tasks[i]
		}
	}
	return nil
}

func (d *dag) depends(t *wfv1.DAGTask) ([]string, string) { return d.lang.Depends(t, d.index) }

// dag runs the tasks of a DAG, each after those that it depends on. Those that
// could have started before another failed run, whatever failFast says.
func (s *Sim) dag(c *call, t *wfv1.Template) *Node {
	d := &dag{frame{s, c, t, "tasks"}, map[string]*Node{}, map[string]pods{}}
	ran := pods{}
	for i := range t.DAG.Tasks {
		if err := d.visit(&t.DAG.Tasks[i], nil); err != nil {
			n := s.wrong(c.node, err)
			n.pods = ran
			return n
		}
		ran = ran.and(d.nodes[t.DAG.Tasks[i].Name].pods)
	}
	phase, message := d.assess()
	sc := scopeOf(t)
	for name, n := range d.nodes {
		sc.add("tasks."+name, n)
	}
	return d.end(phase, message, sc, ran)
}

// visit runs a task and, before it, what it depends on.
func (d *dag) visit(t *wfv1.DAGTask, below []string) error {
	if d.nodes[t.Name] != nil {
		return nil
	}
	deps, logic := d.depends(t)
	before := d.c.before
	for _, dep := range deps {
		on := d.index(dep)
		switch {
		case on == nil:
			return fmt.Errorf("task %s depends on %s, which isn't there", t.Name, dep)
		case d.Strict && d.nodes[dep] == nil:
			return fmt.Errorf("task %s depends on %s, which has not run", t.Name, dep)
		case len(below) > len(d.t.DAG.Tasks):
			return fmt.Errorf("tasks depend on each other in a circle: %v", below)
		}
		if err := d.visit(on, append(below, t.Name)); err != nil {
			return err
		}
		before = before.and(d.came[dep])
	}
	n := &Node{Phase: wfv1.NodeOmitted}
	if ready, err := d.ready(deps, logic); err != nil {
		n = d.wrong(d.c.node+"."+t.Name, err)
	} else if ready {
		n = d.run(t, d.scope(t), before)
	}
	d.nodes[t.Name], d.came[t.Name] = n, before.and(n.pods)
	return nil
}

// ready evaluates what a task depends on.
func (d *dag) ready(deps []string, logic string) (bool, error) {
	if logic == "" {
		return true, nil
	}
	results := map[string]map[string]bool{}
	for _, dep := range deps {
		n := d.nodes[dep]
		any, every := false, n.group
		for _, child := range n.Children {
			any, every = any || child.Phase == wfv1.NodeSucceeded, every && child.Phase == wfv1.NodeFailed
		}
		results[strings.ReplaceAll(dep, "-", "_")] = map[string]bool{
			"Succeeded": n.Phase == wfv1.NodeSucceeded, "Failed": n.Phase == wfv1.NodeFailed, "Errored": n.Phase == wfv1.NodeError,
			"Skipped": n.Phase == wfv1.NodeSkipped, "Omitted": n.Phase == wfv1.NodeOmitted, "Daemoned": false,
			"AnySucceeded": any, "AllFailed": every,
		}
	}
	logic = strings.ReplaceAll(logic, "-", "_")
	program, err := expr.Compile(logic, expr.Env(results))
	if err != nil {
		return false, err
	}
	v, err := expr.Run(program, results)
	if ok, is := v.(bool); is || err != nil {
		return ok, err
	}
	return false, errors.New(logic + " is neither true nor false")
}

// scope is what a task sees: what those came to that it depends on, and those
// before them.
func (d *dag) scope(t *wfv1.DAGTask) scope {
	sc, seen := scopeOf(d.t), map[string]bool{}
	var add func(t *wfv1.DAGTask)
	add = func(t *wfv1.DAGTask) {
		deps, _ := d.depends(t)
		for _, dep := range deps {
			if seen[dep] {
				continue
			}
			seen[dep] = true
			n, on := d.nodes[dep], d.index(dep)
			sc.add("tasks."+dep, n)
			if n.Outputs == nil && !n.completed() { // it was skipped or omitted
				if of, _, err := d.find(d.c.home, on); err == nil {
					for _, p := range of.Outputs.Parameters {
						sc["tasks."+dep+".outputs.parameters."+p.Name] = ""
					}
				}
			}
			add(on)
		}
	}
	add(t)
	return sc
}

// assess returns the phase of the DAG: what its last tasks came to, where one that
// did not run has the phase of those before it.
func (d *dag) assess() (wfv1.NodePhase, string) {
	message := ""
	branches := map[string][]wfv1.NodePhase{} // with which a branch gets to and past a task
	last := map[string]bool{}
	var past func(t *wfv1.DAGTask) []wfv1.NodePhase
	past = func(t *wfv1.DAGTask) []wfv1.NodePhase {
		if branches[t.Name] != nil {
			return branches[t.Name]
		}
		phases := map[wfv1.NodePhase]bool{}
		deps, _ := d.depends(t)
		for _, dep := range deps {
			for _, phase := range past(d.index(dep)) {
				phases[phase] = true
			}
		}
		switch n := d.nodes[t.Name]; {
		case n.completed():
			phases = map[wfv1.NodePhase]bool{n.Phase: true}
		case len(deps) == 0:
			phases[wfv1.NodeSucceeded] = true
		}
		for phase := range maps.Keys(phases) {
			branches[t.Name] = append(branches[t.Name], phase)
		}
		return branches[t.Name]
	}
	for i := range d.t.DAG.Tasks {
		last[d.t.DAG.Tasks[i].Name] = true
	}
	for i := range d.t.DAG.Tasks {
		t := &d.t.DAG.Tasks[i]
		past(t)
		deps, _ := d.depends(t)
		for _, dep := range deps {
			last[dep] = false
		}
		if n := d.nodes[t.Name]; n.failed() && message == "" {
			message = n.Message
		}
	}
	for _, t := range d.t.DAG.Tasks {
		for _, phase := range branches[t.Name] {
			if last[t.Name] && (phase == wfv1.NodeFailed || phase == wfv1.NodeError) {
				return phase, message
			}
		}
	}
	return wfv1.NodeSucceeded, ""
}
