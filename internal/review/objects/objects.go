// Package objects shows the Kubernetes objects that the tasks of a pipeline work on, before
// it runs: those of resource operations, of claims, and of Go steps that say what rights
// they need, as ready-made components do. The steps themselves make them: it asks the
// program. What only a run knows is <train.model>, the task and its output, or <epochs>, an
// input of the pipeline that has no value.
package objects

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A Task is one that works on objects, or an item of a loop.
type Task struct {
	Path   string // of names
	Item   string // the path with the numbers of the items in loops
	Task   *program.Task
	Always bool   // it runs however the others end
	If     bool   // it runs under a condition that only the run knows
	Error  string // why its objects aren't known

	Operations []Operation

	// Whole are inputs that are structs of which only the run knows all: the objects
	// lack what comes from them.
	Whole []string
}

// An Operation is something that a task does with an object.
type Operation struct {
	Action string         // create, apply, patch, delete, or get, which wants it to be there
	Object map[string]any // its fields; a string with < in it holds an unknown value

	// Depends names what decides whether it is done at all, if only the run knows.
	Depends []string
}

// Name returns the apiVersion, kind and name of the object, or what its name starts with.
func (o Operation) Name() (api, kind, name string, generated bool) {
	text := func(m map[string]any, key string) string { s, _ := m[key].(string); return s }
	meta, _ := o.Object["metadata"].(map[string]any)
	if name = text(meta, "name"); name == "" {
		name, generated = text(meta, "generateName"), true
	}
	return text(o.Object, "apiVersion"), text(o.Object, "kind"), name, generated
}

// Options hold the known values.
type Options struct {
	Inputs map[string]json.RawMessage // of the pipeline; what isn't here isn't known

	// All has tasks too that don't run with these inputs.
	All bool

	// Image is that of the program.
	Image string

	// Steps asks the program what Go steps would do. Nil: those are left out.
	Steps func([]contract.Step) ([]contract.Planned, error)
}

// Of returns the tasks of a program that work on objects.
func Of(p *program.Program, o Options) ([]Task, error) {
	w := &walker{p: p, o: o, budget: maxTasks, bytes: maxBytes}
	if main := p.Component(p.Main); main != nil && main.DAG != nil {
		env := env{}
		for _, in := range main.Inputs {
			if v, ok := o.Inputs[in.Name]; ok {
				env[in.Name] = known(v, in.Type)
			} else if !in.Optional {
				env[in.Name] = hole(in.Name, in.Type)
			}
		}
		w.walk(main, place{env: env})
	}
	if err := w.ask(); err != nil {
		return w.all, err
	}
	if w.budget < 0 || w.bytes < 0 {
		return w.all, errMany
	}
	return w.all, nil
}

// More tasks and items than anybody reads.
const (
	maxTasks = 20_000 // that are looked at
	maxMade  = 2_000  // that work on objects
	maxItems = 50
	maxDepth = 50
	maxValue = 256 << 10 // bytes of the inputs of a task, of which Linux passes on half as one argument
	maxBytes = 32 << 20  // of all inputs and objects
)

var errMany = fmt.Errorf("the tasks work on more objects than can be shown: at most %d tasks and items of loops, %d MiB in all and %d KiB for the inputs of one are", maxMade, maxBytes>>20, maxValue>>10)

// A walker goes through the tasks of a program.
type walker struct {
	p      *program.Program
	o      Options
	budget int
	bytes  int // that are left
	all    []Task
	steps  []contract.Step // that the program is asked for
	asked  []request       // what for
}

// A request is a run of steps that the program is asked for: one with the known values, and
// one for each number that isn't, with another one in its place.
type request struct {
	task  int // in all
	first int // in steps
	holes []value
}

// A place is where in the DAGs a task is.
type place struct {
	at    string
	item  string
	env   env
	exit  bool
	maybe bool
	depth int
}

func (w *walker) walk(c *program.Component, at place) {
	imported := w.imported(c, at.env)
	for _, t := range c.DAG.Tasks {
		sub := w.p.Component(t.Component)
		if w.budget--; sub == nil || w.budget < 0 || w.bytes < 0 || at.depth > maxDepth {
			continue
		}
		join := func(to string) string { return strings.TrimPrefix(to+"/"+t.Name, "/") }
		here := place{join(at.at), join(at.item), at.env, at.exit || t.Exit || t.Always, at.maybe, at.depth + 1}
		runs, sure := at.env.runs(t)
		if sure && !runs && !w.o.All {
			continue
		}
		here.maybe = here.maybe || !sure
		args := env{}
		for _, in := range sub.Inputs {
			if a, ok := t.Args[in.Name]; ok {
				if v, ok := imported[a.Task]; ok && a.Kind == program.Output {
					args[in.Name] = v
					continue
				}
				if v, ok := at.env.value(a); ok {
					args[in.Name] = v
					continue
				}
			}
			if in.Default != nil {
				args[in.Name] = known(in.Default, in.Type)
			}
		}
		for i, item := range at.env.items(t) {
			if item != nil {
				args = maps.Clone(args)
				args[t.Each.Item] = *item
				if item.json != nil {
					here.item = fmt.Sprintf("%s[%d]", join(at.item), i+1)
				}
			}
			here.env = args
			if sub.DAG != nil {
				w.walk(sub, here)
			} else {
				w.leaf(t, sub, here)
			}
		}
	}
}

// imported returns the artifacts that tasks of a DAG import from URIs that are known, by task.
func (w *walker) imported(c *program.Component, e env) map[string]value {
	all := map[string]value{}
	for _, t := range c.DAG.Tasks {
		sub := w.p.Component(t.Component)
		if sub == nil || sub.Exec == nil || sub.Exec.Importer == nil || t.Each != nil || len(sub.Outputs) != 1 {
			continue
		}
		if uri, ok := e.value(t.Args["uri"]); ok && uri.json != nil {
			all[t.Name] = known(slices.Concat(json.RawMessage(`{"uri":`), uri.json, json.RawMessage("}")), sub.Outputs[0].Type)
		}
	}
	return all
}

// leaf notes what a task does with objects.
func (w *walker) leaf(t *program.Task, c *program.Component, at place) {
	x := c.Exec
	if x == nil || !x.WorksOnObjects() || x.Resource == nil && (w.o.Steps == nil || x.Go.Image != "") {
		return
	}
	if len(w.all) == maxMade {
		w.bytes = -1
		return
	}
	made := Task{Path: at.at, Item: at.item, Task: t, Always: at.exit, If: at.maybe}
	f := &filling{vary: -1}
	first := f.inputs(c, at.env)
	for _, h := range f.holes {
		if h.whole() {
			made.Whole = append(made.Whole, h.name)
		}
	}
	if w.bytes -= f.size; f.size > maxValue {
		w.bytes = -1
		return
	}
	versions := []inputs{first}
	varied := slices.DeleteFunc(slices.Clone(f.holes), func(h value) bool { return !h.varies() })
	for i, h := range f.holes {
		if h.varies() && w.bytes >= 0 {
			f := &filling{vary: i}
			versions = append(versions, f.inputs(c, at.env))
			w.bytes -= f.size
		}
	}
	if w.bytes < 0 {
		return
	}
	if x.Resource != nil {
		var plans []contract.Planned
		for _, in := range versions {
			p := operation(c, in.values())
			for _, o := range p.Operations {
				w.bytes -= len(o.Object)
			}
			plans = append(plans, p)
		}
		made.merge(plans, f.holes, varied, w.image())
	} else {
		w.asked = append(w.asked, request{task: len(w.all), first: len(w.steps), holes: f.holes})
		for _, in := range versions {
			w.steps = append(w.steps, contract.Step{Component: x.Go.Name, Input: in.executor(c)})
		}
	}
	w.all = append(w.all, made)
}

// image is that of the program.
func (w *walker) image() string { return cmp.Or(w.o.Image, "<image>") }

// ask asks the program what its steps would do.
func (w *walker) ask() error {
	if len(w.steps) == 0 {
		return nil
	}
	plans, err := w.o.Steps(w.steps)
	if err != nil {
		return err
	}
	for _, r := range w.asked {
		varied := slices.DeleteFunc(slices.Clone(r.holes), func(h value) bool { return !h.varies() })
		w.all[r.task].merge(plans[r.first:r.first+1+len(varied)], r.holes, varied, w.image())
	}
	return nil
}
