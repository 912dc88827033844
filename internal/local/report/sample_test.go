package report

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/host/usage"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

var keep = flag.String("keep", "", "a folder for the sample run, for the browser test and to look at")

// hostile is text of a user that must stay text.
const hostile = `</pre><script>alert("1")</script><img src=x onerror=alert(2)> & 'quoted' {{.}} javascript:alert(3)`

var start = time.Date(2026, 11, 28, 3, 0, 0, 0, time.UTC)

// A sampleRun is a run under construction.
type sampleRun struct {
	dir string
	run *run.Run
}

// task adds a task that ran from second from to second to, and writes its log.
func (s *sampleRun) task(path, kind string, state run.State, from, to float64, log string) *run.Task {
	t := &run.Task{Path: path, Name: path[strings.LastIndex(path, "/")+1:], Kind: kind, State: state}
	t.Component = t.Name
	if state != run.Skipped && state != run.Pending {
		t.Started = start.Add(time.Duration(from * float64(time.Second)))
		t.Attempts = 1
	}
	if state.Done() {
		t.Ended = start.Add(time.Duration(to * float64(time.Second)))
	}
	if log != "" {
		name := "tasks/" + path + "/log.1"
		t.Logs = []string{name}
		file := filepath.Join(s.dir, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(file), 0o755)
		os.WriteFile(file, []byte(log), 0o644)
	}
	s.run.Tasks = append(s.run.Tasks, t)
	return t
}

func (s *sampleRun) uri(path string) string {
	abs, _ := filepath.Abs(s.dir)
	return "file://" + filepath.ToSlash(abs) + "/artifacts/" + path
}

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // constants of these tests
	}
	return b
}

// rows is a 10x10 confusion matrix in which each number is another.
func rows() [][]int {
	all := make([][]int, 10)
	for i := range all {
		all[i] = make([]int, 10)
		for j := range all[i] {
			if all[i][j] = (i*7 + j*3) % 17; i == j {
				all[i][j] = 900 + 10*i
			}
		}
	}
	return all
}

// sample writes a run with a task in each state, iterations, a matrix and a
// curve into dir.
func sample(t *testing.T, dir string) *run.Run {
	t.Helper()
	s := &sampleRun{dir: dir, run: &run.Run{
		Schema: 1, ID: "mnist-20261128T030000Z-1a2b", Pipeline: "mnist", State: run.Failed, Started: start, Ended: start.Add(83 * time.Second),
		Error: "1 of 14 tasks failed: query",
		Params: map[string]json.RawMessage{"source": raw("https://example.com/mnist"), "threshold": raw(0.95), "empty": raw(""),
			"sweep": raw([]map[string]any{{"epochs": 6, "rate": 0.05}, {"epochs": 6, "rate": 0.2}, {"epochs": 12, "rate": 0.1}}), "trainer": raw("go"),
			"shuffle_labels": raw(false), "note": raw(hostile)},
		Outputs: map[string]json.RawMessage{"accuracy": raw(0.9712)},
	}}
	const g, c2 = "exit-handler-1/", "exit-handler-1/condition-branches-2/"
	s.task("exit-handler-1", "guarded", run.Failed, 0, 80, "")
	s.task(g+"createpvc", "resource", run.Succeeded, 0, 0.02, "made folder volumes/mnist-data\n").StandIn = true
	d := s.task(g+"download", "go", run.Cached, 0.1, 0.2, "")
	d.Writes = map[string][]run.Artifact{"data": {{Name: "data", Type: "system.Dataset", URI: s.uri(g + "download/data"), Metadata: map[string]any{"files": 4, "sha256": "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"}}}}
	s.task(c2[:len(c2)-1], "branches", run.Succeeded, 0.3, 61, "")
	s.task(c2+"condition-4", "condition", run.Skipped, 0, 0, "").Reason = `its condition is false: trainer is "go"`
	s.task(c2+"condition-4/for-loop-3", "loop", run.Skipped, 0, 0, "").Reason = "condition-4 was skipped"
	s.task(c2+"condition-4/pick", "go", run.Skipped, 0, 0, "").Reason = "condition-4 was skipped"
	s.task(c2+"condition-5", "condition", run.Succeeded, 0.3, 61, "")
	loop := c2 + "condition-5/for-loop-6"
	s.task(loop, "loop", run.Succeeded, 0.3, 60, "")
	for i := range 3 {
		at := fmt.Sprintf("%s/%d", loop, i)
		from, to := float64(i)*20+0.3, float64(i)*20+19.5
		s.task(at, "loop", run.Succeeded, from, to, "").Iteration = &i
		var log strings.Builder
		for epoch := range 150 {
			fmt.Fprintf(&log, "epoch %d: loss %.4f \x1b[32mok\x1b[0m\n", epoch+1, 1/float64(epoch+1))
		}
		train := s.task(at+"/train-go", "go", run.Succeeded, from, to, log.String())
		train.Inputs = map[string]json.RawMessage{"epochs": raw(6), "rate": raw(0.05 * float64(i+1))}
		train.Outputs = map[string]json.RawMessage{"accuracy": raw(0.95 + float64(i)/100)}
		train.Writes = map[string][]run.Artifact{
			"model": {{Name: "model", Type: "system.Model", URI: s.uri(at + "/train-go/model"), Metadata: map[string]any{"framework": "gonum"}}},
		}
	}
	s.task(c2+"condition-5/pick-2", "go", run.Succeeded, 60, 61, "best: 2\n").Outputs = map[string]json.RawMessage{"accuracy": raw(0.97)}
	specs, matrix := []any{}, []any{}
	for i, row := range rows() {
		specs = append(specs, map[string]any{"displayName": fmt.Sprint(i)})
		matrix = append(matrix, map[string]any{"row": row})
	}
	var points []any
	for i := range 21 {
		x := float64(i) / 20
		points = append(points, map[string]any{"confidenceThreshold": 1 - x, "falsePositiveRate": x * x, "recall": 1 - (1-x)*(1-x)*(1-x)*(1-x)})
	}
	e := s.task(g+"evaluate", "go", run.Succeeded, 61, 63.5, "accuracy 0.9712 on 10000 test images\n")
	e.Outputs = map[string]json.RawMessage{"accuracy": raw(0.9712)}
	e.Usage = &usage.Samples{
		Interval: 0.5, CPUs: []float64{0.2, 1.9, 1.8, 1.9, 0.4}, Memory: []int64{90 << 20, 400 << 20, 420 << 20, 420 << 20, 210 << 20},
		GPU: []float64{0, 0.6, 0.9, 0.8, 0}, GPUMemory: []int64{0, 3 << 30, 3 << 30, 3 << 30, 3 << 30},
	}
	e.Writes = map[string][]run.Artifact{
		"confusion": {{Type: "system.ClassificationMetrics", URI: s.uri(g + "evaluate/confusion"), Metadata: map[string]any{
			"confusionMatrix": map[string]any{"annotationSpecs": specs, "rows": matrix}, "confidenceMetrics": points}}},
		"metrics": {{Type: "system.Metrics", URI: s.uri(g + "evaluate/metrics"), Metadata: map[string]any{"accuracy": 0.9712, "images": 10000}}},
	}
	serve := g + "condition-7/"
	s.task(serve[:len(serve)-1], "condition", run.Failed, 63.5, 80, "")
	s.task(serve+"model-claim", "resource", run.Succeeded, 63.5, 63.6, "").StandIn = true
	s.task(serve+"publish", "go", run.Succeeded, 63.6, 64, "")
	s.task(serve+"serve", "resource", run.Succeeded, 64, 66, "serving on port 8501\n")
	s.task(serve+"expose", "resource", run.Cancelled, 66, 67, "").Reason = "the run was interrupted"
	q := s.task(serve+"query", "go", run.Failed, 67, 80, "asking\n"+hostile+"\n")
	q.Error, q.Attempts, q.Inputs = "exit status 1: "+hostile, 3, map[string]json.RawMessage{"text": raw(hostile), hostile: raw(1)}
	q.Title = "Query <b>the</b> server"
	s.task("report", "go", run.Running, 80, 0, "")
	s.task("deletepvc", "resource", run.Pending, 0, 0, "").Reason = "waits for report"
	program, err := os.ReadFile("testdata/program.json")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "program.json"), program)
	write(t, filepath.Join(dir, "run.json"), raw(s.run))
	return s.run
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestSample writes the sample where -keep says: go test -run Sample -keep DIR.
func TestSample(t *testing.T) {
	dir := *keep
	if dir == "" {
		dir = t.TempDir()
	}
	sample(t, dir)
	if err := Write(dir); err != nil {
		t.Fatal(err)
	}
}
