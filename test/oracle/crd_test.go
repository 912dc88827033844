package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// crds returns the full CRDs of Argo 3.7 and 4.0. Those of 3 are of the module that
// we use; of that of 4 only the files are wanted.
func crds(t *testing.T) map[string]*CRD {
	t.Helper()
	all := map[string]*CRD{}
	for version, cmd := range map[string][]string{
		"3.7": {"list", "-m", "-json", "github.com/argoproj/argo-workflows/v3"},
		"4.0": {"mod", "download", "-json", "github.com/argoproj/argo-workflows/v4@v4.0.5"},
	} {
		out, err := exec.Command("go", cmd...).Output()
		if err != nil {
			t.Fatalf("go %s: %v", strings.Join(cmd, " "), err)
		}
		var m struct{ Dir string }
		if err := json.Unmarshal(out, &m); err != nil {
			t.Fatal(err)
		}
		if all[version], err = ReadCRDs(m.Dir); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestCRDs: what we write for Argo is what an API server with its full CRDs takes,
// which knows nothing of fields that they don't name.
func TestCRDs(t *testing.T) {
	all := crds(t)
	files, err := filepath.Glob("../../internal/target/argo/testdata/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	kinds, _ := filepath.Glob("../../internal/target/argo/testdata/kinds/*.yaml")
	documents := map[string][]byte{}
	for _, f := range append(files, kinds...) {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		documents[filepath.Base(f)] = b
	}
	for _, pipeline := range examples(t) {
		documents[pipeline] = compile(t, pipeline, "argo")
	}
	for name, b := range documents {
		for i, doc := range bytes.Split(b, []byte("\n---\n")) {
			if !bytes.Contains(doc, []byte("apiVersion: argoproj.io/")) {
				continue // a role or config map
			}
			for version, crd := range all {
				bad := crd.Check(doc)
				// Argo 3 comes without these schemas unless it is told to; for those that
				// have them there is --argo-version.
				bad = slices.DeleteFunc(bad, func(p string) bool {
					return version == "3.7" && strings.HasSuffix(p, "memoize.cache.configMap: key is required")
				})
				for _, problem := range bad {
					t.Errorf("%s, document %d, Argo %s: %s", name, i+1, version, problem)
				}
				tally("Argo's full CRDs accepted our objects", len(bad) == 0, "")
			}
		}
	}
}

// TestCRDMistakes: the check finds what it is for.
func TestCRDMistakes(t *testing.T) {
	all := crds(t)
	const head = "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {generateName: a-}\nspec:\n  entrypoint: a\n"
	task := "{name: t, template: a}"
	many := strings.TrimSuffix(strings.Repeat(task+",", 201), ",")
	for _, c := range []struct{ spec, want3, want4 string }{
		{"  templates: [{name: a, suspend: {}}]\n", "", ""},
		{"  templates: [{name: a, suspend: {}, colour: red}]\n", "unknown field colour", "unknown field colour"},
		{"  parallelism: many\n", "is not of type integer", "is not of type integer"},
		{"  parallelism: 0\n", "", "below the minimum"},
		{"  arguments: {parameters: [{name: a, value: [1]}]}\n", "spec.arguments.parameters[0].value", "spec.arguments.parameters[0].value"},
		{fmt.Sprintf("  templates: [{name: a, dag: {tasks: [%s]}}]\n", many), "", "above the maxItems of 200"},
	} {
		for version, want := range map[string]string{"3.7": c.want3, "4.0": c.want4} {
			got := strings.Join(all[version].Check([]byte(head+c.spec)), "\n")
			if want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("Argo %s, %.60s: got %q, want %q", version, c.spec, got, want)
			}
		}
	}
}
