package argosim_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"sigs.k8s.io/yaml"

	"github.com/kfpgo/kfpgo/internal/testing/argosim"
)

// run runs templates, the first of them as the whole. Pods print what they are told.
func run(t *testing.T, s *argosim.Sim, templates string) (*argosim.Node, []string, error) {
	t.Helper()
	var w wfv1.Workflow
	if err := yaml.UnmarshalStrict([]byte("spec:\n  entrypoint: main\n  templates:\n"+templates), &w); err != nil {
		t.Fatal(err)
	}
	var said []string
	s.Pods.Container = func(p *argosim.Pod) (*argosim.Output, error) {
		text := strings.Join(p.Argv, " ")
		said = append(said, text)
		if strings.HasPrefix(text, "fail") && !strings.HasSuffix(text, fmt.Sprint(p.Attempt)) {
			return nil, errors.New("no")
		}
		return &argosim.Output{Result: text}, nil
	}
	n, err := s.Run(&w)
	return n, said, err
}

const say = `  - name: say
    inputs: {parameters: [{name: text}]}
    retryStrategy: {limit: 2}
    container: {image: a, command: ['{{inputs.parameters.text}}']}
`

func step(name, more string) string {
	return "    - - {name: " + name + ", template: say, arguments: {parameters: [{name: text, value: " + more + "}]}}\n"
}

// TestConstructs: each has what runs, and how it ends.
func TestConstructs(t *testing.T) {
	for name, c := range map[string]struct{ templates, want, phase string }{
		"steps": {"  - name: main\n    steps:\n" + step("a", "x") + step("b", "'{{steps.a.outputs.result}} y'"), "x,x y", "Succeeded"},
		"dag": {"  - name: main\n    dag:\n      tasks:\n      - {name: b, dependencies: [a], template: say, arguments: {parameters: [{name: text, value: '{{=tasks.a.status}}'}]}}\n" +
			"      - {name: a, template: say, arguments: {parameters: [{name: text, value: x}]}}\n", "x,Succeeded", "Succeeded"},
		"a retry that helps":   {"  - name: main\n    steps:\n" + step("a", "fail 1"), "fail 1,fail 1", "Succeeded"},
		"a retry that doesn't": {"  - name: main\n    steps:\n" + step("a", "fail x"), "fail x,fail x,fail x", "Failed"},
		"continueOn":           {"  - name: main\n    steps:\n" + strings.Replace(step("a", "fail 0x"), "{name: a,", "{name: a, continueOn: {failed: true},", 1) + step("b", "'{{steps.a.status}}'"), "fail 0x,fail 0x,fail 0x,Failed", "Succeeded"},
		"a sequence":           {"  - name: main\n    steps:\n" + strings.Replace(step("a", "'{{item}}'"), "{name: a,", "{name: a, when: '{{item}} != n2', withSequence: {start: 3, end: 1, format: n%d},", 1), "n3,n1", "Succeeded"},
		"memoize": {"  - name: main\n    steps:\n    - - {name: a, template: kept}\n    - - {name: b, template: kept}\n" +
			"  - name: kept\n    memoize: {key: \"{{=sprig.sha256sum(workflow.name)}}\", cache: {configMap: {name: c}}}\n    container: {image: a, command: [once]}\n", "once", "Succeeded"},
		"templateRef": {"  - name: main\n    steps:\n    - - {name: a, templateRef: {name: others, template: outer}}\n", "there", "Succeeded"},
	} {
		other := &wfv1.WorkflowTemplate{}
		other.Name = "others"
		if err := yaml.Unmarshal([]byte("- {name: outer, steps: [[{name: a, template: inner}]]}\n- {name: inner, container: {image: a, command: [there]}}\n"), &other.Spec.Templates); err != nil {
			t.Fatal(err)
		}
		n, said, err := run(t, &argosim.Sim{Version: 3, Templates: []*wfv1.WorkflowTemplate{other}}, c.templates+say)
		if got := strings.Join(said, ","); err != nil || got != c.want || string(n.Phase) != c.phase {
			t.Errorf("%s: %s %q %v, want %s %q", name, n.Phase, got, err, c.phase, c.want)
		}
	}
}

// TestBefore: what had ended before a pod follows from what its task depends on, and
// not from the order in which pods run here.
func TestBefore(t *testing.T) {
	s := &argosim.Sim{}
	task := func(name, depends string) string {
		return "      - {name: " + name + ", depends: '" + depends + "', template: say, arguments: {parameters: [{name: text, value: " + name + "}]}}\n"
	}
	_, _, err := run(t, s, "  - name: main\n    dag:\n      tasks:\n"+task("a", "")+task("b", "")+task("c", "b")+task("d", "a && c.Succeeded")+say)
	if err != nil || len(s.Ran) != 4 || s.Ran[1].Before != nil || !slices.Equal(s.Ran[2].Before, []int{1}) || !slices.Equal(s.Ran[3].Before, []int{0, 1, 2}) {
		t.Errorf("%v %+v", err, s.Ran)
	}
}

// TestWrong: what isn't known, and what Argo would call an error, is an error.
func TestWrong(t *testing.T) {
	for want, templates := range map[string]string{
		"hooks isn't known":                     "  - name: main\n    steps:\n    - - {name: a, template: say, onExit: say}\n",
		"daemon isn't known":                    "  - name: main\n    daemon: true\n    container: {image: a, command: [a]}\n",
		"kind of its template isn't known":      "  - name: main\n    http: {url: a}\n",
		"there is no template":                  "  - name: main\n    steps:\n    - - {name: a, template: nope}\n",
		"{{workflow.nope}} can't be replaced":   "  - name: main\n    steps:\n" + step("a", "'{{workflow.nope}}'"),
		"int(workflow.name)":                    "  - name: main\n    steps:\n" + step("a", "'{{=int(workflow.name)}}'"),
		"inputs.parameters.text was not":        "  - name: main\n    steps:\n    - - {name: a, template: say}\n",
		"depends on b, which isn't there":       "  - name: main\n    dag: {tasks: [{name: a, template: say, depends: b}]}\n",
		"depend on each other in a circle":      "  - name: main\n    dag: {tasks: [{name: a, template: say, depends: b}, {name: b, template: say, depends: a}]}\n",
		"could not be parsed as a JSON list: x": "  - name: main\n    steps:\n" + strings.Replace(step("a", "x"), "{name: a,", "{name: a, withParam: x,", 1),
	} {
		if _, _, err := run(t, &argosim.Sim{Version: 3}, templates+say); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
