package k8s

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A pipeline is one of package suite or an example, with the outputs that it must
// have, written by hand.
type pipeline struct {
	name   string // of the variable in ./suite, or a package#variable
	params map[string]string
	state  string            // SUCCEEDED if empty
	want   map[string]string // outputs, as JSON
}

const awkward = "it's \"x\" {{workflow.name}} {{=1+1}} {{$.x}} $(HOME) $$ #no \\ \n\tü 😀 --rm y"

var pipelines = []pipeline{
	{name: "Values", want: map[string]string{
		"text": quote(awkward), "empty": `""`, "large": `9007199254740993`, "small": `2e-05`, "flag": `false`,
		"list": `[0.1,5,1e21]`, "map": `{"it's":-1}`, "item": `{"name":"a b","n":1152921504606846976,"rate":0.5}`,
	}},
	{name: "Inputs", params: map[string]string{"text": awkward}, want: map[string]string{"text": quote(awkward)}},
	{name: "Defaults", want: map[string]string{"text": `"a, b"`, "n": `1`, "given": quote(`true "a, b"`), "absent": quote(`false ""`)}},
	{name: "Defaults", params: map[string]string{"text": "", "n": "-1", "flag": "x"}, want: map[string]string{"text": `""`, "n": `0`, "given": quote(`true ""`), "absent": quote(`true "x"`)}},
	{name: "Format", want: map[string]string{"text": quote(`42: {"a": 'b'} $(X){{`), "name": quote(`na"me`), "n": `"7"`}},
	{name: "Env", want: map[string]string{"text": quote("it's $$ 1|b $(A) c")}},
	{name: "Branch", params: map[string]string{"n": "-5"}, want: map[string]string{"text": `"negative"`}},
	{name: "Branch", params: map[string]string{"n": "0"}, want: map[string]string{"text": `"one"`}},
	{name: "Branch", params: map[string]string{"n": "6"}, want: map[string]string{"text": `"five or seven"`}},
	{name: "Branch", params: map[string]string{"n": "99"}, want: map[string]string{"text": `"other"`}},
	{name: "Quoting", want: map[string]string{"text": `"equal"`}},
	{name: "Skipped", want: map[string]string{"text": `"went on"`}},
	{name: "Loops", want: map[string]string{
		"each": quote(`<a b>,<c"d>,<{{x}}>`), "empty": `[]`,
		"outer": `["10a b,10c\"d,10{{x}}","20a b,20c\"d,20{{x}}"]`,
	}},
	{name: "Sweep", want: map[string]string{"text": `"x small,y large,z large"`}},
	{name: "Succeeds"},
	{name: "Fails", state: "FAILED"},
	{name: "Ignores", state: "FAILED"},
	{name: "TooLong", state: "FAILED"},
	{name: "Files", want: map[string]string{
		"file": quote(".=a\nb;3"), "folder": quote("a=a;sub/b=b;<nil>"), "absent": `"nothing"`, "chosen": quote(".=less;4"), "all": `"b,a,c"`,
	}},
	{name: "Volume", want: map[string]string{"text": `"aab"`}},
	{name: "Object", want: map[string]string{"text": quote(`it's "x": {{y}} #1`)}},
	{name: "../../examples/calc#Pipeline", params: map[string]string{"a": "12"}, want: map[string]string{"quotient": `2`, "remainder": `2`, "result": `19`}},
}

func quote(s string) string { b, _ := json.Marshal(s); return string(b) }

func (p pipeline) ref() string {
	if strings.Contains(p.name, "#") {
		return p.name
	}
	return "./suite#" + p.name
}

func (p pipeline) String() string {
	s := p.name
	for _, k := range slices.Sorted(mapKeys(p.params)) {
		s += " " + k + "=" + quote(p.params[k])
	}
	return s
}

func mapKeys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// outcome is what became of a run.
type outcome struct {
	state   string
	outputs map[string]any
	log     string
}

// TestPipelines runs each pipeline on this machine and on the cluster that
// test/k8s/cluster has brought up. Both must end as the table says.
func TestPipelines(t *testing.T) {
	tmp := t.TempDir()
	kfpgo := filepath.Join(tmp, "kfpgo")
	command(t, "", "go", "-C", "../..", "build", "-o", kfpgo, "./cmd/kfpgo")
	for name, pkg := range map[string][]string{
		"suite": {"./suite"}, "calc": {"../../examples/calc"},
		"root": {"./suite", "--user", "0"}, // claims that are folders of the node belong to root
	} {
		tar := filepath.Join(tmp, name+".tar")
		command(t, "", kfpgo, append([]string{"build", "--tar", tar, "--tag", "registry.local/" + name + ":1"}, pkg...)...)
		command(t, "", "./cluster", "load", tar)
	}
	prepare(t, kfpgo)
	slots := make(chan struct{}, 10) // at once
	var mu sync.Mutex
	var lines []string
	equal := 0
	t.Run("all", func(t *testing.T) {
		for _, p := range pipelines {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				slots <- struct{}{}
				defer func() { <-slots }()
				want := outcome{state: p.state, outputs: map[string]any{}}
				if want.state == "" {
					want.state = "SUCCEEDED"
				}
				for name, text := range p.want {
					want.outputs[name] = value(t, text)
				}
				here, there := onLocal(t, kfpgo, tmp, p), onArgo(t, kfpgo, p)
				ok := true
				for where, got := range map[string]outcome{"local": here, "argo": there} {
					if want.state == "FAILED" {
						got.outputs = want.outputs // Argo has no outputs of what failed
					}
					if got.state != want.state || !reflect.DeepEqual(got.outputs, want.outputs) {
						ok = false
						t.Errorf("%s: %s: %s %v\nwant %s %v\n%s", p, where, got.state, got.outputs, want.state, want.outputs, got.log)
					}
				}
				mu.Lock()
				defer mu.Unlock()
				if ok {
					equal++
				}
				lines = append(lines, fmt.Sprintf("%-60.60s local %-10s argo %-10s equal %v", p, here.state, there.state, ok))
			})
		}
	})
	slices.Sort(lines)
	fmt.Printf("%s\nequal %d/%d\n", strings.Join(lines, "\n"), equal, len(pipelines))
}

// prepare makes what the suite's pods need: the role that kfpgo prints, for the
// default account, and a class of claims that are folders of the node.
func prepare(t *testing.T, kfpgo string) {
	t.Helper()
	for _, p := range []string{"Volume", "Object"} {
		roles := command(t, "", kfpgo, "compile", "./suite#"+p, "-t", "argo", "--rbac")
		command(t, roles, "./cluster", "k", "apply", "-f", "-")
	}
	command(t, "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: host-path}\nprovisioner: kubernetes.io/host-path\n", "./cluster", "k", "apply", "-f", "-")
}

func onLocal(t *testing.T, kfpgo, home string, p pipeline) outcome {
	dir, err := os.MkdirTemp(home, "run-*")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"run", p.ref(), "--home", dir, "--no-cache"}
	for k, v := range p.params {
		args = append(args, "-p", k+"="+v)
	}
	log, _ := exec.Command(kfpgo, args...).CombinedOutput() // the state says how it ended
	files, _ := filepath.Glob(filepath.Join(dir, "runs", "*", "run.json"))
	if len(files) != 1 {
		t.Fatalf("%s: %d runs\n%s", p, len(files), log)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		State   string
		Outputs map[string]json.RawMessage
	}
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	got := outcome{state: r.State, outputs: map[string]any{}, log: string(log)}
	for name, v := range r.Outputs {
		got.outputs[name] = value(t, string(v))
	}
	return got
}

// value decodes JSON, with all digits. Numbers that are equal compare equal.
func value(t *testing.T, text string) any {
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

func command(t *testing.T, in, name string, args ...string) string {
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

const patience = 5 * time.Minute
