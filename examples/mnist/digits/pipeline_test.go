package digits

import (
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/local"
)

// TestMain is also the program of the steps, which are processes of their own.
func TestMain(m *testing.M) {
	pause = time.Millisecond
	if os.Getenv("MNIST_SMALL") != "" {
		mnistFiles = manifest("", small(600, 200)).Files
	}
	dsl.Init(Pipeline, emptied)
	os.Exit(m.Run())
}

func TestDefinition(t *testing.T) {
	if err := Nightly.Check(); err != nil {
		t.Error(err)
	}
}

// A result is the tasks of a run by their names.
type result map[string]local.Task

func start[In, Out any](t *testing.T, p *dsl.Component[In, Out], in In) (result, error) {
	t.Helper()
	r, err := local.Run(t.Context(), p, in, local.Options{Home: t.TempDir()})
	if r == nil {
		t.Fatal(err)
	}
	byName := result{}
	for _, task := range r.Tasks {
		byName[path.Base(task.Path)] = task
	}
	if left, _ := filepath.Glob(filepath.Join(r.Dir, "volumes", "mnist-data*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	return byName, err
}

func (r result) states(t *testing.T, state string, names ...string) {
	t.Helper()
	for _, name := range names {
		if got := r[name].State; got != state {
			t.Errorf("%s is %q, want %q: %s", name, got, state, r[name].Error)
		}
	}
}

func (r result) number(t *testing.T, task, output string) (n float64) {
	t.Helper()
	if err := json.Unmarshal(r[task].Outputs[output], &n); err != nil {
		t.Errorf("%s of %s: %v", output, task, err)
	}
	return n
}

var (
	always = []string{"download", "train-go", "evaluate", "report", "deletepvc"}
	serves = []string{"model-claim", "publish", "serve", "expose", "query"}
)

// TestPipeline runs all of the pipeline on a small data set.
func TestPipeline(t *testing.T) {
	in := smallPipeline(t)
	t.Run("serves", func(t *testing.T) {
		r, err := start(t, Pipeline, in)
		if err != nil {
			t.Fatal(err)
		}
		r.states(t, "SUCCEEDED", append(always, serves...)...)
		if a := r.number(t, "evaluate", "accuracy"); a != 1 {
			t.Errorf("accuracy %v", a)
		}
		if a := r.number(t, "query", "accuracy"); a != 1 {
			t.Errorf("served accuracy %v", a)
		}
		if p50, p99 := r.number(t, "query", "p50_ms"), r.number(t, "query", "p99_ms"); p50 <= 0 || p99 < p50 {
			t.Errorf("latencies %v and %v", p50, p99)
		}
	})
	t.Run("threshold", func(t *testing.T) {
		in := in
		in.Threshold = dsl.Const(1.01)
		r, err := start(t, Pipeline, in)
		if err != nil {
			t.Fatal(err)
		}
		r.states(t, "SUCCEEDED", always...)
		r.notServed(t)
	})
	t.Run("source", func(t *testing.T) {
		in := in
		in.Source = dsl.Const(t.TempDir())
		r, err := start(t, Pipeline, in)
		if err == nil || !strings.Contains(r["download"].Error, "no such file") {
			t.Errorf("got %v, %q", err, r["download"].Error)
		}
		r.states(t, "SUCCEEDED", "report", "deletepvc")
	})
}

// notServed checks that nothing was served.
func (r result) notServed(t *testing.T) {
	t.Helper()
	for _, name := range serves {
		if s := r[name].State; s != "" && s != "SKIPPED" {
			t.Errorf("%s is %s", name, s)
		}
	}
}

// smallPipeline returns the arguments of a run on a small data set.
func smallPipeline(t *testing.T) PipelineIn {
	t.Helper()
	t.Setenv("MNIST_SMALL", "1")
	return PipelineIn{
		Source: dsl.Const("file://" + packed(t, small(600, 200))),
		Sweep: dsl.Const([]Config{
			{Epochs: dsl.Const(5), Rate: dsl.Const(0.5)},
			{Epochs: dsl.Const(1), Rate: dsl.Const(1e-9)},
		}),
	}
}

type emptyIn struct{ Data dsl.Dataset }

// emptyVolume removes what the download put into the volume.
var emptyVolume = dsl.Func("empty-volume", func(context.Context, emptyIn, *dsl.None) error {
	for _, f := range mnistFiles {
		if err := os.Remove(filepath.Join(dsl.MountPath(dataPath), f.Name)); err != nil {
			return err
		}
	}
	return nil
})

// emptied is the first half of [Pipeline], with a volume that is emptied before
// the training.
var emptied = dsl.Pipeline("emptied", func(s *dsl.Scope, in PipelineIn) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		Report.Call(s, ReportIn{Status: status})
		k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: in.Volume})
	})
	volume := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Name: in.Volume, Size: dsl.Const("1Gi")})
	mount := k8s.MountPVC(volume.Out.Name, dataPath)
	data := Download.Call(s, DownloadIn{Source: in.Source}, mount).Out.Data
	empty := emptyVolume.Call(s, emptyIn{Data: data}, mount)
	train := TrainIn{Data: data, Epochs: dsl.Const(1), Rate: dsl.Const(0.1)}
	TrainGo.Call(s, train, mount, dsl.After(empty))
	return dsl.None{}
}).Defaults(PipelineIn{Sweep: dsl.Const([]Config{{Epochs: dsl.Const(1), Rate: dsl.Const(0.1)}})})

// TestEmptied shows that a training has its data from the volume alone, and that
// the volume is deleted when it fails.
func TestEmptied(t *testing.T) {
	r, err := start(t, emptied, smallPipeline(t))
	if want := "the data volume has no " + trainImages; err == nil || !strings.Contains(r["train-go"].Error, want) {
		t.Errorf("got %v, %q, want %q", err, r["train-go"].Error, want)
	}
	r.states(t, "SUCCEEDED", "download", "empty-volume", "report", "deletepvc")
	r.states(t, "FAILED", "train-go")
}

// TestReal runs the pipeline on the real data: with the true labels, and as a
// control with shuffled ones, from which nothing can be learned.
func TestReal(t *testing.T) {
	dir := os.Getenv("KFPGO_MNIST")
	if dir == "" {
		t.Skip("KFPGO_MNIST is not set to a folder with the files of MNIST; make test sets it")
	}
	in := PipelineIn{
		Source:    dsl.Const("file://" + dir),
		Sweep:     dsl.Const([]Config{{Epochs: dsl.Const(1), Rate: dsl.Const(0.2)}}),
		Threshold: dsl.Const(0.9),
	}
	t.Run("true", func(t *testing.T) {
		r, err := start(t, Pipeline, in)
		if err != nil {
			t.Fatal(err)
		}
		r.states(t, "SUCCEEDED", append(always, serves...)...)
		if a, served := r.number(t, "evaluate", "accuracy"), r.number(t, "query", "accuracy"); a < 0.94 || served < 0.9 {
			t.Errorf("accuracy %v, served %v", a, served)
		}
	})
	t.Run("shuffled", func(t *testing.T) {
		in := in
		in.ShuffleLabels = dsl.Const(true)
		r, err := start(t, Pipeline, in)
		if err != nil {
			t.Fatal(err)
		}
		r.states(t, "SUCCEEDED", always...)
		if a := r.number(t, "evaluate", "accuracy"); a >= 0.3 {
			t.Errorf("accuracy %v", a)
		}
		r.notServed(t)
	})
}
