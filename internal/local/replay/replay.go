// Package replay takes a step out of a run: it makes a pipeline of that step alone,
// whose inputs are what the step was given, so that the engine runs it again here.
package replay

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// A Record is what a run knows of one of its steps.
type Record struct {
	Run      string // ID
	Path     string // of the step
	State    run.State
	Error    string
	ExitCode string // of its process or main container; empty: not known
	Params   map[string]json.RawMessage
	Arts     map[string][]run.Artifact // on this machine

	// What the settings of the task may read: inputs of the group that it is in and
	// outputs of the tasks beside it, by name.
	Group  map[string]json.RawMessage
	Beside map[string]map[string]json.RawMessage
}

// Local returns what a run on this machine knows of a step. Task is its path, or a
// name that no other one has.
func Local(r *run.Run, task string) (*Record, error) {
	groups := map[string]bool{}
	for _, t := range r.Tasks {
		groups[path.Dir(t.Path)] = true
	}
	var found []*run.Task
	var steps []string
	for _, t := range r.Tasks {
		if groups[t.Path] {
			continue
		}
		steps = append(steps, t.Path)
		if t.Path == task {
			found = []*run.Task{t}
			break
		}
		if path.Base(t.Path) == task {
			found = append(found, t)
		}
	}
	switch {
	case len(found) == 0 && groups[task]:
		return nil, fmt.Errorf("run %s: %s is a group; name a step in it: %s", r.ID, task, some(slices.DeleteFunc(steps, func(s string) bool { return !strings.HasPrefix(s, task+"/") })))
	case len(found) == 0:
		return nil, fmt.Errorf("run %s has no step %s; it has %s", r.ID, task, some(steps))
	case len(found) > 1:
		var paths []string
		for _, t := range found {
			paths = append(paths, t.Path)
		}
		return nil, fmt.Errorf("run %s has several steps %s; name one of %s", r.ID, task, some(paths))
	}
	t := found[0]
	if t.State == run.Skipped || t.State == run.Pending || t.Inputs == nil && t.Reads == nil && t.Started.IsZero() {
		return nil, fmt.Errorf("run %s: %s did not run (%s), so it was given nothing", r.ID, t.Path, kfptype.Word(t.State))
	}
	rec := &Record{
		Run: r.ID, Path: t.Path, State: t.State, Error: t.Error, ExitCode: t.ExitCode, Params: maps.Clone(t.Inputs), Arts: maps.Clone(t.Reads),
		Beside: map[string]map[string]json.RawMessage{},
	}
	up := find(r, path.Dir(t.Path))
	if t.Iteration != nil && up != nil { // the record of an iteration holds the item only
		rec.Params, rec.Arts = merged(up.Inputs, t.Inputs), merged(up.Reads, t.Reads)
		up = find(r, path.Dir(up.Path))
	}
	rec.Group = r.Params
	at := "."
	if up != nil {
		rec.Group, at = up.Inputs, up.Path
		if up.Iteration != nil {
			if loop := find(r, path.Dir(up.Path)); loop != nil {
				rec.Group = merged(loop.Inputs, up.Inputs)
			}
		}
	}
	for _, other := range r.Tasks {
		if path.Dir(other.Path) == at {
			rec.Beside[other.Name] = other.Outputs
		}
	}
	return rec, nil
}

func find(r *run.Run, at string) *run.Task {
	for _, t := range r.Tasks {
		if t.Path == at {
			return t
		}
	}
	return nil
}

func merged[V any](a, b map[string]V) map[string]V {
	out := maps.Clone(a)
	if out == nil {
		out = map[string]V{}
	}
	maps.Copy(out, b)
	return out
}

// some lists names for a message.
func some(names []string) string {
	const most = 20
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// A Step is a step in its pipeline.
type Step struct {
	Task      *program.Task
	Component *program.Component
}

// Find returns the step at a path of a run: iterations are numbers. As returns what
// the engine of the run calls a task. Groups that the engine has made for itself, as
// of a DAG too wide for it, are passed over.
func Find(p *program.Program, at string, as func(name string) string) (*Step, error) {
	c := p.Component(p.Main)
	var t *program.Task
	parts := strings.Split(at, "/")
	for i, part := range parts {
		if t != nil && t.Each != nil && part != "" && strings.Trim(part, "0123456789") == "" {
			continue
		}
		if c == nil || c.DAG == nil {
			return nil, fmt.Errorf("pipeline %s has no step %s: %s is a step", p.Name, at, strings.Join(parts[:i], "/"))
		}
		j := slices.IndexFunc(c.DAG.Tasks, func(t *program.Task) bool { return t.Name == part || as != nil && as(t.Name) == part })
		if j < 0 && as != nil && i < len(parts)-1 {
			continue
		}
		if j < 0 {
			var names []string
			for _, t := range c.DAG.Tasks {
				names = append(names, t.Name)
			}
			return nil, fmt.Errorf("pipeline %s has no step %s: there is no task %s among %s; is it another pipeline than that of the run?", p.Name, at, part, some(names))
		}
		t = c.DAG.Tasks[j]
		c = p.Component(t.Component)
	}
	if c == nil || c.Exec == nil || t == nil {
		return nil, fmt.Errorf("pipeline %s: %s is a group of tasks; name a step in it", p.Name, at)
	}
	return &Step{t, c}, nil
}

// Alone returns a program that has one step of p only, and what it is given. Notes
// say what isn't as it was in the run.
func Alone(p *program.Program, s *Step, r *Record, elsewhere bool) (*program.Program, map[string]json.RawMessage, []string, error) {
	comp := *s.Component
	var notes []string
	if elsewhere && comp.Exec.OnLocal && comp.Exec.Container != nil { // what ran there, not what stands in for it
		exec := *comp.Exec
		exec.OnLocal, comp.Exec = false, &exec
	}
	if comp.Exec.OnLocal {
		notes = append(notes, "the step's OnLocal function stands in for it")
	}
	main := &program.Component{Name: p.Main, DAG: &program.DAG{Kind: program.Pipeline, Outputs: map[string]program.Export{}}}
	given := map[string]json.RawMessage{}
	t := *s.Task
	t.Args, t.After, t.When, t.WhenText, t.Each, t.Always, t.Exit = nil, nil, nil, "", nil, false, false
	t.Settings.Retry, t.Settings.NoCache = nil, true
	ports := map[string]string{}
	one := t.Map(func(v program.Value) program.Value {
		var b json.RawMessage
		var ok bool
		key := ""
		switch v.Kind {
		case program.Input:
			key = v.Name
			b, ok = r.Group[v.Name]
		case program.Output:
			key = v.Task + "." + v.Name
			b, ok = r.Beside[v.Task][v.Name]
		case program.Status:
			key = "the state of " + v.Task
		default:
			return v
		}
		name := ports[key]
		if name == "" {
			name = fmt.Sprintf("of-the-run-%d", len(ports))
			ports[key] = name
			typ := v.Type
			if len(v.Field) > 0 {
				typ = graph.Type{Name: kfptype.Struct}
			}
			main.Inputs = append(main.Inputs, program.Port{Name: name, Type: typ, Optional: true})
			if ok {
				given[name] = b
			} else {
				notes = append(notes, fmt.Sprintf("a setting of the task reads %s, which the run doesn't know: it is not given", key))
			}
		}
		return program.Value{Kind: program.Input, Name: name, Field: v.Field, Type: v.Type}
	})
	one.Args = map[string]program.Value{}
	for i := range comp.Inputs {
		in := comp.Inputs[i]
		name := "arg--" + in.Name
		if in.Type.Artifact {
			as, ok := r.Arts[in.Name]
			if !ok {
				continue
			}
			b, err := artifacts(in, as)
			if err != nil {
				return nil, nil, nil, err
			}
			given[name] = b
		} else {
			b, ok := r.Params[in.Name]
			if !ok {
				continue
			}
			given[name] = b
		}
		main.Inputs = append(main.Inputs, program.Port{Name: name, Type: in.Type, Optional: true})
		one.Args[in.Name] = program.Value{Kind: program.Input, Name: name, Type: in.Type}
	}
	if len(one.Settings.PVCMounts) > 0 && elsewhere {
		notes = append(notes, "the volumes of the step are on the cluster: here they are folders, see the guide")
	}
	main.DAG.Tasks = []*program.Task{one}
	alone := &program.Program{Name: p.Name, Title: p.Title, Main: p.Main, Components: []*program.Component{main, &comp}}
	if p.Config != nil {
		c := *p.Config
		c.Deadline, alone.Config = 0, &c
	}
	return alone, given, notes, nil
}

// artifacts returns artifacts as the argument of a pipeline.
func artifacts(in program.Port, as []run.Artifact) (json.RawMessage, error) {
	if in.Type.List {
		return json.Marshal(as)
	}
	if len(as) == 0 {
		return nil, fmt.Errorf("input %s: the run names no artifact for it", in.Name)
	}
	return json.Marshal(as[0])
}
