package argo_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/builtin"
)

// A sim runs Workflows as Argo does: it replaces tags in the JSON of tasks and
// templates with the same expression language, evaluates conditions and
// dependencies, and repeats loops. Pods are functions.
type sim struct {
	t         *testing.T
	w         *wfv1.Workflow
	workflow  map[string]any
	templates map[string]*wfv1.Template
	version   int // of Argo: 3 leaves JSON escapes in string items
	pods      int

	// step runs a Go or Python step: from the executor input, output files by path.
	step func(name string, input map[string]any) (map[string]string, error)
	// process, if it is there, does so as a real one.
	process func(t *wfv1.Template, input string) (map[string]string, error)
	// container runs a command, after the kubelet had a look at it.
	container func(name string, argv []string, env map[string]string) map[string]string
	// object does something with an object; outputs by JSON path.
	object func(r *wfv1.ResourceTemplate) map[string]string
	// wrong, if it is there, gets what is wrong with an expression.
	wrong func(err error)

	// places are where importers found their artifact: by task, the location.
	places map[string]string

	key      func(key string)    // of an artifact that a task is given by its key
	labels   []map[string]string // and annotations of pods
	failures []map[string]any
	ran      []string // templates of pods, in order
}

type params map[string]string

// A node is how a template ended.
type node struct {
	phase string
	out   params
}

func newSim(t *testing.T, w *wfv1.Workflow, args map[string]string) *sim {
	s := &sim{t: t, w: w, version: 3, templates: map[string]*wfv1.Template{}}
	values := map[string]any{}
	for _, p := range w.Spec.Arguments.Parameters {
		if p.Value != nil {
			values[p.Name] = p.Value.String()
		}
	}
	for k, v := range args {
		values[k] = v
	}
	s.workflow = map[string]any{"name": "run-x7k2p", "uid": "1234", "parameters": values, "creationTimestamp": map[string]any{"RFC3339": "2026-11-28T01:02:03Z"}}
	for i := range w.Spec.Templates {
		s.templates[w.Spec.Templates[i].Name] = &w.Spec.Templates[i]
	}
	return s
}

// run runs the Workflow and then its exit hook.
func (s *sim) run() node {
	n := s.call(s.w.Spec.Entrypoint, params{})
	if hook, ok := s.w.Spec.Hooks[wfv1.ExitLifecycleEvent]; ok {
		s.workflow["status"] = n.phase
		j, _ := json.Marshal(s.failures)
		s.workflow["failures"] = strconv.Quote(string(j))
		in := params{}
		for _, p := range hook.Arguments.Parameters {
			in[p.Name] = s.text(p.Value.String(), map[string]any{})
		}
		if end := s.call(hook.Template, in); end.phase != "Succeeded" {
			s.t.Errorf("the exit handler %s", end.phase)
		}
	}
	return n
}

func (s *sim) env(more map[string]any) map[string]any {
	env := map[string]any{
		"workflow": s.workflow, "asInt": builtin.Int, "asFloat": builtin.Float,
		"toJson": func(v any) string { j, _ := json.Marshal(v); return string(j) },
	}
	maps.Copy(env, more)
	return env
}

func (s *sim) eval(e string, env map[string]any) (any, error) {
	p, err := expr.Compile(e, expr.Env(s.env(env)))
	if err != nil {
		return nil, err
	}
	return expr.Run(p, s.env(env))
}

// text replaces the tags of a text as Argo does, once.
func (s *sim) text(in string, env map[string]any) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(in, "{{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		tag, rest, _ := strings.Cut(after, "}}")
		if e, ok := strings.CutPrefix(tag, "="); ok {
			v, err := s.eval(e, env)
			if err != nil && s.wrong != nil {
				s.wrong(err)
			} else if err != nil || v == nil {
				s.t.Errorf("%s: %v %v", e, v, err)
			}
			fmt.Fprint(&b, v)
		} else {
			var v any = s.env(env)
			for _, part := range strings.Split(tag, ".") {
				m, _ := v.(map[string]any)
				v = m[part]
			}
			if v == nil {
				s.t.Errorf("{{%s}} can't be replaced", tag)
			}
			fmt.Fprint(&b, v)
		}
		in = rest
	}
}

// fill replaces the tags in all texts of a value.
func (s *sim) fill(v any, env map[string]any) any {
	switch v := v.(type) {
	case string:
		got := s.text(v, env)
		// Argo comes by again, for the pod: nothing may be left for it.
		if again := s.text(got, env); again != got {
			s.t.Errorf("%q would be replaced again", got)
		}
		return got
	case []any:
		for i := range v {
			v[i] = s.fill(v[i], env)
		}
	case map[string]any:
		for k := range v {
			v[k] = s.fill(v[k], env)
		}
	}
	return v
}

func (s *sim) filled(t *wfv1.Template, env map[string]any) *wfv1.Template {
	j, _ := json.Marshal(t)
	var v any
	json.Unmarshal(j, &v)
	j, _ = json.Marshal(s.fill(v, env))
	var out wfv1.Template
	if err := json.Unmarshal(j, &out); err != nil {
		s.t.Fatal(err)
	}
	return &out
}

func anyMap(p params) map[string]any {
	m := map[string]any{}
	for k, v := range p {
		m[k] = v
	}
	return m
}

// message is what a failed pod says.
const message = "exit code 1: it's {{bad}} $x \\ \"q\" C:\\Users \\x41 \t\u200b\u007f<\u2028> é漢😀"

// call runs a template.
func (s *sim) call(name string, in params) node {
	t := s.templates[name]
	if t == nil {
		s.t.Fatalf("no template %s", name)
	}
	for _, p := range t.Inputs.Parameters {
		if _, ok := in[p.Name]; !ok {
			s.t.Fatalf("template %s: input %s was not given", name, p.Name)
		}
	}
	env := map[string]any{"inputs": map[string]any{"parameters": anyMap(in)}}
	var n node
	switch {
	case t.DAG != nil:
		return s.dag(t, env)
	case t.Suspend != nil:
		return node{phase: "Succeeded"}
	default:
		n = s.pod(t, env)
	}
	if n.phase != "Succeeded" {
		fail := func(name, message string) {
			s.failures = append(s.failures, map[string]any{"displayName": name, "templateName": t.Name, "message": message, "phase": "Failed",
				"finishedAt": fmt.Sprintf("2026-11-28T01:00:%02dZ", 60-len(s.failures))})
		}
		if t.RetryStrategy != nil {
			fail(name, "No more retries left")
			fail(name+"(1)", message)
			fail(name+"(0)", "exit code 2")
		} else {
			fail(name, message)
		}
	}
	return n
}

var artifactRef = regexp.MustCompile(`artifacts\['([^']*)'\]`)

var member = regexp.MustCompile(`([a-z][-a-z0-9]*)\.(Succeeded|Failed|Errored|Skipped|Omitted)`)

func (s *sim) dag(t *wfv1.Template, env map[string]any) node {
	tasks := map[string]any{}
	env["tasks"] = tasks
	failed := false
	done := map[string]string{}
	for _, task := range t.DAG.Tasks {
		phase := "Omitted"
		ready := task.Depends == ""
		if !ready {
			ok, err := expr.Eval(member.ReplaceAllStringFunc(task.Depends, func(m string) string {
				of := member.FindStringSubmatch(m)
				if done[of[1]] == "" {
					s.t.Errorf("task %s depends on %s, which has not run", task.Name, of[1])
				}
				return strconv.FormatBool(done[of[1]] == of[2])
			}), nil)
			if err != nil {
				s.t.Fatal(task.Depends, err)
			}
			ready = ok.(bool)
		}
		out := params{}
		if ready {
			phase, out = s.task(&task, env)
		}
		done[task.Name] = phase
		entry := map[string]any{"status": phase}
		if phase == "Succeeded" {
			entry["outputs"] = map[string]any{"parameters": anyMap(out)}
		}
		tasks[task.Name] = entry
		failed = failed || phase == "Failed" || task.Name == "kfpgo-gate" && phase == "Omitted"
	}
	if failed {
		s.failures = append(s.failures, map[string]any{"displayName": t.Name, "templateName": t.Name, "message": "", "phase": "Failed", "finishedAt": "2026-11-28T01:00:00Z"})
		return node{phase: "Failed"}
	}
	out := params{}
	for _, p := range t.Outputs.Parameters {
		v, err := s.eval(p.ValueFrom.Expression, env)
		if err != nil {
			s.t.Errorf("template %s, output %s: %v", t.Name, p.Name, err)
			v = p.ValueFrom.Default.String()
		}
		out[p.Name] = fmt.Sprint(v)
	}
	for _, a := range t.Outputs.Artifacts {
		if a.FromExpression == "" {
			if name, ok := strings.CutPrefix(strings.TrimSuffix(a.From, "}}"), "{{inputs.artifacts."); ok && t.Inputs.GetArtifactByName(name) != nil {
				s.found(t, *t.Inputs.GetArtifactByName(name), env)
			}
			continue
		}
		given := map[string]any{}
		for _, in := range t.Inputs.Artifacts {
			given[in.Name] = in
		}
		if strings.Contains(a.FromExpression, "inputs.artifacts") {
			with := map[string]any{"inputs": map[string]any{"parameters": env["inputs"].(map[string]any)["parameters"], "artifacts": given}}
			from, err := s.eval(a.FromExpression, with)
			if err != nil {
				s.t.Errorf("template %s, artifact %s: %v", t.Name, a.Name, err)
				continue
			}
			s.found(t, from.(wfv1.Artifact), env)
			continue
		}
		fake := map[string]any{}
		for name, entry := range tasks {
			artifacts := map[string]any{}
			for _, m := range artifactRef.FindAllStringSubmatch(a.FromExpression, -1) {
				artifacts[m[1]] = name
			}
			outputs := map[string]any{"artifacts": artifacts}
			fake[name] = map[string]any{"status": entry.(map[string]any)["status"], "outputs": outputs}
		}
		from, err := s.eval(a.FromExpression, map[string]any{"tasks": fake})
		if err != nil || done[fmt.Sprint(from)] != "Succeeded" {
			s.t.Errorf("template %s, artifact %s comes from %v, which %s; %v", t.Name, a.Name, from, done[fmt.Sprint(from)], err)
		}
	}
	return node{"Succeeded", out}
}

// found notes where an importer's artifact is.
func (s *sim) found(t *wfv1.Template, a wfv1.Artifact, env map[string]any) {
	if s.places == nil {
		s.places = map[string]string{}
	}
	of, err := a.ArtifactLocation.Get()
	if err != nil {
		return
	}
	j, _ := json.Marshal(of)
	var v any
	json.Unmarshal(j, &v)
	j, _ = json.Marshal(s.fill(v, env))
	s.places[t.Name] = strings.NewReplacer(`\u003c`, "<").Replace(string(j))
}

func (s *sim) task(t *wfv1.DAGTask, env map[string]any) (string, params) {
	if t.When != "" && s.text(t.When, env) != "true" {
		return "Skipped", nil
	}
	call := func(env map[string]any) node {
		in := params{}
		for _, p := range t.Arguments.Parameters {
			in[p.Name] = s.text(p.Value.String(), env)
		}
		for _, a := range t.Arguments.Artifacts {
			if a.S3 != nil && s.key != nil {
				s.key(s.text(a.S3.Key, env))
			}
		}
		return s.call(t.Template, in)
	}
	if t.WithParam == "" {
		n := call(env)
		return n.phase, n.out
	}
	var items []json.RawMessage
	list := s.text(t.WithParam, env)
	if err := json.Unmarshal([]byte(list), &items); err != nil {
		s.t.Fatalf("loop over %s: %v", list, err)
	}
	if len(items) == 0 {
		return "Skipped", nil
	}
	all := map[string][]string{}
	phase := "Succeeded"
	for _, item := range items {
		text := string(item)
		var str string
		if json.Unmarshal(item, &str) == nil {
			if text = str; s.version == 3 {
				text = strings.Trim(string(item), `"`)
			}
		}
		with := maps.Clone(env)
		with["item"] = text
		n := call(with)
		if n.phase != "Succeeded" {
			phase = n.phase
		}
		for k, v := range n.out {
			all[k] = append(all[k], v)
		}
	}
	out := params{}
	for k, list := range all {
		parsed := make([]any, len(list))
		for i, v := range list { // Argo reads what is JSON
			if json.Unmarshal([]byte(v), &parsed[i]) != nil {
				parsed[i] = v
			}
		}
		j, _ := json.Marshal(parsed)
		out[k] = string(j)
	}
	return phase, out
}
