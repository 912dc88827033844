package k8s

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/build/discover"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/graph"
)

const noIndex = "pods of the cluster reach no index of packages; tests with the tag slow install them"

const othersAlone = "on Argo it is as after any task, which Ignores, Truth and Perhaps show; KFP's servers get it wrong"

const noDatabase = "the cluster has no database of locks; internal/target/argo shows the template"

// unshown are the rows that Argo can do and no pipeline here shows, each with its
// reason.
var unshown = map[string]string{
	"exec.python.local-packages":      "on a cluster it is what the image has: nothing is done for it",
	"exec.python.packages":            noIndex,
	"exec.python.index":               noIndex,
	"exec.python.venv":                noIndex,
	"exec.python.sdk":                 noIndex,
	"init-container":                  "this machine has no pods; Beside shows it, with a stand-in here",
	"timeout.claim":                   "on Argo it is the limit of any step",
	"host-aliases":                    "this machine has no pods; Patched shows it, with a stand-in here",
	"store":                           "the cluster has one store; test/oracle compares the places with those of Argo's examples",
	"import.data":                     "it is an import as any other; test/oracle compares the text with that of Argo's examples",
	"mutex.reference":                 "as mutex, whose name Argo replaces as it does that of a container",
	"semaphore":                       "as mutex, which Locked shows; this machine has it in a folder, and internal/target/argo shows the template",
	"semaphore.reference":             "as mutex.reference",
	"database-semaphore":              noDatabase,
	"database-semaphore.reference":    noDatabase,
	"pod-patch.container":             "this machine has no pods; Patched shows it, with a stand-in here",
	"always.loop":                     othersAlone,
	"always.claim":                    othersAlone,
	"always.before":                   othersAlone,
	"collected.one-of.artifact":       "on Argo it is as collected.one-of, which Sweep shows; KFP's servers get it wrong",
	"placeholder.if-present.artifact": "on Argo it is as placeholder.if-present.run, which Flagged shows; KFP's servers get it wrong",
	"each.placeholder":                "no program says it, only a file",
	"exec.container.image-command":    "Argo's controller asks the image's registry, and the images here are files",
	"retry.pipeline":                  "a pipeline whose first try fails and whose second doesn't needs a claim; internal/target/argo shows the template",
	"create-pvc.data-source":          "the cluster has no driver that makes claims of snapshots or of other claims",
}

// TestRows: each row of the table of features that Argo can do is shown by a
// pipeline that runs there, or there is a reason.
func TestRows(t *testing.T) {
	shown := map[string]string{}
	seen := map[string]bool{}
	for _, p := range pipelines {
		if seen[p.ref()] {
			continue
		}
		seen[p.ref()] = true
		for _, use := range uses(t, p) {
			shown[use] = p.name
		}
	}
	for _, row := range feature.Table {
		switch can, reason := row.Support[feature.Argo].OK, unshown[row.ID]; {
		case can && shown[row.ID] == "" && reason == "":
			t.Errorf("row %s (%s): Argo can do it, and no pipeline of the suite shows it; add one to test/k8s/suite, or a reason to rows_test.go", row.ID, row.Write)
		case reason != "" && (shown[row.ID] != "" || !can):
			t.Errorf("row %s: it needs no reason any more; %s shows it, or Argo can't do it", row.ID, shown[row.ID])
		}
	}
	if n := len(pipelines); n < 60 {
		t.Errorf("%d pipelines; there should be 60", n)
	}
}

// uses returns the rows that a pipeline uses.
func uses(t *testing.T, p pipeline) (ids []string) {
	t.Helper()
	pkg, name, _ := strings.Cut(p.ref(), "#")
	g := graphs[pkg]
	if g == nil {
		built, err := discover.Build(t.Context(), ".", pkg)
		if err != nil {
			t.Fatal(err)
		}
		if g, err = built.Graph(t.Context()); err != nil {
			t.Fatal(err)
		}
		graphs[pkg] = g
	}
	for _, c := range g.Components {
		if c.Var != name {
			continue
		}
		lowered, err := lower.Lower(g, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, use := range feature.Uses(lowered) {
			ids = append(ids, use.ID)
		}
		return ids
	}
	t.Fatalf("%s has no pipeline %s", pkg, name)
	return nil
}

// graphs are those of packages, by their folder.
var graphs = map[string]*graph.Graph{}
