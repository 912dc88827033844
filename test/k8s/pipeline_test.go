package k8s

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

// A pipeline is one of package suite or an example, with the outputs that it must
// have, written by hand.
type pipeline struct {
	name   string // of the variable in ./suite, or a package#variable
	params map[string]string
	state  string            // SUCCEEDED if empty
	want   map[string]string // outputs, as JSON

	ended map[string]string // how tasks have, by name

	there map[string]string // params on Argo that differ

	here   []string                                      // more flags of kfpgo run
	kfp    []string                                      // and with --on kfp
	cached bool                                          // on KFP, which may take steps from its cache
	root   bool                                          // the image runs as root: claims that are folders of the node belong to it
	role   bool                                          // it needs the role that kfpgo prints
	drafts bool                                          // it leaves an optional artifact unwritten, which KFP has a URI for all the same
	has    map[string]string                             // what is at a place of the only pod that has one, as JSON
	broken func(yaml string) string                      // makes another Workflow of it
	check  func(t *testing.T, here, there outcome) error // of outputs that no one knows beforehand, in place of want
}

// told is what a text of several values is made of.
const told = "it's \"x\" \\ {{y}}\nü"

const awkward = "it's \"x\" {{workflow.name}} {{=1+1}} {{$.x}} $(HOME) $$ #no \\ \n\tü 😀 --rm y"

func quote(s string) string { b, _ := json.Marshal(s); return string(b) }

func (p pipeline) ref() string {
	if strings.Contains(p.name, "#") {
		return p.name
	}
	return "./suite#" + p.name
}

func (p pipeline) String() string {
	s := p.name[strings.LastIndexByte(p.name, '/')+1:]
	for _, k := range slices.Sorted(maps.Keys(p.params)) {
		s += " " + k + "=" + quote(p.params[k])
	}
	return s
}

// outcome is what became of a run.
type outcome struct {
	state   string
	outputs map[string]any
	log     string
	ended   map[string]string // tasks, by name
	tasks   []task            // of a run here
}

type task struct {
	Name, State string
	Outputs     map[string]json.RawMessage
}

// kfpgo is the command, and home the folder of local runs.
var kfpgo, home string

// runs compares a pipeline here, on Argo and in the table, and returns what is to
// be said about it.
func (p pipeline) runs(t *testing.T) (line string, ok bool) {
	began := time.Now()
	wf := p.submit(t)
	here := p.onLocal(t)
	done := await(t, wf, nil)
	there := done.outcome(t)
	ok = true
	for where, got := range map[string]outcome{"local": here, "argo": there} {
		if why := p.differs(t, got); why != "" {
			ok = false
			t.Errorf("%s: %s: %s\n%s", p, where, why, got.log)
		}
	}
	if p.check != nil && ok {
		if err := p.check(t, here, there); err != nil {
			ok = false
			t.Errorf("%s: %v", p, err)
		}
	}
	for _, err := range p.lacks(t, wf) {
		ok = false
		t.Errorf("%s: %v", p, err)
	}
	return fmt.Sprintf("%-56.56s local %-9s argo %-9s equal %-5v %3.0f s", p, here.state, there.state, ok, time.Since(began).Seconds()), ok
}

// differs says what of an outcome isn't as the table has it.
func (p pipeline) differs(t testing.TB, got outcome) string {
	want := outcome{state: p.state, outputs: map[string]any{}}
	if want.state == "" {
		want.state = "SUCCEEDED"
	}
	for name, text := range p.want {
		want.outputs[name] = value(t, text)
	}
	if want.state == "FAILED" || p.check != nil {
		got.outputs = want.outputs // Argo has no outputs of what failed
	}
	for name, state := range p.ended {
		if got.ended[name] != state {
			return fmt.Sprintf("task %s is %s, want %s", name, got.ended[name], state)
		}
	}
	if got.state != want.state || !reflect.DeepEqual(got.outputs, want.outputs) {
		return fmt.Sprintf("%s %v\nwant %s %v", got.state, got.outputs, want.state, want.outputs)
	}
	return ""
}

// image is the one of its Go steps.
func (p pipeline) image() string {
	image := "suite"
	switch {
	case p.root:
		image = "root"
	case strings.Contains(p.name, "#"):
		image = filepath.Base(strings.Split(p.name, "#")[0])
	}
	return "registry.local/" + image + ":1"
}

// compile returns the Workflow.
func (p pipeline) compile(t testing.TB, more ...string) string {
	args := append([]string{"compile", p.ref(), "-t", "argo", "--image", p.image(), "--artifact-root", "s3://artifacts"}, more...)
	return command(t, "", kfpgo, args...)
}

// submit starts a Workflow and returns its name.
func (p pipeline) submit(t testing.TB) string {
	t.Helper()
	name, err := p.start(t)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// start is submit with the server's refusal.
func (p pipeline) start(t testing.TB) (string, error) {
	t.Helper()
	text := p.compile(t)
	if p.role {
		account := "pods-" + strings.ToLower(p.name[strings.LastIndexByte(p.name, '#')+1:])
		accounts := []string{"--service-account", account, "--object-service-account", account + "-objects"}
		command(t, p.compile(t, append(accounts, "--rbac")...), "./cluster", "k", "apply", "-f", "-")
		text = p.compile(t, accounts...)
	}
	if p.broken != nil {
		other := p.broken(text)
		if other == text {
			t.Fatalf("%s: nothing of it was broken", p)
		}
		text = other
	}
	docs := strings.Split(text, "\n---\n")
	for _, template := range docs[:len(docs)-1] { // of a pipeline that takes more than one object
		command(t, template, "./cluster", "k", "apply", "-f", "-")
	}
	w := map[string]any{}
	if err := yaml.Unmarshal([]byte(docs[len(docs)-1]), &w); err != nil {
		t.Fatal(err)
	}
	params := maps.Clone(p.params)
	maps.Copy(params, p.there)
	arguments(t, w, params)
	b, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	var made workflow
	if b, err = try(http.MethodPost, workflows, "", b); err == nil {
		err = json.Unmarshal(b, &made)
	}
	return made.Metadata.Name, err
}

// arguments sets those of a Workflow, as argo submit -p does.
func arguments(t testing.TB, w map[string]any, params map[string]string) {
	t.Helper()
	spec := w["spec"].(map[string]any)
	args, _ := spec["arguments"].(map[string]any)
	all, _ := args["parameters"].([]any)
	for name, v := range params {
		found := false
		for _, a := range all {
			if a := a.(map[string]any); a["name"] == name {
				found = true
				a["value"] = v
			}
		}
		if !found {
			t.Fatalf("the Workflow has no parameter %s", name)
		}
	}
}

// onLocal runs it on this machine, with the secrets and config maps of the cluster.
func (p pipeline) onLocal(t testing.TB) outcome {
	dir, err := os.MkdirTemp(home, "run-*")
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range objects {
		file = filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := append([]string{"run", p.ref(), "--home", dir, "--no-cache"}, p.here...)
	for k, v := range p.params {
		if v == imported {
			v = filepath.Join(dir, "imported")
			if err := os.WriteFile(v, []byte("imported"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		args = append(args, "-p", k+"="+v)
	}
	cmd := exec.Command(kfpgo, args...)
	cmd.Env = append(os.Environ(), "WHERE=node1") // what Where reads of its pod
	log, _ := cmd.CombinedOutput()                // the state says how it ended
	files, _ := filepath.Glob(filepath.Join(dir, "runs", "*", "run.json"))
	if len(files) != 1 {
		t.Errorf("%s: %d runs\n%s", p, len(files), log)
		return outcome{state: "NONE"}
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		State   string
		Outputs map[string]json.RawMessage
		Tasks   []task
	}
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	got := outcome{state: r.State, outputs: map[string]any{}, log: string(log), tasks: r.Tasks, ended: map[string]string{}}
	for _, task := range r.Tasks {
		got.ended[task.Name] = task.State
	}
	for name, v := range r.Outputs {
		got.outputs[name] = value(t, string(v))
	}
	return got
}

// lacks says what isn't in the pods of a Workflow as p.has has it.
func (p pipeline) lacks(t *testing.T, wf string) (all []error) {
	if len(p.has) == 0 {
		return nil
	}
	var list struct{ Items []any }
	get(t, pods+"?labelSelector=workflows.argoproj.io%2Fworkflow%3D"+wf, &list)
	for _, path := range slices.Sorted(maps.Keys(p.has)) {
		want, ok := value(t, p.has[path]), false
		var seen []any
		for _, pod := range list.Items {
			got := at(pod, strings.Split(path, " "))
			ok = ok || reflect.DeepEqual(canonical(got), want)
			if got != nil {
				seen = append(seen, got)
			}
		}
		if !ok {
			all = append(all, fmt.Errorf("%s is %v in the pods, want %s", path, seen, p.has[path]))
		}
	}
	return all
}

// at returns what is at a path of names. In a list a name is that of an element, its
// key, or else its number.
func at(v any, path []string) any {
	for _, name := range path {
		switch of := v.(type) {
		case map[string]any:
			v = of[name]
		case []any:
			v = nil
			for i, e := range of {
				if m, ok := e.(map[string]any); ok && (m["name"] == name || m["key"] == name || m["mountPath"] == name) || name == fmt.Sprint(i) {
					v = e
				}
			}
		default:
			return nil
		}
	}
	return v
}

// value decodes JSON, with all digits. Numbers that are equal compare equal.
func value(t testing.TB, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return canonical(v)
}

func canonical(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	case float64:
		if i := int64(v); float64(i) == v && v < 1<<53 && v > -1<<53 {
			return i
		}
	case []any:
		for i := range v {
			v[i] = canonical(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = canonical(v[k])
		}
	}
	return v
}

func command(t testing.TB, in, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stdin = strings.NewReader(in)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s%s", name, args, err, stderr.Bytes(), out)
	}
	return string(out)
}
