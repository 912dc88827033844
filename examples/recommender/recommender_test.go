package recommender

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/compiler/argo"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/local"
)

// start runs the pipeline, with all that it leaves in a folder of the test.
func start(t *testing.T, in PipelineIn) (*local.Result[PipelineOut], error) {
	t.Helper()
	r, err := local.Run(t.Context(), Pipeline, in, local.Options{Home: t.TempDir()})
	if r == nil {
		t.Fatal(err)
	}
	return r, err
}

// read returns a file that a task made.
func read(t *testing.T, dir, artifact string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "artifacts", filepath.FromSlash(artifact)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestPipeline beats the baseline, and recommends books that are new to a reader.
func TestPipeline(t *testing.T) {
	r, err := start(t, PipelineIn{})
	if err != nil {
		t.Fatal(err)
	}
	out, known := r.Out, map[string]bool{}
	if out.RMSE.Get() > 0.85 || out.Baseline.Get() < 0.9 || out.Improvement.Get() < 0.15 {
		t.Errorf("RMSE %v, baseline %v, improvement %v", out.RMSE.Get(), out.Baseline.Get(), out.Improvement.Get())
	}
	for line := range strings.Lines(read(t, r.Dir, "prepare/train")) {
		row := strings.Split(line, ",")
		known[row[0]+","+row[1]] = true
	}
	rows, err := csv.NewReader(strings.NewReader(read(t, r.Dir, "condition-2/recommend/recommendations"))).ReadAll()
	if err != nil || len(rows) != 1+3*300 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		if known[row[0]+","+row[1]] {
			t.Errorf("%s has read %s", row[0], row[1])
		}
	}
	if page := read(t, r.Dir, "condition-2/recommend/page"); strings.Count(page, "## r") != 5 || strings.Count(page, "\n- ") != 15 {
		t.Errorf("the page is\n%s", page)
	}
	again, err := start(t, PipelineIn{})
	if err != nil || again.Out.RMSE.Get() != out.RMSE.Get() {
		t.Errorf("the same seed gives %v and %v, %v", out.RMSE.Get(), again.Out.RMSE.Get(), err)
	}
}

// TestThreshold recommends nothing by a model that isn't good enough.
func TestThreshold(t *testing.T) {
	r, err := start(t, PipelineIn{Improvement: dsl.Const(0.9), Factors: dsl.Const([]int{1})})
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range r.Tasks {
		if strings.HasPrefix(task.Path, "condition-2") && task.State != "SKIPPED" {
			t.Errorf("%s is %s", task.Path, task.State)
		}
	}
}

type shuffleIn struct{ Ratings dsl.Dataset }

type shuffleOut struct{ Ratings dsl.Dataset }

// shuffle gives each rating the stars of another one.
var shuffle = dsl.Func("shuffle", func(_ context.Context, in shuffleIn, out *shuffleOut) error {
	b, err := os.ReadFile(in.Ratings.Path())
	if err != nil {
		return err
	}
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		return err
	}
	head, rows := rows[0], rows[1:]
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(rows), func(i, j int) { rows[i][2], rows[j][2] = rows[j][2], rows[i][2] })
	f, err := out.Ratings.Create()
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	return errors.Join(w.Write(head), w.WriteAll(rows), f.Close())
})

// shuffled is [Pipeline] without the choice of a model, on shuffled stars.
var shuffled = dsl.Pipeline("shuffled", func(s *dsl.Scope, in PipelineIn) PipelineOut {
	collected := Collect.Call(s, CollectIn{Readers: in.Readers, Seed: in.Seed}).Out
	ratings := shuffle.Call(s, shuffleIn{Ratings: collected.Ratings}).Out.Ratings
	data := Prepare.Call(s, PrepareIn{Ratings: ratings, Books: collected.Books}).Out
	features := Features.Call(s, FeaturesIn{Train: data.Train, Books: collected.Books}).Out.Features
	model := Train.Call(s, TrainIn{Train: data.Train, Validation: data.Validation, Features: features, Factors: dsl.Const(3)}).Out.Model
	result := Evaluate.Call(s, EvaluateIn{Test: data.Test, Features: features, Model: model}).Out
	return PipelineOut{RMSE: result.RMSE, Baseline: result.Baseline, Improvement: result.Improvement}
}).Defaults(PipelineIn{Factors: dsl.Const([]int{3})})

// TestShuffled is the control: where there is nothing to learn, nothing is learned.
func TestShuffled(t *testing.T) {
	r, err := local.Run(t.Context(), shuffled, PipelineIn{}, local.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Out.Improvement.Get(); got > 0.02 {
		t.Errorf("an improvement of %v by nothing", got)
	}
}

// TestMistakes says what is wrong with the inputs.
func TestMistakes(t *testing.T) {
	for want, in := range map[string]PipelineIn{
		"0 readers; 1 to 100000 will do": {Readers: dsl.Const(0)},
		"0 factors; 1 to 100 will do":    {Factors: dsl.Const([]int{0})},
		"0 models and 0 errors":          {Factors: dsl.Const([]int{})},
	} {
		_, err := start(t, in)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestCompile compiles for both targets.
func TestCompile(t *testing.T) {
	for target, want := range map[compiler.Target][]string{
		compiler.KFP:  {"schemaVersion:", "name: recommender", "exec-features", "parameterIterator"},
		argo.Workflow: {"kind: Workflow", "name: features", "withParam"},
	} {
		b, err := compiler.Compile(Pipeline, target, compiler.Image("example.com/recommender:1"))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(string(b), text) {
				t.Errorf("%s has no %q", target, text)
			}
		}
	}
}
