package argo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type manyIn struct {
	Text dsl.Param[string] `default:"x"`
}

// documents decodes what was written: the WorkflowTemplates and the last object.
func documents(t *testing.T, b []byte) (parts []wfv1.WorkflowTemplate, last *wfv1.Workflow) {
	t.Helper()
	docs := bytes.Split(b, []byte("---\n"))
	for _, doc := range docs[:len(docs)-1] {
		var v any
		if err := yaml.Unmarshal(doc, &v); err != nil {
			t.Fatal(err)
		}
		j, _ := json.Marshal(v)
		var part wfv1.WorkflowTemplate
		d := json.NewDecoder(bytes.NewReader(j))
		d.DisallowUnknownFields()
		if err := d.Decode(&part); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
	}
	return parts, strict(t, docs[len(docs)-1])
}

// identical returns 500 tasks of one component: a chain, or one and after it the
// others beside each other.
func identical(chain bool) dsl.Definition {
	return dsl.Pipeline("identical", func(s *dsl.Scope, in manyIn) textOut {
		first := echo.Call(s, textIn(in)).Out
		last := first
		for range 499 {
			from := first
			if chain {
				from = last
			}
			last = echo.Call(s, textIn(from)).Out
		}
		return last
	})
}

// distinct returns n tasks that are all different, of Go, containers or Python.
func distinct(n int, kind string) dsl.Definition {
	return dsl.Pipeline("distinct", func(s *dsl.Scope, in manyIn) dsl.None {
		for i := range n {
			name := fmt.Sprintf("step-%d", i)
			switch kind {
			case "go":
				dsl.Func(name, func(context.Context, textIn, *modelOut) error { return nil }).Call(s, textIn(in), dsl.CPU("1"), dsl.Memory("1Gi"), dsl.Retry(2))
			case "container":
				dsl.Container(name, func(in textIn, out modelOut) dsl.ContainerSpec {
					return dsl.ContainerSpec{Image: "busybox:1", Command: []string{"sh", "-c", fmt.Sprintf("# %s\n", name)}, Args: dsl.Args(in.Text, out.Model.Path(), out.Score.Path())}
				}).Call(s, textIn(in))
			case "python":
				dsl.Python[textIn, textOut](name, dsl.PythonSource{Function: "f", Image: "python:3.12", Source: fmt.Sprintf("def f(text: str) -> str:\n    return text + '%d'\n", i)}).Call(s, textIn(in))
			}
		}
		return dsl.None{}
	})
}

// stored returns how large an object is where the cluster keeps it.
func stored(t *testing.T, w any) int {
	t.Helper()
	j, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	return len(j)
}

// TestSizes: what a cluster must store of large pipelines.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name string
		d    dsl.Definition
		most int
	}{
		{"500 identical tasks in a row", identical(true), 400_000},
		{"500 identical tasks beside each other", identical(false), 400_000},
		{"56 distinct Go steps", distinct(56, "go"), 1 << 19},
		{"56 distinct containers", distinct(56, "container"), 1 << 19},
		{"56 distinct Python steps", distinct(56, "python"), 1 << 19},
		{"190 distinct Go steps", distinct(190, "go"), 1 << 20},
	} {
		b, err := argo.Write(lowered.Program(t, c.d), options)
		if err != nil {
			t.Fatal(err)
		}
		parts, w := documents(t, b)
		n := stored(t, w)
		t.Logf("%s: %d bytes as JSON, %d as YAML", c.name, n, len(b))
		if n > c.most || len(b) > 1<<20 || len(parts) > 0 {
			t.Errorf("%s: %d bytes as JSON, %d as YAML, %d WorkflowTemplates; at most %d", c.name, n, len(b), len(parts), c.most)
		}
		for _, tpl := range w.Spec.Templates {
			if tpl.DAG != nil && len(tpl.DAG.Tasks) > 200 {
				t.Errorf("%s: template %s has %d tasks", c.name, tpl.Name, len(tpl.DAG.Tasks))
			}
		}
	}
}

// TestIdentical runs 500 tasks that pass a text on.
func TestIdentical(t *testing.T) {
	for _, chain := range []bool{true, false} {
		for _, fail := range []int{0, 250} {
			s := newSim(t, workflow(t, identical(chain), options), nil)
			n := 0
			s.step = func(_ string, x map[string]any) (map[string]string, error) {
				if n++; n == fail {
					return nil, fmt.Errorf("no")
				}
				return write(x, map[string]any{"text": fmt.Sprint(in(x, "text"), "!")}), nil
			}
			got := s.run()
			ran, text, phase := 500, `"x!!"`, "Succeeded"
			if chain {
				text = `"x` + strings.Repeat("!", 500) + `"`
			}
			if fail > 0 {
				phase = "Failed"
				if chain {
					ran = 250
				}
			}
			if n != ran || got.phase != phase || phase == "Succeeded" && got.out["text"] != text {
				t.Errorf("chain %v, failing %d: %d ran, %s, %.20s", chain, fail, n, got.phase, got.out["text"])
			}
		}
	}
}

// TestSpread: more templates than an object takes are in WorkflowTemplates, to
// which the Workflow refers.
func TestSpread(t *testing.T) {
	p := lowered.Program(t, distinct(450, "go"))
	b, err := argo.Write(p, options)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := argo.Write(p, options)
	if !bytes.Equal(b, again) {
		t.Error("a second time it is different")
	}
	parts, w := documents(t, b)
	if len(parts) < 3 || len(w.Spec.Templates) != 1 {
		t.Fatalf("%d WorkflowTemplates, %d templates stay", len(parts), len(w.Spec.Templates))
	}
	local := map[string]map[string]bool{}
	for _, part := range parts {
		local[part.Name] = map[string]bool{}
		for _, tpl := range part.Spec.Templates {
			local[part.Name][tpl.Name] = true
		}
		if n := stored(t, part); n > 1<<20 || len(part.Spec.Templates) > 200 {
			t.Errorf("%s: %d bytes, %d templates", part.Name, n, len(part.Spec.Templates))
		}
	}
	used := 0
	check := func(home string, templates []wfv1.Template) {
		for _, tpl := range templates {
			if tpl.DAG == nil {
				continue
			}
			for _, task := range tpl.DAG.Tasks {
				used++
				if ref := task.TemplateRef; ref != nil && (!local[ref.Name][ref.Template] || task.Template != "") || ref == nil && !local[home][task.Template] {
					t.Errorf("%s: task %s calls %q %v", home, task.Name, task.Template, ref)
				}
			}
		}
	}
	check("", w.Spec.Templates)
	for _, part := range parts {
		check(part.Name, part.Spec.Templates)
	}
	if used < 450 {
		t.Errorf("%d tasks", used)
	}

	// As one that refers to templates of the whole cluster.
	b, err = argo.Template(p, options, true)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(b), "kind: ClusterWorkflowTemplate"); n != len(parts)+1 || strings.Count(string(b), "templateRef:") != strings.Count(string(b), "clusterScope: true") {
		t.Errorf("%d ClusterWorkflowTemplates", n)
	}

	// The same templates have the same names, and others have others.
	other, err := argo.Write(lowered.Program(t, distinct(451, "go")), options)
	if err != nil {
		t.Fatal(err)
	}
	names := func(parts []wfv1.WorkflowTemplate) (all []string) {
		for _, part := range parts {
			all = append(all, part.Name)
		}
		return all
	}
	others, _ := documents(t, other)
	if slices.ContainsFunc(names(others), func(n string) bool { return slices.Contains(names(parts), n) }) {
		t.Errorf("%v and %v", names(parts), names(others))
	}
	if reflect.DeepEqual(names(parts), names(others)) {
		t.Error("a changed pipeline has the same WorkflowTemplates")
	}
}
