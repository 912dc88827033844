package oracle

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"sigs.k8s.io/yaml"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/argoread"
	"github.com/kfpgo/kfpgo/internal/target/argo"
)

// TestArgoImport: each Workflow of Argo's own examples becomes a Go package, all
// packages are built, and each compiles to a Workflow that starts the same pods
// with the same values in the same order, whatever they write and when some fail.
// What isn't imported is refused by the name of the construct.
func TestArgoImport(t *testing.T) {
	importAll(t, "Argo's examples imported to Go, built and the same", filepath.Join(moduleDir(t, "github.com/argoproj/argo-workflows/v3"), "examples"))
}

// TestKFP1Import does so for what KFP 1's compiler wrote in its own tests, and for
// the one of add and divmod.
func TestKFP1Import(t *testing.T) {
	importAll(t, "KFP 1's Workflows imported to Go, built and the same", filepath.Join(moduleDir(t, kfpModule), "sdk/python/tests/compiler/testdata"), "../../internal/read/argoread/testdata")
}

// candidate reports whether a file has a pipeline of Argo's in it.
func candidate(data []byte) bool {
	return argoread.Is(data) && regexp.MustCompile(`(?m)^"?kind"?: *(Workflow|CronWorkflow|WorkflowTemplate|ClusterWorkflowTemplate)\s*$`).Match(data)
}

func importAll(t *testing.T, number string, dirs ...string) {
	a := newAtelier(t)
	files, why := map[string][]byte{}, map[string]string{}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil || !candidate(data) {
				return err
			}
			name, err := filepath.Rel(dir, path)
			files[name] = data
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range slices.Sorted(keys(files)) {
		p, _, err := argoread.ReadBeside(name, files[name], beside(files, name))
		if err != nil {
			constructs, all := constructs(err)
			if !all {
				if len(constructs) == 0 {
					t.Errorf("%s is refused without a name: %v", name, err)
				}
			}
			why[name] = strings.Join(constructs, ", ")
			continue
		}
		if err := a.Add(name, p, nil); err != nil {
			t.Errorf("%s: %v", name, err)
			why[name] = err.Error()
		}
	}
	programs, wrong, err := a.Programs()
	if err != nil {
		t.Fatal(err)
	}
	for name, lines := range wrong {
		if why[name] = unwritten(lines[0]); why[name] == "" {
			t.Errorf("%s: %s", name, strings.Join(lines, "\n"))
			why[name] = lines[0]
		}
	}
	for _, name := range slices.Sorted(keys(programs)) {
		if msg, refused := differs(files, name, programs[name]); msg != "" {
			why[name] = msg
			if !refused {
				t.Errorf("%s: %s", name, msg)
			}
		}
	}
	for _, name := range slices.Sorted(keys(files)) {
		exception := ""
		if why[name] != "" {
			exception = name + ": " + why[name]
		}
		tally(number, why[name] == "", exception)
	}
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// refusals are what the Argo target says that it can't write, in a few words.
var refusals = []struct{ message, why string }{
	{"no command; Argo needs", "a container without a command"},
	{"k8s.Label of a reference", "a tag in a label"},
	{"is not the name of an object", "a name that Kubernetes doesn't take"},
}

// unwritten returns the name of what a message refuses, or "".
func unwritten(message string) string {
	for _, r := range refusals {
		if strings.Contains(message, r.message) {
			return r.why
		}
	}
	return ""
}

// differs runs a Workflow and what was made of it, and returns where they differ,
// or what the target can't write.
func differs(files map[string][]byte, name string, p *program.Program) (msg string, refused bool) {
	original := files[name]
	made, _, err := argo.Workflow(p, argo.Options{})
	if err != nil {
		if why := unwritten(err.Error()); why != "" {
			return why, true
		}
		return err.Error(), false
	}
	want, others, err := workflowOf(original)
	if err != nil {
		return err.Error(), false
	}
	for _, data := range beside(files, name) {
		first, more, err := workflowOf(data)
		if err != nil {
			continue
		}
		if others = append(others, more...); first != nil && strings.HasSuffix(first.Kind, "WorkflowTemplate") {
			others = append(others, &wfv1.WorkflowTemplate{ObjectMeta: first.ObjectMeta, Spec: first.Spec})
		}
	}
	for seed := range 12 {
		w := World{Seed: seed, Outputs: outputs(original, seed), Fail: seed%3 == 2}
		x, err := Simulate(want, w, others...)
		if err != nil {
			return "the file can't be simulated: " + err.Error(), false
		}
		y, err := Simulate(made, w)
		if err != nil {
			return "what was made of it can't be simulated: " + err.Error(), false
		}
		if x.Phase != y.Phase {
			return fmt.Sprintf("seed %d: it ends as %s, and should as %s", seed, y.Phase, x.Phase), false
		}
		if !slices.Equal(x.Pods, y.Pods) {
			return fmt.Sprintf("seed %d: its pods\n%s\nshould be\n%s", seed, strings.Join(y.Pods, "\n"), strings.Join(x.Pods, "\n")), false
		}
		if !reflect.DeepEqual(x.Before, y.Before) {
			return fmt.Sprintf("seed %d: the order\n%v\nshould be\n%v", seed, y.Before, x.Before), false
		}
	}
	return "", false
}

// beside goes through the other files of a folder.
func beside(files map[string][]byte, of string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, name := range slices.Sorted(keys(files)) {
			if name != of && filepath.Dir(name) == filepath.Dir(of) && !yield(name, files[name]) {
				return
			}
		}
	}
}

// workflowOf returns the Workflow of a file, and the templates beside it.
func workflowOf(data []byte) (first *wfv1.Workflow, others []*wfv1.WorkflowTemplate, err error) {
	for _, doc := range regexp.MustCompile(`(?m)^---\s*$`).Split(string(data), -1) {
		var kind struct{ Kind string }
		if err := yaml.Unmarshal([]byte(doc), &kind); err != nil {
			return nil, nil, err
		}
		wf := &wfv1.Workflow{}
		switch kind.Kind {
		case "":
			continue
		case "CronWorkflow":
			cron := &wfv1.CronWorkflow{}
			if err := yaml.Unmarshal([]byte(doc), cron); err != nil {
				return nil, nil, err
			}
			wf.Spec, wf.ObjectMeta = cron.Spec.WorkflowSpec, cron.ObjectMeta
		default:
			if err := yaml.Unmarshal([]byte(doc), wf); err != nil {
				return nil, nil, err
			}
		}
		if kind.Kind == "Workflow" || kind.Kind == "CronWorkflow" || first == nil && wf.Spec.Entrypoint != "" {
			first = wf
		} else {
			others = append(others, &wfv1.WorkflowTemplate{ObjectMeta: wf.ObjectMeta, Spec: wf.Spec})
		}
	}
	return first, others, nil
}

var (
	compared = regexp.MustCompile(`[=!]= *["']?([A-Za-z0-9_]+)`)
	looped   = regexp.MustCompile(`withParam: *['"]?\{\{ *(steps|tasks|inputs)\.`)
	member   = regexp.MustCompile(`\{\{ *item\.([A-Za-z0-9_]+)`)
	ordered  = regexp.MustCompile(`when:.*[<>] *([0-9]+)`)
)

// outputs returns what the pods of a Workflow write: texts that its conditions are
// about, numbers where it compares those, lists where it loops over what is written.
func outputs(data []byte, seed int) []string {
	if looped.Match(data) {
		if m := member.FindAllSubmatch(data, -1); m != nil {
			one, two := []string{}, []string{}
			for i, f := range m {
				one = append(one, fmt.Sprintf("%q: %q", f[1], fmt.Sprint("v", i)))
				two = append(two, fmt.Sprintf("%q: %d", f[1], i))
			}
			object := "{" + strings.Join(slices.Compact(one), ", ") + "}"
			if bytes.Contains(data, []byte("outputs.result}}\"\n")) && bytes.Contains(data, []byte("withItems")) {
				return []string{object} // each makes one, and the list is Argo's
			}
			if seed%2 == 0 {
				return []string{"[" + object + "]"}
			}
			return []string{"[{" + strings.Join(two, ", ") + "}]", "[]"}
		}
		if seed%2 == 0 {
			return []string{`["a", "b c", "{x}"]`, `["\"q\""]`}
		}
		return []string{"[1, 20]", "[]", "[true, 2.5]"}
	}
	if m := ordered.FindAllSubmatch(data, -1); m != nil {
		return []string{"0", "1", "5", "100"}
	}
	var out []string
	for _, m := range compared.FindAllSubmatch(data, -1) {
		out = append(out, string(m[1]))
	}
	if out == nil {
		return []string{"plain", "two\nlines", `{"a": "b"}`, "", "x 'q' \"d\"", "--rm -rf", "12"} // $ and {{ would be replaced on the way
	}
	return append(out, "neither")
}

// constructs returns the names of what an error of argoread.Read refuses, each once, and
// whether all of it is refused by name.
func constructs(err error) (names []string, all bool) {
	list := []error{err}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		list = many.Unwrap()
	}
	all = true
	for _, e := range list {
		var r argoread.Refusal
		if !errors.As(e, &r) || r.Construct == "" {
			all = false
			continue
		}
		if !slices.Contains(names, r.Construct) {
			names = append(names, r.Construct)
		}
	}
	slices.Sort(names)
	return names, all
}
