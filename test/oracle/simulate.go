package oracle

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/builtin"
)

// A World says what pods do: what they write follows from what they are, so that
// two Workflows that start equal pods see equal results.
type World struct {
	Seed    int
	Outputs []string // texts that pods write, one of them each
	Fail    bool     // some pods fail
}

// A Trace is what a Workflow did.
type Trace struct {
	Phase  string
	Pods   []string            // what each pod is, sorted
	Before map[string][]string // for each, those that had ended before it started
}

// A simulation runs a Workflow as Argo does: old and new tags, conditions of both
// kinds, steps and DAGs, loops, exit handlers.
type simulation struct {
	world     World
	wf        *wfv1.Workflow
	templates map[string]*wfv1.Template
	workflow  map[string]any
	pods      map[string]int
	before    map[string]map[string]bool
}

// fault is a thing that the simulation doesn't know or that is wrong.
type fault string

func fail(format string, args ...any) { panic(fault(fmt.Sprintf(format, args...))) }

// Simulate runs a Workflow.
func Simulate(wf *wfv1.Workflow, world World) (tr *Trace, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(fault)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%s", string(f))
		}
	}()
	s := &simulation{world: world, wf: wf, templates: map[string]*wfv1.Template{}, pods: map[string]int{}, before: map[string]map[string]bool{}}
	for i := range wf.Spec.Templates {
		s.templates[wf.Spec.Templates[i].Name] = &wf.Spec.Templates[i]
	}
	args := map[string]any{}
	for _, p := range wf.Spec.Arguments.Parameters {
		v := p.Value
		if v == nil {
			v = p.Default
		}
		args[p.Name] = "given"
		if v != nil {
			args[p.Name] = v.String()
		}
	}
	s.workflow = map[string]any{"name": "run", "uid": "1234", "parameters": args, "scheduledTime": "2026-11-28T01:00:00Z", "creationTimestamp": map[string]any{"RFC3339": "2026-11-28T01:02:03Z"}}
	in := map[string]string{}
	if t := s.templates[wf.Spec.Entrypoint]; t != nil {
		for _, p := range t.Inputs.Parameters {
			if v, ok := args[p.Name]; ok {
				in[p.Name] = v.(string)
			}
		}
	}
	end := s.call(s.template(wf.Spec.Entrypoint), in, nil, set{})
	tr = &Trace{Phase: end.phase, Before: map[string][]string{}}
	s.workflow["status"], s.workflow["failures"] = end.phase, strconv.Quote("[]")
	exit := wf.Spec.OnExit
	if h, ok := wf.Spec.Hooks[wfv1.ExitLifecycleEvent]; ok {
		exit = h.Template
		for _, p := range h.Arguments.Parameters {
			args[p.Name] = s.text(p.Value.String(), env{})
		}
	}
	if exit != "" {
		t := s.template(exit)
		in := map[string]string{}
		for _, p := range t.Inputs.Parameters {
			if v, ok := args[p.Name]; ok {
				in[p.Name] = v.(string)
			}
		}
		s.call(t, in, nil, end.pods)
	}
	for pod, n := range s.pods {
		for range n {
			tr.Pods = append(tr.Pods, pod)
		}
		tr.Before[pod] = slices.Sorted(maps.Keys(s.before[pod]))
	}
	slices.Sort(tr.Pods)
	return tr, nil
}

type set map[string]bool

func (s set) with(o set) set { c := maps.Clone(s); maps.Copy(c, o); return c }

// An env is what tags may name: texts by their path, and the same as a tree.
type env struct {
	flat map[string]string
	tree map[string]any
}

func (e env) with(path string, v string) env {
	flat := map[string]string{path: v}
	maps.Copy(flat, e.flat)
	flat[path] = v
	return env{flat, e.tree}
}

// An ended is how a template ended.
type ended struct {
	phase  string
	params map[string]string
	arts   map[string]string
	result string
	pods   set // that ran in it
}

func (s *simulation) template(name string) *wfv1.Template {
	t := s.templates[name]
	if t == nil {
		fail("there is no template %q", name)
	}
	return t
}

// text replaces the tags in a text.
func (s *simulation) text(in string, e env) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(in, "{{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		tag, rest, ok := strings.Cut(after, "}}")
		if !ok {
			fail("a tag isn't closed: %s", in)
		}
		in = rest
		if code, ok := strings.CutPrefix(tag, "="); ok {
			fmt.Fprint(&b, s.eval(code, e))
			continue
		}
		tag = strings.TrimSpace(tag)
		if v, ok := e.flat[tag]; ok {
			b.WriteString(v)
			continue
		}
		var v any = map[string]any{"workflow": s.workflow}
		parts := strings.SplitN(tag, ".", 3)
		for _, p := range parts {
			m, _ := v.(map[string]any)
			v = m[p]
		}
		if times, ok := v.(map[string]any); ok { // a time, and its forms
			v = times["RFC3339"]
		}
		if v == nil {
			fail("{{%s}} can't be replaced", tag)
		}
		fmt.Fprint(&b, v)
	}
}

func (s *simulation) eval(code string, e env) any {
	vars := map[string]any{
		"workflow": s.workflow, "asInt": builtin.Int, "asFloat": builtin.Float,
		"toJson": func(v any) string { j, _ := json.Marshal(v); return string(j) },
	}
	maps.Copy(vars, e.tree)
	p, err := expr.Compile(code, expr.Env(vars))
	if err != nil {
		fail("%s: %v", code, err)
	}
	v, err := expr.Run(p, vars)
	if err != nil || v == nil {
		fail("%s: %v, %v", code, v, err)
	}
	return v
}

// fill replaces the tags in all texts of a value.
func fill[T any](s *simulation, v T, e env) T {
	j, err := json.Marshal(v)
	if err != nil {
		fail("%v", err)
	}
	var tree any
	json.Unmarshal(j, &tree)
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case string:
			return s.text(v, e)
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
		case map[string]any:
			for k := range v {
				v[k] = walk(v[k])
			}
		}
		return v
	}
	j, _ = json.Marshal(walk(tree))
	var out T
	if err := json.Unmarshal(j, &out); err != nil {
		fail("%v", err)
	}
	return out
}

// call runs a template with inputs.
func (s *simulation) call(t *wfv1.Template, params, arts map[string]string, before set) ended {
	e := env{flat: map[string]string{}}
	tree := map[string]any{}
	for _, p := range t.Inputs.Parameters {
		v, ok := params[p.Name]
		switch {
		case ok:
		case p.Value != nil:
			v = p.Value.String()
		case p.Default != nil:
			v = p.Default.String()
		default:
			fail("template %s: the input %s was not given", t.Name, p.Name)
		}
		e.flat["inputs.parameters."+p.Name] = v
		tree[p.Name] = v
	}
	e.tree = map[string]any{"inputs": map[string]any{"parameters": tree}}
	for _, a := range t.Inputs.Artifacts {
		e.flat["inputs.artifacts."+a.Name+".path"] = a.Path
		if v, ok := arts[a.Name]; ok {
			e.flat["\x00inputs.artifacts."+a.Name] = v
		}
	}
	switch {
	case t.DAG != nil:
		return s.dag(t, e, before)
	case t.Steps != nil:
		return s.steps(t, e, before)
	case t.Suspend != nil:
		return ended{phase: "Succeeded", pods: set{}}
	case t.Container != nil || t.Script != nil || t.Resource != nil:
		return s.pod(t, e, arts, before)
	}
	fail("template %s is of no kind that is known", t.Name)
	return ended{}
}

func (s *simulation) steps(t *wfv1.Template, e env, before set) ended {
	all := set{}
	tree := map[string]any{}
	e.tree["steps"] = tree
	for _, group := range t.Steps {
		now, bad := set{}, false
		after := map[string]ended{}
		for i := range group.Steps {
			k := &group.Steps[i]
			end := s.task(wfv1.DAGTask{Name: k.Name, Template: k.Template, Inline: k.Inline, Arguments: k.Arguments, When: k.When, WithItems: k.WithItems, WithParam: k.WithParam, WithSequence: k.WithSequence}, e, before.with(all))
			now = now.with(end.pods)
			bad = bad || end.phase == "Failed"
			after[k.Name] = end
		}
		for name, end := range after {
			e = s.remember(e, "steps", name, end)
		}
		all = all.with(now)
		if bad {
			return ended{phase: "Failed", pods: all}
		}
	}
	return s.outputs(t, e, all)
}

// remember makes the outputs of a task known to those after it.
func (s *simulation) remember(e env, kind, name string, end ended) env {
	flat := maps.Clone(e.flat)
	at := kind + "." + name + "."
	flat[at+"status"] = end.phase
	entry := map[string]any{"status": end.phase}
	if end.phase == "Succeeded" {
		params := map[string]any{}
		for k, v := range end.params {
			flat[at+"outputs.parameters."+k] = v
			params[k] = v
		}
		for k, v := range end.arts {
			flat["\x00"+at+"outputs.artifacts."+k] = v
		}
		flat[at+"outputs.result"] = end.result
		entry["outputs"] = map[string]any{"parameters": params, "result": end.result}
	}
	e.tree[kind].(map[string]any)[name] = entry
	return env{flat, e.tree}
}

var dependsOn = regexp.MustCompile(`([A-Za-z0-9_-]+)(?:\.(Succeeded|Failed|Errored|Skipped|Omitted|Daemoned|AnySucceeded|AllFailed))?`)

func (s *simulation) dag(t *wfv1.Template, e env, before set) ended {
	e.tree["tasks"] = map[string]any{}
	done := map[string]ended{}
	came := map[string]set{} // what had ended before each, and in it
	all, bad := set{}, false
	byName := map[string]*wfv1.DAGTask{}
	for i := range t.DAG.Tasks {
		byName[t.DAG.Tasks[i].Name] = &t.DAG.Tasks[i]
	}
	var visit func(k *wfv1.DAGTask)
	visit = func(k *wfv1.DAGTask) {
		if _, ok := done[k.Name]; ok {
			return
		}
		code := k.Depends
		for _, d := range k.Dependencies {
			if code != "" {
				code += " && "
			}
			code += d
		}
		upstream := before
		for _, m := range dependsOn.FindAllStringSubmatch(code, -1) {
			if byName[m[1]] == nil {
				fail("task %s depends on %s", k.Name, m[1])
			}
			visit(byName[m[1]])
			upstream = upstream.with(came[m[1]])
		}
		end := ended{phase: "Omitted", pods: set{}}
		ready := code == ""
		if !ready {
			v, err := expr.Eval(dependsOn.ReplaceAllStringFunc(code, func(m string) string {
				of := dependsOn.FindStringSubmatch(m)
				phase := done[of[1]].phase
				if of[2] == "" {
					return strconv.FormatBool(phase == "Succeeded" || phase == "Skipped")
				}
				return strconv.FormatBool(phase == of[2])
			}), nil)
			if err != nil {
				fail("depends %s: %v", code, err)
			}
			ready = v.(bool)
		}
		if ready {
			end = s.task(*k, e, upstream)
		}
		done[k.Name] = end
		came[k.Name] = upstream.with(end.pods)
		all = all.with(end.pods)
		bad = bad || end.phase == "Failed" || k.Name == "kfpgo-gate" && end.phase == "Omitted"
		e = s.remember(e, "tasks", k.Name, end)
	}
	for i := range t.DAG.Tasks {
		visit(&t.DAG.Tasks[i])
	}
	if bad {
		return ended{phase: "Failed", pods: all}
	}
	return s.outputs(t, e, all)
}
