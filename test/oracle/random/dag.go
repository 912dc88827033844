package random

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"github.com/argoproj/argo-workflows/v3/util/expr/argoexpr"
	"github.com/argoproj/argo-workflows/v3/util/template"
	"github.com/argoproj/argo-workflows/v3/workflow/common"
)

// A dag is one in the making.
type dag struct {
	*Controller
	name  string
	t     *wfv1.Template
	nodes map[string]*Node
}

// What common asks for the dependencies of a task.

func (d *dag) GetTask(name string) *wfv1.DAGTask               { return d.t.DAG.Tasks[d.index(name)].DeepCopy() }
func (d *dag) GetTaskFinishedAtTime(string) (t time.Time)      { return t }
func (d *dag) GetTaskDependencies(name string) (deps []string) { deps, _ = d.logic(name); return deps }
func (d *dag) index(name string) int {
	return slices.IndexFunc(d.t.DAG.Tasks, func(t wfv1.DAGTask) bool { return t.Name == name })
}

func (d *dag) logic(name string) ([]string, string) {
	deps, logic := common.GetTaskDependencies(&d.t.DAG.Tasks[d.index(name)], d)
	return slices.Sorted(maps.Keys(deps)), logic
}

// dag runs the tasks of a DAG, one after the other, in the order of writing, which
// is one that their dependencies allow.
func (c *Controller) dag(name string, t *wfv1.Template) *Node {
	d := &dag{c, name, t, map[string]*Node{}}
	failed := false
	for _, task := range t.DAG.Tasks {
		if failed && (t.DAG.FailFast == nil || *t.DAG.FailFast) {
			break // what hasn't started doesn't
		}
		n := d.task(&task)
		d.nodes[task.Name] = n
		failed = failed || n.failed()
	}
	phase, message := d.assess()
	n := &Node{Phase: phase, Message: message}
	if n.failed() {
		c.failures = append(c.failures, failure{name, "", t.Name, string(n.Phase), "", "2026-11-28T02:00:00Z"})
		return n
	}
	s := newScope(t)
	for _, task := range t.DAG.Tasks {
		s.add("tasks."+task.Name, d.nodes[task.Name])
	}
	var err error
	if n.Outputs, err = outputs(t, s); err != nil {
		return &Node{Phase: wfv1.NodeError, Message: "the workflow would hang: " + err.Error()}
	}
	return n
}

func (d *dag) task(task *wfv1.DAGTask) *Node {
	fail := func(err error) *Node {
		return &Node{Phase: wfv1.NodeError, Message: d.name + "." + task.Name + ": " + err.Error()}
	}
	deps, logic := d.logic(task.Name)
	if logic != "" {
		results := map[string]map[string]bool{}
		for _, dep := range deps {
			n := d.nodes[dep]
			if n == nil {
				return fail(fmt.Errorf("it depends on %s, which has not run", dep))
			}
			results[strings.ReplaceAll(dep, "-", "_")] = map[string]bool{
				"Succeeded": n.Phase == wfv1.NodeSucceeded, "Failed": n.Phase == wfv1.NodeFailed, "Errored": n.Phase == wfv1.NodeError,
				"Skipped": n.Phase == wfv1.NodeSkipped, "Omitted": n.Phase == wfv1.NodeOmitted, "Daemoned": false,
			}
		}
		run, err := argoexpr.EvalBool(strings.ReplaceAll(logic, "-", "_"), results)
		if err != nil {
			return fail(err)
		}
		if !run {
			return &Node{Phase: wfv1.NodeOmitted}
		}
	}
	s := newScope(d.t)
	for _, dep := range common.GetTaskAncestry(d, task.Name) {
		s.add("tasks."+dep, d.nodes[dep])
		if n := d.nodes[dep]; n.Outputs == nil && (n.Phase == wfv1.NodeSkipped || n.Phase == wfv1.NodeOmitted) {
			for _, p := range d.templates[d.GetTask(dep).Template].Outputs.Parameters {
				s["tasks."+dep+".outputs.parameters."+p.Name] = ""
			}
		}
	}
	params := d.global.Merge(s.parameters())
	if task.When != "" {
		var when string
		if err := d.replaced(task.When, params, &when); err != nil {
			return fail(err)
		}
		switch when {
		case "true":
		case "false":
			return &Node{Phase: wfv1.NodeSkipped}
		default:
			return fail(fmt.Errorf("the condition became %q", when))
		}
	}
	var full wfv1.DAGTask
	if err := d.replaced(task, params, &full); err != nil {
		return fail(err)
	}
	if full.WithParam == "" {
		return d.template(d.name+"."+full.Name, &full, full.Arguments)
	}
	expanded, err := d.expand(&full, params)
	if err != nil {
		return fail(err)
	}
	if len(expanded) == 0 {
		return &Node{Phase: wfv1.NodeSkipped}
	}
	group := &Node{Phase: wfv1.NodeSucceeded, group: true}
	for _, one := range expanded {
		n := d.template(d.name+"."+one.Name, one, one.Arguments)
		group.Children = append(group.Children, n)
		if n.failed() {
			group.Phase, group.Message = n.Phase, n.Message
		}
	}
	return group
}

// expand repeats a task for each item, as expandTask and processItem do.
func (d *dag) expand(task *wfv1.DAGTask, params common.Parameters) ([]*wfv1.DAGTask, error) {
	var items []wfv1.Item
	if err := json.Unmarshal([]byte(task.WithParam), &items); err != nil {
		return nil, fmt.Errorf("withParam value could not be parsed as a JSON list: %s: %w", task.WithParam, err)
	}
	j, err := json.Marshal(task)
	if err != nil {
		return nil, err
	}
	tmpl, err := template.NewTemplate(string(j))
	if err != nil {
		return nil, err
	}
	var all []*wfv1.DAGTask
	for i, item := range items {
		with := map[string]any{}
		for k, v := range params {
			with[k] = v
		}
		switch item.GetType() {
		case wfv1.String:
			if with["item"] = fmt.Sprintf("%v", item); d.Version == 4 {
				with["item"] = item.GetStrVal()
			}
		case wfv1.Number, wfv1.Bool:
			with["item"] = fmt.Sprintf("%v", item)
		case wfv1.Map:
			m, err := json.Marshal(item.GetMapVal())
			if err != nil {
				return nil, err
			}
			with["item"] = string(m)
			for k, v := range item.GetMapVal() {
				with["item."+k] = fmt.Sprintf("%v", v)
			}
		case wfv1.List:
			l, err := json.Marshal(item.GetListVal())
			if err != nil {
				return nil, err
			}
			with["item"] = string(l)
		default:
			return nil, fmt.Errorf("item %d is %v", i, item)
		}
		text, err := tmpl.Replace(with, false)
		if err != nil {
			return nil, err
		}
		one := &wfv1.DAGTask{}
		if err := json.Unmarshal([]byte(text), one); err != nil {
			return nil, err
		}
		one.Name, one.Template = fmt.Sprintf("%s(%d)", task.Name, i), task.Template
		all = append(all, one)
	}
	return all, nil
}

// assess returns the phase of the DAG: what its last tasks came to, where one that
// did not run has the phase of those before it.
func (d *dag) assess() (wfv1.NodePhase, string) {
	message := ""
	for _, t := range d.t.DAG.Tasks {
		if n := d.nodes[t.Name]; n != nil && n.failed() && message == "" {
			message = n.Message
		}
	}
	branches := map[string][]wfv1.NodePhase{} // the phases with which a branch gets to and past a task
	last := map[string]bool{}
	for _, t := range d.t.DAG.Tasks {
		last[t.Name] = true
	}
	for _, t := range d.t.DAG.Tasks {
		deps, _ := d.logic(t.Name)
		var before []wfv1.NodePhase
		for _, dep := range deps {
			last[dep] = false
			before = append(before, branches[dep]...)
		}
		if len(deps) == 0 {
			before = []wfv1.NodePhase{wfv1.NodeSucceeded}
		}
		if n := d.nodes[t.Name]; n != nil && (n.Phase == wfv1.NodeSucceeded || n.failed()) {
			before = []wfv1.NodePhase{n.Phase}
		}
		branches[t.Name] = before
	}
	for _, t := range d.t.DAG.Tasks {
		if !last[t.Name] {
			continue
		}
		for _, phase := range branches[t.Name] {
			if phase == wfv1.NodeFailed || phase == wfv1.NodeError {
				return phase, message
			}
		}
	}
	for _, n := range d.nodes { // fail fast: a last task was not reached
		if n.failed() && len(d.nodes) < len(d.t.DAG.Tasks) {
			return n.Phase, message
		}
	}
	return wfv1.NodeSucceeded, ""
}
