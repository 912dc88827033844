package argoread_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/read/argoread"
)

// TestParallelism: the parallelism of a template with one loop is that of the loop.
func TestParallelism(t *testing.T) {
	p, _, err := argoread.Read("x.yaml", []byte(head+"  - name: main\n    parallelism: 2\n    steps:\n    - - {name: first, template: flip}\n    - - {name: a, template: flip, withItems: [1, 2, 3]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	loops := 0
	for _, task := range p.Tasks() {
		if task.Each != nil {
			if loops++; task.Each.Parallelism != 2 {
				t.Errorf("a loop with a parallelism of %d, want 2", task.Each.Parallelism)
			}
		}
	}
	if loops != 1 {
		t.Errorf("%d loops, want 1", loops)
	}
}

// TestBeside: references to templates in other files of the folder resolve, each template
// sees those of its own object, and errors are at their lines.
func TestBeside(t *testing.T) {
	const object = "apiVersion: argoproj.io/v1alpha1\nkind: "
	files := map[string]string{
		"a.yaml":      object + "WorkflowTemplate\nmetadata: {name: a}\nspec:\n  templates:\n  - name: say\n    container: {image: 'i:1', command: [of-a]}\n  - name: both\n    steps: [[{name: x, template: say}, {name: y, templateRef: {name: c, template: say, clusterScope: true}}]]\n",
		"bad.yaml":    object + "WorkflowTemplate\nmetadata: [",
		"c.yaml":      object + "ClusterWorkflowTemplate\nmetadata: {name: c}\nspec:\n  entrypoint: say\n  templates:\n  - {name: say, container: {image: 'i:1', command: [of-c]}}\n---\n" + object + "WorkflowTemplate\nmetadata: {name: d}\nspec:\n  templates:\n  - {name: wait, http: {url: x}}\n",
		"values.yaml": "a: WorkflowTemplate\n",
	}
	beside := func(yield func(string, []byte) bool) {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if !yield(name, []byte(files[name])) {
				return
			}
		}
	}
	for _, tt := range []struct {
		spec string
		want []string // commands in order, or what is wrong
	}{
		{"entrypoint: main, templates: [{name: main, steps: [[{name: p, templateRef: {name: a, template: both}}], [{name: q, template: say}]]}, {name: say, container: {image: 'i:1', command: [own]}}]", []string{"of-a", "of-c", "own"}},
		{"workflowTemplateRef: {name: c, clusterScope: true}", []string{"of-c"}},
		{"workflowTemplateRef: {name: c}", []string{"w.yaml:3:29: workflowTemplateRef can't be imported: the template \"c\" is neither in the file nor in one beside it"}},
		{"entrypoint: main, templates: [{name: main, steps: [[{name: p, templateRef: {name: d, template: wait}}]]}]", []string{"c.yaml:14:24: http can't be imported"}},
	} {
		p, _, err := argoread.ReadBeside("w.yaml", []byte(object+"Workflow\nspec: {"+tt.spec+"}\n"), beside)
		var got []string
		if err != nil {
			got = []string{err.Error()}
		} else {
			for _, c := range p.Components {
				if c.Exec != nil {
					got = append(got, c.Exec.Container.Command...)
				}
			}
		}
		slices.Sort(got)
		if !slices.EqualFunc(got, tt.want, strings.Contains) {
			t.Errorf("%s: %q\nwant %q", tt.spec, got, tt.want)
		}
	}
}
