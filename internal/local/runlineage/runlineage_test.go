package runlineage_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/internal/local/runlineage"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

func write(t *testing.T, home string, r *run.Run) {
	t.Helper()
	r.Schema, r.State = run.Schema, run.Succeeded
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(home, "runs", r.ID)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "run.json"), b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func arts(uris ...string) map[string][]run.Artifact {
	as := make([]run.Artifact, len(uris))
	for i, u := range uris {
		as[i] = run.Artifact{Type: "system.Dataset", URI: u}
	}
	return map[string][]run.Artifact{"x": as}
}

// The iterations of a loop of steps record their items only; what else they read
// is in the record of the loop, which itself is no step.
func TestLoopOfSteps(t *testing.T) {
	home, zero := t.TempDir(), 0
	write(t, home, &run.Run{ID: "r-1", Tasks: []*run.Task{
		{Path: "each", Kind: "go", State: run.Succeeded, Reads: arts("file:///shared"), Writes: arts("file:///a")},
		{Path: "each/0", Kind: "go", State: run.Succeeded, Iteration: &zero, Reads: map[string][]run.Artifact{"item": {{URI: "file:///item"}}}, Writes: arts("file:///a")},
		{Path: "skipped", Kind: "go", State: run.Skipped, Reads: arts("file:///shared")},
	}})
	s := runlineage.Store{Home: home}
	tr, err := s.Lineage(t.Context(), "file:///a")
	if err != nil {
		t.Fatal(err)
	}
	id := lineage.URIID
	want := "x (system.Dataset) " + id("file:///a") + "\n└─ made by r-1/each/0, SUCCEEDED\n   ├─ from item " + id("file:///item") + "\n   └─ from x (system.Dataset) " + id("file:///shared") + "\n"
	if got := tr.Tree(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Where the run that made an artifact is gone, those that took it from the cache say
// what it was made from.
func TestMakerGone(t *testing.T) {
	home, at := t.TempDir(), time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)
	for i, id := range []string{"b", "a"} {
		write(t, home, &run.Run{ID: id, Tasks: []*run.Task{{Path: "t", Kind: "go", State: run.Cached, Started: at.Add(time.Duration(i) * time.Hour), Reads: arts("file:///in"), Writes: map[string][]run.Artifact{"y": {{URI: "file:///out"}}}}}})
	}
	tr, err := runlineage.Store{Home: home}.Lineage(t.Context(), "a/t/y")
	if err != nil {
		t.Fatal(err)
	}
	if got := tr.Tree(); strings.Count(got, "taken from the cache by ") != 2 || strings.Count(got, "from x (system.Dataset)") != 2 {
		t.Errorf("got\n%s", got)
	}
	if tr.Artifact.Run != "b" {
		t.Errorf("the artifact is of run %s; b took it first", tr.Artifact.Run)
	}
}

func TestMistakes(t *testing.T) {
	home := t.TempDir()
	s := runlineage.Store{Home: home}
	write(t, home, &run.Run{ID: "r", Tasks: []*run.Task{
		{Path: "i", Kind: "importer", State: run.Succeeded, Writes: arts("gs://b/o")},
		{Path: "j", Kind: "importer", State: run.Succeeded, Writes: arts("gs://b/p")},
	}})
	if err := os.MkdirAll(filepath.Join(home, "runs", "begins"), 0o755); err != nil {
		t.Fatal(err)
	}
	tr, err := s.Lineage(t.Context(), "gs://b/o")
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range s.Files(t.Context(), tr.Artifact) {
		if err == nil || !strings.Contains(err.Error(), "gs://b/o is not on this machine") {
			t.Errorf("got %v", err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "runs", "begins", "run.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	g, err := s.Artifacts(t.Context(), lineage.Query{})
	if err != nil || len(g.Artifacts) != 2 || len(g.Missing) != 1 || !strings.Contains(g.Missing[0], "run begins: ") || !strings.Contains(g.Missing[0], "run.json") {
		t.Errorf("a broken record: %+v %v", g, err)
	}
	tr, err = s.Lineage(t.Context(), "gs://b/o")
	if err != nil || len(tr.Missing) != 1 || !strings.Contains(tr.Missing[0], "run begins: ") {
		t.Errorf("a broken record beside it: %+v %v", tr, err)
	}
}

// TestLinks: a link that a step left is followed within its run, and refused where it
// leads out; what the user has named is followed.
func TestLinks(t *testing.T) {
	home, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	folder := filepath.Join(home, "runs", "r-1")
	if err := os.MkdirAll(filepath.Join(folder, "artifacts"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{outside, filepath.Join(folder, "artifacts", "real")} {
		if err := os.WriteFile(file, []byte("content"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	named := filepath.Join(t.TempDir(), "current")
	for link, to := range map[string]string{
		filepath.Join(folder, "artifacts", "out"): outside, filepath.Join(folder, "artifacts", "in"): "real", filepath.Join(folder, "artifacts", "dir"): filepath.Dir(outside), named: outside,
		filepath.Join(folder, "artifacts", "gone"): filepath.Join(folder, "nothing"),
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ file, want string }{
		{filepath.Join(folder, "artifacts", "out"), outside}, {filepath.Join(folder, "artifacts", "dir"), filepath.Dir(outside)}, {filepath.Join(folder, "artifacts", "dir", "secret"), outside},
		{filepath.Join(folder, "artifacts", "real"), ""}, {filepath.Join(folder, "artifacts", "in"), ""}, {named, ""}, {filepath.Join(folder, "artifacts", "gone"), filepath.Join(folder, "nothing") + ", where nothing is"}, {filepath.Join(folder, "artifacts", "never"), lineage.ErrNothing.Error()},
	} {
		var b strings.Builder
		err := lineage.Print(t.Context(), runlineage.Store{Home: home}.Files(t.Context(), &lineage.Artifact{URI: "file://" + tt.file}), &b)
		switch {
		case tt.want == "" && (err != nil || b.String() != "content"):
			t.Errorf("%s: %q, %v", tt.file, &b, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want) || b.Len() > 0):
			t.Errorf("%s: %q, %v, want an error with %q", tt.file, &b, err, tt.want)
		}
	}
}
