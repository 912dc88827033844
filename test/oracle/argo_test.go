package oracle

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"github.com/expr-lang/expr"
	"sigs.k8s.io/yaml"

	"github.com/kfpgo/kfpgo/internal/emit"
	_ "github.com/kfpgo/kfpgo/internal/emit/withargo"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
)

// TestArgo validates the Workflows of the examples.
func TestArgo(t *testing.T) {
	for _, pipeline := range examples(t) {
		t.Run(pipeline, func(t *testing.T) { validArgo(t, compile(t, pipeline, "argo")) })
	}
}

// TestArgoGoldens validates the goldens of package argo.
func TestArgoGoldens(t *testing.T) {
	files, err := filepath.Glob("../../internal/target/argo/testdata/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			validArgo(t, b)
		})
	}
}

// TestArgoOfIR makes Workflows of our own IR, that of the pairs too, and validates
// them. What Argo can't express is refused in the words of the table of features.
func TestArgoOfIR(t *testing.T) {
	for name, b := range ours(t) {
		onArgo(t, "our IR on Argo", source{name, b})
	}
}

// TestArgoCorpus does so with what KFP's SDK has compiled.
func TestArgoCorpus(t *testing.T) {
	for _, s := range sources(t, corpus(t, "corpus")) {
		onArgo(t, "corpus on Argo", s)
	}
}

// refused is how the table of features says that Argo can't do something.
var refused = regexp.MustCompile(`target argo has no (.*): `)

// onArgo writes IR for Argo and validates that, in a test of its own.
func onArgo(t *testing.T, tallied string, s source) {
	t.Run(s.name, func(t *testing.T) {
		p, err := kfpread.Read(filepath.Base(s.name), s.ir)
		if err != nil {
			t.Fatal(err)
		}
		b, err := emit.Emit(p, emit.Argo, emit.Options{Image: "registry.example.com/prog:1", ArtifactRoot: "s3://bucket/keys"})
		if err == nil {
			tally(tallied, true, "")
			validArgo(t, b)
			return
		}
		why := refused.FindStringSubmatch(err.Error())
		if why == nil {
			if !strings.Contains(err.Error(), "pipeline "+p.Name+", task ") {
				t.Errorf("refused, but without naming pipeline and task: %v", err)
			}
			why = []string{"", strings.ReplaceAll(err.Error(), ": ", " - ")}
		}
		tally(tallied, false, fmt.Sprintf("%s: %.200s", s.name, why[1]))
	})
}

// validArgo decodes Workflows strictly and validates them as argo lint and as
// Argo's server do, with the WorkflowTemplates that come before one.
func validArgo(t *testing.T, b []byte) {
	t.Helper()
	defer func() { tally("Argo's validator accepted our Workflows", !t.Failed(), "") }()
	docs := bytes.Split(b, []byte("\n---\n"))
	known := templates{}
	for _, doc := range docs[:len(docs)-1] {
		var part wfv1.WorkflowTemplate
		if err := yaml.UnmarshalStrict(doc, &part); err != nil {
			t.Fatal(err)
		}
		known[part.Name] = &part
	}
	var wf wfv1.Workflow
	if err := yaml.UnmarshalStrict(docs[len(docs)-1], &wf); err != nil {
		t.Fatal(err)
	}
	if wf.Kind != "Workflow" || wf.Spec.Entrypoint == "" {
		t.Fatalf("not a Workflow with an entrypoint: %s", wf.Kind)
	}
	for _, part := range known {
		if err := ValidateArgoTemplate(known, part); err != nil {
			t.Errorf("%s: %v", part.Name, err)
		}
	}
	if err := LintArgo(known, &wf); err != nil {
		t.Error(err)
	}
	// What has no default is given when a Workflow is submitted, as argo submit -p does.
	for i := range wf.Spec.Arguments.Parameters {
		if p := &wf.Spec.Arguments.Parameters[i]; p.Value == nil {
			p.Value = wfv1.AnyStringPtr("1")
		}
	}
	if err := ValidateArgo(known, &wf); err != nil {
		t.Error(err)
	}
	expressions(t, b)
}

var (
	tagged = regexp.MustCompile(`\{\{=((?s:.*?))\}\}`)
	named  = map[string]bool{"expression": true, "fromExpression": true}
)

// expressions parses each expression of a file, as Argo would, which finds out only
// when it runs.
func expressions(t *testing.T, b []byte) {
	t.Helper()
	n := 0
	parse := func(e string) {
		n++
		if _, err := expr.Compile(e); err != nil {
			t.Errorf("%s: %v", e, err)
		}
	}
	var walk func(key string, v any)
	walk = func(key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k := range v {
				walk(k, v[k])
			}
		case []any:
			for i := range v {
				walk("", v[i])
			}
		case string:
			if named[key] {
				parse(v)
			} else if key != "kfpgo-python-runtime" {
				for _, m := range tagged.FindAllStringSubmatch(v, -1) {
					parse(m[1])
				}
			}
		}
	}
	for _, doc := range bytes.Split(b, []byte("\n---\n")) {
		var v map[string]any
		if err := yaml.Unmarshal(doc, &v); err != nil {
			t.Fatal(err)
		}
		spec, _ := v["spec"].(map[string]any)
		walk("", spec["templates"])
		walk("", spec["hooks"])
	}
	for range n {
		tally("Argo's expressions parsed by its own parser", !t.Failed(), "")
	}
}
