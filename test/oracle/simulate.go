package oracle

import (
	"crypto/sha256"
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
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
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
	s.workflow = map[string]any{"name": "run", "uid": "1234", "parameters": args}
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

// outputs returns those of a DAG or of steps.
func (s *simulation) outputs(t *wfv1.Template, e env, pods set) ended {
	end := ended{phase: "Succeeded", params: map[string]string{}, arts: map[string]string{}, pods: pods}
	for _, p := range t.Outputs.Parameters {
		switch f := p.ValueFrom; {
		case f == nil:
		case f.Parameter != "":
			end.params[p.Name] = s.text(f.Parameter, e)
		case f.Expression != "":
			end.params[p.Name] = fmt.Sprint(s.eval(f.Expression, e))
		}
	}
	for _, a := range t.Outputs.Artifacts {
		if a.From != "" {
			end.arts[a.Name] = s.artifact(a.From, e)
		}
	}
	return end
}

func (s *simulation) artifact(from string, e env) string {
	v, ok := e.flat["\x00"+strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(from, "{{"), "}}"))]
	if !ok {
		fail("the artifact %s isn't there", from)
	}
	return v
}

var bareWord = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z_][A-Za-z0-9_.-]*`)

// when evaluates a condition: words without quotes are texts.
func (s *simulation) when(when string, e env) bool {
	code := s.text(when, e)
	code = bareWord.ReplaceAllStringFunc(code, func(w string) string {
		if w[0] == '"' || w[0] == '\'' || w == "true" || w == "false" {
			return w
		}
		return strconv.Quote(w)
	})
	v, err := expr.Eval(code, nil)
	if err != nil {
		fail("when %s: %v", code, err)
	}
	ok, isBool := v.(bool)
	if !isBool {
		fail("when %s is %v", code, v)
	}
	return ok
}

// task runs a task, once or for each item.
func (s *simulation) task(k wfv1.DAGTask, e env, before set) ended {
	once := func(e env) ended {
		if k.When != "" && !s.when(k.When, e) {
			return ended{phase: "Skipped", pods: set{}}
		}
		params, arts := map[string]string{}, map[string]string{}
		for _, p := range k.Arguments.Parameters {
			if p.Value != nil {
				params[p.Name] = s.text(p.Value.String(), e)
			}
		}
		for _, a := range k.Arguments.Artifacts {
			if a.From != "" {
				arts[a.Name] = s.artifact(a.From, e)
			}
		}
		t := k.Inline
		if t == nil {
			t = s.template(k.Template)
		}
		return s.call(t, params, arts, before)
	}
	var items []json.RawMessage
	switch {
	case k.WithParam != "":
		if err := json.Unmarshal([]byte(s.text(k.WithParam, e)), &items); err != nil {
			fail("loop over %s: %v", s.text(k.WithParam, e), err)
		}
	case k.WithItems != nil:
		for _, it := range k.WithItems {
			j, _ := json.Marshal(it)
			items = append(items, j)
		}
	case k.WithSequence != nil:
		items = s.sequence(k.WithSequence, e)
	default:
		return once(e)
	}
	all := ended{phase: "Skipped", params: map[string]string{}, pods: set{}}
	lists := map[string][]string{}
	var results []json.RawMessage
	for _, it := range items {
		end := once(s.item(e, it))
		all.pods = all.pods.with(end.pods)
		if end.phase == "Failed" || end.phase == "Succeeded" && all.phase == "Skipped" {
			all.phase = end.phase
		}
		for n, v := range end.params {
			lists[n] = append(lists[n], v)
		}
		r := json.RawMessage(end.result)
		if !json.Valid(r) {
			r, _ = json.Marshal(end.result)
		}
		results = append(results, r)
	}
	for n, l := range lists { // Argo reads what is JSON
		parsed := make([]any, len(l))
		for i, v := range l {
			if json.Unmarshal([]byte(v), &parsed[i]) != nil {
				parsed[i] = v
			}
		}
		j, _ := json.Marshal(parsed)
		all.params[n] = string(j)
	}
	j, _ := json.Marshal(results)
	all.result = string(j)
	return all
}

// item makes the item of a loop known.
func (s *simulation) item(e env, it json.RawMessage) env {
	flat, tree := maps.Clone(e.flat), maps.Clone(e.tree)
	var v any
	json.Unmarshal(it, &v)
	flat["item"] = string(it)
	switch v := v.(type) {
	case string:
		flat["item"] = v
		tree["item"] = v
	case map[string]any:
		j, _ := json.Marshal(v) // as Argo does
		flat["item"] = string(j)
		tree["item"] = v
		var members map[string]json.RawMessage
		json.Unmarshal(it, &members)
		for k, m := range members {
			var text string
			if json.Unmarshal(m, &text) != nil {
				text = string(m)
			}
			flat["item."+k] = text
		}
	default:
		tree["item"] = string(it)
	}
	return env{flat, tree}
}

func (s *simulation) sequence(q *wfv1.Sequence, e env) (items []json.RawMessage) {
	number := func(text string) int {
		n, err := strconv.Atoi(s.text(text, e))
		if err != nil {
			fail("a sequence to %s", text)
		}
		return n
	}
	from, to, by := 0, 0, 1
	if q.Start != nil {
		from = number(q.Start.String())
	}
	switch {
	case q.Count != nil:
		to = from + number(q.Count.String()) - 1
	case q.End != nil:
		if to = number(q.End.String()); to < from {
			by = -1
		}
	}
	format := q.Format
	if format == "" {
		format = "%d"
	}
	for i := from; (to-i)*by >= 0; i += by {
		j, _ := json.Marshal(fmt.Sprintf(format, i))
		items = append(items, j)
	}
	return items
}

// write is what a pod writes somewhere.
func (s *simulation) write(pod, where string) string {
	sum := sha256.Sum256([]byte(fmt.Sprint(s.world.Seed, pod, where)))
	if len(s.world.Outputs) == 0 {
		return fmt.Sprintf("%x", sum[:4])
	}
	return s.world.Outputs[int(sum[0])%len(s.world.Outputs)]
}

func (s *simulation) fails(pod string) bool {
	sum := sha256.Sum256([]byte(fmt.Sprint("fail", s.world.Seed, pod)))
	return s.world.Fail && sum[0]%4 == 0
}

// The files of a pod have other paths where kfpgo chooses them.
var (
	outPath = regexp.MustCompile(`/tmp/outputs/([^/"' ]+)/data|/kfpgo/([A-Za-z0-9_-]+)`)
	inPath  = regexp.MustCompile(`/tmp/inputs/([^/"' ]+)/data|/tmp/kfpgo/inputs/([A-Za-z0-9_-]+)`)
	other   = regexp.MustCompile(`[^a-z0-9]+`)
)

func plainPaths(s string) string {
	name := func(kind string, m []string) string {
		return kind + strings.Trim(other.ReplaceAllString(strings.ToLower(m[1]+m[2]), "_"), "_")
	}
	s = inPath.ReplaceAllStringFunc(s, func(p string) string { return name("in:", inPath.FindStringSubmatch(p)) })
	return outPath.ReplaceAllStringFunc(s, func(p string) string { return name("out:", outPath.FindStringSubmatch(p)) })
}

// files is the script that kfpgo puts around a command, for files at fixed paths.
var (
	linkLine = regexp.MustCompile(`ln -sfn "([^"]*)" (\S+) \|\|`)
	keepLine = regexp.MustCompile(`(?m)^"\$@" > "([^"]*)"`)
)

// A Pod is what makes a pod what it is.
type pod struct {
	Image    string            `json:"image,omitempty"`
	Argv     []string          `json:"argv,omitempty"`
	Env      map[string]string `json:"env,omitempty"`
	Files    map[string]string `json:"files,omitempty"`
	Resource any               `json:"resource,omitempty"`
	Settings map[string]any    `json:"settings,omitempty"`
}

func (s *simulation) pod(t *wfv1.Template, e env, arts map[string]string, before set) ended {
	for _, p := range t.Outputs.Parameters {
		if p.ValueFrom != nil {
			e.flat["outputs.parameters."+p.Name+".path"] = p.ValueFrom.Path
		}
	}
	for _, a := range t.Outputs.Artifacts {
		e.flat["outputs.artifacts."+a.Name+".path"] = a.Path
	}
	t = fill(s, t, e)
	var p pod
	result := ""
	if t.Resource != nil {
		var m any
		if err := yaml.Unmarshal([]byte(t.Resource.Manifest), &m); err != nil {
			fail("manifest: %v", err)
		}
		p.Resource = map[string]any{"action": t.Resource.Action, "manifest": m, "success": t.Resource.SuccessCondition, "failure": t.Resource.FailureCondition}
		object, _ := m.(map[string]any)
		if object["kind"] == "PersistentVolumeClaim" || len(t.Resource.Flags) > 0 && t.Resource.Flags[0] == "pvc" { // Argo's controller does that
			end := ended{phase: "Succeeded", params: map[string]string{}, pods: set{}}
			for _, o := range t.Outputs.Parameters {
				name, _ := object["metadata"].(map[string]any)["name"].(string)
				end.params[o.Name] = name
			}
			return end
		}
	} else {
		k := t.Container
		if k == nil {
			k = &t.Script.Container
		}
		p.Image, p.Env, p.Files = k.Image, map[string]string{}, map[string]string{}
		for _, v := range k.Env {
			from, _ := json.Marshal(v.ValueFrom)
			p.Env[v.Name] = kubelet(v.Value, p.Env)
			if v.ValueFrom != nil {
				p.Env[v.Name] = string(from)
			}
		}
		for _, a := range append(slices.Clone(k.Command), k.Args...) {
			p.Argv = append(p.Argv, kubelet(a, p.Env))
		}
		if t.Script != nil {
			flag := "-c"
			if strings.HasPrefix(p.Argv[0], "node") {
				flag = "-e"
			}
			p.Argv = append(p.Argv, flag, kubelet(t.Script.Source, nil))
		}
		delete(p.Env, "KFPGO_LB")
		for _, a := range t.Inputs.Artifacts {
			if v, ok := arts[a.Name]; ok {
				p.Files[a.Path] = v
			}
		}
		if len(p.Argv) > 4 && p.Argv[0] == "sh" && strings.HasPrefix(p.Argv[2], "# files where") {
			script := p.Argv[2]
			p.Argv = p.Argv[4:]
			for _, m := range linkLine.FindAllStringSubmatch(script, -1) {
				p.Files[m[2]] = p.Files[m[1]]
				delete(p.Files, m[1])
			}
			if m := keepLine.FindStringSubmatch(script); m != nil {
				result = m[1]
			}
		}
		for i := range p.Argv {
			p.Argv[i] = plainPaths(p.Argv[i])
		}
		files := map[string]string{}
		for path, v := range p.Files {
			files[plainPaths(path)] = v
		}
		p.Files = files
		p.Settings = s.settings(t, k)
	}
	j, _ := json.Marshal(p)
	id := string(j)
	s.pods[id]++
	if s.before[id] == nil {
		s.before[id] = map[string]bool{}
	}
	maps.Copy(s.before[id], before)
	if s.fails(id) {
		return ended{phase: "Failed", pods: set{id: true}}
	}
	end := ended{phase: "Succeeded", params: map[string]string{}, arts: map[string]string{}, pods: set{id: true}, result: s.write(id, "stdout")}
	for _, o := range t.Outputs.Parameters {
		switch f := o.ValueFrom; {
		case f == nil && o.Value != nil:
			end.params[o.Name] = o.Value.String()
		case f.Path == result && result != "":
			end.params[o.Name] = s.write(id, "stdout")
		case f.Path != "":
			end.params[o.Name] = s.write(id, plainPaths(f.Path))
		case f.JSONPath != "":
			sum := sha256.Sum256([]byte(fmt.Sprint(s.world.Seed, id, f.JSONPath)))
			end.params[o.Name] = fmt.Sprintf("x%x", sum[:4]) // such as a name
		}
	}
	for _, a := range t.Outputs.Artifacts {
		end.arts[a.Name] = s.write(id, plainPaths(a.Path)) + " in a file"
	}
	return end
}

// settings are those of a pod that change what it does.
func (s *simulation) settings(t *wfv1.Template, k *corev1.Container) map[string]any {
	m := map[string]any{}
	put := func(name string, v any) {
		j, _ := json.Marshal(v)
		if string(j) != "null" && string(j) != "{}" && string(j) != "[]" && string(j) != `""` {
			var plain any
			json.Unmarshal(j, &plain)
			m[name] = plain
		}
	}
	put("resources", k.Resources)
	put("pull", k.ImagePullPolicy)
	put("selector", t.NodeSelector)
	put("tolerations", append(slices.Clone(s.wf.Spec.Tolerations), t.Tolerations...))
	if t.ActiveDeadlineSeconds != nil {
		put("deadline", t.ActiveDeadlineSeconds.String())
	}
	if r := t.RetryStrategy; r != nil && r.Limit != nil {
		put("retries", r.Limit.String())
		if r.Backoff != nil {
			put("backoff", r.Backoff.Duration)
		}
	}
	for name, of := range map[string][2]map[string]string{
		"labels":      {t.Metadata.Labels, nil},
		"annotations": {t.Metadata.Annotations, nil},
	} {
		all := map[string]string{}
		if pm := s.wf.Spec.PodMetadata; pm != nil {
			maps.Copy(all, map[string]map[string]string{"labels": pm.Labels, "annotations": pm.Annotations}[name])
		}
		maps.Copy(all, of[0])
		maps.DeleteFunc(all, func(k, _ string) bool { return strings.HasPrefix(k, "pipelines.kubeflow.org/") })
		put(name, all)
	}
	mounts := map[string]any{}
	for _, v := range k.VolumeMounts {
		if v.MountPath == "/kfpgo" {
			continue
		}
		mounts[v.MountPath+":"+v.SubPath] = s.volume(t, v.Name)
	}
	put("mounts", mounts)
	return m
}

func (s *simulation) volume(t *wfv1.Template, name string) any {
	for _, c := range s.wf.Spec.VolumeClaimTemplates {
		if c.Name == name {
			return map[string]any{"persistentVolumeClaim": map[string]any{"claimName": "run-" + name}}
		}
	}
	for _, v := range append(slices.Clone(t.Volumes), s.wf.Spec.Volumes...) {
		if v.Name == name {
			return v.VolumeSource
		}
	}
	fail("there is no volume %s", name)
	return nil
}

var variable = regexp.MustCompile(`\$\$|\$\(([A-Za-z0-9_.-]+)\)`)

// kubelet replaces variables as the kubelet does.
func kubelet(text string, vars map[string]string) string {
	return variable.ReplaceAllStringFunc(text, func(m string) string {
		if m == "$$" && vars != nil {
			return "$"
		}
		if v, ok := vars[variable.FindStringSubmatch(m)[1]]; ok {
			return v
		}
		return m
	})
}
