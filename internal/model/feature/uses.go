package feature

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// Uses returns what a program uses: each feature of each task once.
func Uses(p *program.Program) []Use { return UsesOf(p, func(string) bool { return true }) }

// UsesOf is Uses of some features only. The path of a task is as long as it is
// deep, so it is written only for what somebody asks for.
func UsesOf(p *program.Program, wanted func(id string) bool) []Use {
	u := &user{p: p, seen: map[string]bool{}, wanted: wanted, has: map[string]bool{}, executors: map[*program.Component]executor{}}
	if main := p.Component(p.Main); main != nil && main.DAG != nil {
		u.in, u.task = main, &program.Task{Pos: main.Pos}
		u.whole(main)
		u.component(main, true)
	}
	return u.uses
}

type user struct {
	p    *program.Program
	seen map[string]bool // components that were walked, by name
	uses []Use

	wanted func(id string) bool

	in   *program.Component // the DAG that the task is in
	task *program.Task
	path []string        // names of the task and of those that it is in
	has  map[string]bool // of the task

	executors map[*program.Component]executor // that were looked at
	groups    map[string]group                // among the tasks of the DAG, by name
}

type group int

const (
	single group = iota
	inside       // a DAG that runs once
	loop
)

// groupsOf says which tasks of a DAG are DAGs.
func (u *user) groupsOf(d *program.DAG) map[string]group {
	if !u.wanted("group.output") && !u.wanted("each.after") {
		return nil
	}
	groups := map[string]group{}
	for _, t := range d.Tasks {
		if t.Each != nil {
			groups[t.Name] = loop
		} else if c := u.p.Component(t.Component); c != nil && c.DAG != nil {
			groups[t.Name] = inside
		}
	}
	return groups
}

// An executor is what the one of a component uses, whichever task calls it.
type executor struct {
	ids     []Use                 // without the task
	depends []placeholder.Element // what else it uses depends on the task
}

func (u *user) add(id string) { u.addOf(id, "") }

func (u *user) addOf(id, of string) {
	if key := id + " " + of; !u.has[key] && u.wanted(id) {
		u.has[key] = true
		u.uses = append(u.uses, Use{ID: id, Of: of, Task: strings.Join(u.path, "/"), Pos: u.task.Pos})
	}
}

func (u *user) component(c *program.Component, whole bool) {
	if c == nil || c.DAG == nil || u.seen[c.Name] {
		return
	}
	u.seen[c.Name] = true
	groups := u.groupsOf(c.DAG)
	for _, t := range c.DAG.Tasks {
		sub := u.p.Component(t.Component)
		if sub == nil {
			continue // who reads the program says so
		}
		u.task, u.path = t, append(u.path, t.Name)
		clear(u.has)
		u.groups = groups
		u.one(c, t, sub, whole)
		u.component(sub, false)
		u.path = u.path[:len(u.path)-1]
	}
}

func (u *user) one(in *program.Component, t *program.Task, c *program.Component, whole bool) {
	u.in = in
	u.executor(t, c)
	if c.Exec != nil {
		u.imported(t, c.Exec.Importer)
	}
	if x := c.Exec; x != nil && x.Resource != nil && x.Resource.Builtin == program.CreatePVC {
		if _, ok := t.Args["data_source"]; ok {
			u.add("create-pvc.data-source")
		}
	}
	u.group(in, t, c, whole)
	for name, v := range t.Args {
		u.value(v)
		if port := c.Input(name); port != nil && port.Type.List && c.Exec != nil {
			u.add("list")
		}
	}
	u.when(t.When)
	if t.WhenText != "" {
		u.add("when.text")
	}
	u.always(in.DAG, t)
	if len(t.After) > 0 {
		u.add("after")
	}
	if slices.ContainsFunc(t.After, func(name string) bool { return u.groups[name] == loop }) {
		u.add("each.after")
	}
	u.settings(&t.Settings, c)
}

func (u *user) executor(t *program.Task, c *program.Component) {
	if c.Exec == nil {
		return
	}
	x, ok := u.executors[c]
	if !ok {
		x = executorOf(c)
		u.executors[c] = x
	}
	for _, id := range x.ids {
		u.addOf(id.ID, id.Of)
	}
	for _, e := range x.depends {
		u.present(t, c, e)
	}
}

func executorOf(c *program.Component) (e executor) {
	x := c.Exec
	add := func(id string) { e.ids = append(e.ids, Use{ID: id}) }
	id := "exec." + x.Kind()
	var all []string
	switch {
	case x.Resource != nil && x.Resource.Builtin != "":
		id += "." + x.Resource.Builtin
	case x.Resource != nil:
		all = []string{x.Resource.Manifest, x.Resource.Success, x.Resource.Failure}
	case x.Container != nil:
		all = slices.Concat([]string{x.Container.Image}, x.Container.Command, x.Container.Args)
		texts(all, func(id, of string) { e.ids = append(e.ids, Use{ID: id, Of: of}) })
		if len(x.Container.Command) == 0 {
			add("exec.container.image-command")
		}
		for _, text := range slices.Concat(x.Container.Command, x.Container.Args) {
			if el := placeholder.ParseElement(text); el.Parts == nil {
				e.depends = append(e.depends, el)
			}
		}
	}
	add(id)
	importer(x.Importer, add)
	if x.Python != nil {
		pythonStep(x.Python, add)
	}
	for _, text := range all {
		if strings.Contains(text, "'].uri}}") {
			add("placeholder.uri")
		}
	}
	for _, in := range c.Inputs {
		if in.Type.Name == kfptype.TaskConfig {
			add("task-config")
		}
	}
	for _, out := range c.Outputs {
		if out.Optional && !out.Type.Artifact {
			add("output.optional")
		}
		if out.Path != "" {
			add("output.path")
		}
	}
	return e
}

func (u *user) group(in *program.Component, t *program.Task, c *program.Component, whole bool) {
	if e := t.Each; e != nil {
		switch {
		case e.Artifact:
			u.add("each.artifact")
		case e.Items.Kind == program.Const:
			u.add("each.constant")
			if text := placeholder.In(e.Items.Const); text != "" {
				u.addOf("each.placeholder", text)
			}
		case e.Items.Kind == program.Format:
			u.add("each.values")
		default:
			u.add("each.parameter")
			if e.Items.Partial() {
				u.add("each.field")
			}
		}
		u.valueOf(e.Items, true)
		if e.Parallelism > 0 {
			u.add("each.parallelism")
		}
		for _, out := range c.Outputs {
			if out.Type.Artifact && u.p.Collects(c, out.Name) {
				u.add("collected.artifact.nested")
			}
			if out.Type.Artifact && u.p.Imported(c, out.Name) {
				u.add("import.collected")
			}
		}
	}
	if c.DAG == nil {
		return
	}
	switch c.DAG.Kind {
	case program.Pipeline:
		u.add("pipeline")
	case program.Branches:
		for _, out := range c.Outputs {
			if len(c.DAG.Outputs[out.Name].From) > 1 {
				u.add(kindOf(out.Type.Artifact, "one-of"))
				if u.joined(c, out) {
					u.add("import.joined")
				}
			}
		}
	case program.Guarded:
		others := slices.ContainsFunc(in.DAG.Tasks, func(o *program.Task) bool { return o != t && !o.Exit })
		if whole && !others {
			u.add("exit")
		} else {
			u.add("exit.group")
		}
	}
}

func kindOf(artifact bool, id string) string {
	if artifact {
		return id + ".artifact"
	}
	return id + ".parameter"
}

func (u *user) when(e *expr.Expr) {
	if e == nil {
		return
	}
	u.add("when")
	if e.Op == "given" && len(e.Args) > 0 {
		if e.Args[0].Artifact {
			u.add("when.given.artifact")
		} else {
			u.add("when.given")
		}
	}
	for _, a := range e.Args {
		u.when(a)
	}
}

func (u *user) settings(s *program.Settings, c *program.Component) {
	for o, v := range s.All() {
		u.option(o, v, c)
	}
	if len(s.Accelerators) > 1 {
		u.add("accelerator.several")
	}
	if c.DAG != nil && s.Pod(nil) {
		u.add("options.pipeline")
	}
	if x := c.Exec; x != nil && (x.Resource != nil || x.Importer != nil || x.Suspend != nil) && s.Pod(x) {
		if x.Resource != nil && x.Resource.Builtin == "" {
			u.add("options.resource")
		} else {
			u.add("options.none")
		}
	}
}

// option adds an option with its value, or with one of its values.
func (u *user) option(o *program.Option, v any, c *program.Component) {
	id := o.Row
	switch v := v.(type) {
	case program.Accelerator:
		switch {
		case v.Type != nil:
			u.value(*v.Type)
			u.add("accelerator.type")
		case v.Resource == "":
			u.add("accelerator.count")
		case !strings.Contains(v.Resource, "/"):
			u.add("accelerator.google")
		}
	case program.Env:
		if v.Value.Kind != program.Const && c.Exec != nil && c.Exec.Go == nil && (c.Exec.Python == nil || c.Exec.Python.SDK != nil) {
			u.value(v.Value)
			u.add("env.reference.container")
			return
		}
	case program.Retry:
		if text, ok := v.Max.Constant(); ok && text == "0" {
			return // it says that the task isn't tried again
		}
		if v.Initial != "" && v.Factor != math.Trunc(v.Factor) {
			u.add("retry.factor")
		}
		if c.DAG != nil {
			if c.DAG.Kind != program.Pipeline {
				u.add("retry.group")
				return
			}
			if u.add("retry.pipeline"); v.Max.Kind == program.Const {
				return
			}
		}
	case int64:
		if o.Name == "timeout" && c.Exec != nil && c.Exec.Resource != nil && c.Exec.Resource.Builtin != "" {
			id += ".claim"
		}
	case json.RawMessage:
		if len(program.PatchedContainers(v)) > 0 {
			id += ".container"
		}
	}
	if c.Exec != nil && c.Exec.OnLocal && RowOf(id+".on-local") != nil {
		id += ".on-local"
	}
	if o.JSON {
		u.add(id)
		return
	}
	u.operand(id, o.Ref, reflect.ValueOf(v))
}

// operand adds an option by its value: a reference has a row of its own, or another
// one beside it.
func (u *user) operand(id, ref string, v reflect.Value) {
	switch of, ok := v.Interface().(program.Value); {
	case ok && ref == "":
		u.knob(id, of)
	case ok:
		u.add(id)
		if u.value(of); of.Kind != program.Const {
			u.add(ref)
		}
	case v.Kind() != reflect.Struct:
		u.add(id)
	default:
		values := 0
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if row := f.Tag.Get("row"); row != "" && !v.Field(i).IsZero() {
				u.add(row)
			}
			if f.Type == valueType {
				u.operand(id, f.Tag.Get("ref"), v.Field(i))
				values++
			}
		}
		if values == 0 {
			u.add(id)
		}
	}
}

var valueType = reflect.TypeFor[program.Value]()

// knob adds an option, by whether its value is known when compiling.
func (u *user) knob(id string, v program.Value) {
	if v.Kind != program.Const {
		u.value(v)
		id += ".reference"
	}
	u.add(id)
}
