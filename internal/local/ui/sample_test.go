package ui

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/local/scheduler"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

var keepHome = flag.String("keep", "", "a folder for the sample runs, for the browser test and to look at")

// evil is text of a user that must stay text.
const evil = `</pre></code></textarea></title><script>parent.pwned = top.pwned = 1; alert("1")</script><img src=x onerror="alert(2)"> & 'quoted' {{.}} javascript:alert(3)` + "\x1b]0;owned\x07\r\u202etxt\u2066\u009b2J\u200b\x7f"

// evilName is the name of a file that must stay text.
const evilName = `<img src=x onerror=alert(4)> "&#39;.txt`

var began = time.Date(2026, 11, 28, 3, 0, 0, 0, time.UTC)

// hostileFiles are what a step may leave.
var hostileFiles = map[string]string{
	"page/report.html": `<!doctype html><title>report</title><style>h1 { color: teal; font-family: sans-serif }</style><h1>Report</h1><p>Shown, but inert.</p>
<script>parent.pwned = 1; alert("html"); fetch("/")</script><img src=x onerror="parent.pwned = 1; alert(5)"><iframe src="/"></iframe><form action="/compare"><button>send</button></form><meta http-equiv="refresh" content="0; url=/">`,
	"drawing/curve.svg":      `<svg xmlns="http://www.w3.org/2000/svg" width="220" height="90" onload="alert('svg')"><script>parent.pwned = 1; alert("svg")</script><rect width="220" height="90" fill="teal"/><text x="20" y="50" fill="white">a drawing</text><foreignObject width="10" height="10"><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="alert(6)"/></body></foreignObject></svg>`,
	"notes/notes.md":         "# Notes\n\nText with **weight**, a [bad link](javascript:alert(7)) and a [good one](https://example.com).\n\n| run | accuracy |\n| --- | ---: |\n| 1 | 0.97 |\n\n<script>parent.pwned = 1; alert('md')</script>\n<img src=x onerror=alert(8)>\n\n![away](http://192.0.2.1/x.png)\n\n```go\nfmt.Println(\"<b>\")\n```\n",
	"table/rows.csv":         "name,value,formula\nalpha,1,=1+1\n<script>alert(9)</script>,\"<img src=x onerror=alert(10)>\",\"two\nlines\"\nbeta,2,x\n",
	"folder/" + evilName:     evil,
	"folder/deep/inner.json": `{"b":[1,2,{"c":"</script><script>alert(11)</script>"}],"a":1}`,
	"folder/data.bin":        "\x00\x01\x02binary\xff",
	"folder/log.txt":         "plain text\n",
}

type home struct {
	dir string
	t   *testing.T
}

func (h home) file(id, name string, content []byte) {
	h.t.Helper()
	path := filepath.Join(h.dir, "runs", id, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.t.Fatal(err)
	}
	part := path + ".part" // as the engine does: who reads sees all of it
	if err := os.WriteFile(part, content, 0o644); err != nil {
		h.t.Fatal(err)
	}
	if err := os.Rename(part, path); err != nil {
		h.t.Fatal(err)
	}
}

func (h home) uri(id, name string) string {
	return "file://" + filepath.ToSlash(filepath.Join(h.dir, "runs", id, "artifacts", name))
}

func (h home) record(r *run.Run) {
	h.t.Helper()
	r.Schema = run.Schema
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		h.t.Fatal(err)
	}
	h.file(r.ID, "run.json", b)
}

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // constants of these tests
	}
	return b
}

// hostile writes a run in which everything that a user can name is evil.
func (h home) hostile(id string) *run.Run {
	h.t.Helper()
	r := &run.Run{
		ID: id, Pipeline: "hostile", Title: "Hostile " + evil, State: run.Failed, Error: evil, Started: began, Ended: began.Add(42 * time.Second),
		Params: map[string]json.RawMessage{evil: raw(evil), "list": raw([]string{evil, "x"}), "short": raw("<b>bold</b>")}, Outputs: map[string]json.RawMessage{evil: raw(evil)},
		Source: &run.Source{Pipeline: "./" + evil, Dir: h.dir}, Schedule: evil,
	}
	t := &run.Task{
		Path: "step", Name: "step", Title: evil, Component: evil, Kind: "python", State: run.Failed, Reason: evil, Error: evil, Attempts: 2,
		Started: began, Ended: began.Add(40 * time.Second), Inputs: map[string]json.RawMessage{evil: raw(evil)}, Outputs: map[string]json.RawMessage{evil: raw(evil)},
		Logs: []string{"tasks/step/log.1", "tasks/step/log.2"}, Writes: map[string][]run.Artifact{},
	}
	for name, content := range hostileFiles {
		h.file(id, "artifacts/step/"+name, []byte(content))
		port, _, _ := strings.Cut(name, "/")
		t.Writes[port] = []run.Artifact{{Name: evil, Type: "system.Artifact", URI: h.uri(id, "step/"+port), Metadata: map[string]any{evil: evil}}}
	}
	for port, uri := range map[string]string{
		evil: "javascript:alert(12)", "outside": "file:///etc/passwd", "up": h.uri(id, "../../../schedules"), "away": "s3://bucket/" + evil, "gone": h.uri(id, "step/gone"), "picture": h.uri(id, "step/picture.png"),
	} {
		t.Writes[port] = []run.Artifact{{Type: evil, URI: uri}}
	}
	img := image.NewRGBA(image.Rect(0, 0, 160, 90))
	for x := range 160 {
		for y := range 90 {
			img.Set(x, y, color.RGBA{uint8(x), uint8(y * 2), 160, 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		h.t.Fatal(err)
	}
	h.file(id, "artifacts/step/picture.png", b.Bytes())
	h.file(id, "tasks/step/log.1", []byte("first attempt\n"+evil+"\n"))
	var log strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&log, "line %d \x1b[31mred\x1b[0m\n", i)
	}
	h.file(id, "tasks/step/log.2", []byte(log.String()+evil+"\n"))
	folder := filepath.Join(h.dir, "runs", id, "artifacts", "step", "folder")
	os.Symlink("/etc/passwd", filepath.Join(folder, "passwd.txt"))
	os.Symlink("/etc", filepath.Join(folder, "etc"))
	os.Symlink("log.txt", filepath.Join(folder, "inside.txt"))
	if err := exec.Command("mkfifo", filepath.Join(folder, "pipe.txt")).Run(); err != nil {
		h.t.Fatal(err)
	}
	r.Tasks = []*run.Task{t, {Path: "reader", Name: "reader", Component: "reader", Kind: "go", State: run.Skipped, Reason: "step failed", Reads: map[string][]run.Artifact{"in": t.Writes["table"]}}}
	h.record(r)
	return r
}

// results writes a run with metrics, a confusion matrix and a curve.
func (h home) results(id string, accuracy float64, at time.Time) {
	h.t.Helper()
	n := int(accuracy * 100)
	matrix := map[string]any{"annotationSpecs": []any{map[string]any{"displayName": "cat"}, map[string]any{"displayName": "dog"}},
		"rows": []any{map[string]any{"row": []int{n, 100 - n}}, map[string]any{"row": []int{90 - n/2, 10 + n/2}}}}
	var points []any
	for i := range 11 {
		x := float64(i) / 10
		points = append(points, map[string]any{"confidenceThreshold": 1 - x, "falsePositiveRate": x, "recall": 1 - (1-x)*(1-x)*(2-accuracy)})
	}
	data := run.Artifact{Type: "system.Dataset", URI: h.uri(id, "load/data"), Metadata: map[string]any{"rows": 3}}
	model := run.Artifact{Type: "system.Model", URI: h.uri(id, "train/model"), Metadata: map[string]any{"framework": "none"}}
	h.file(id, "artifacts/load/data/rows.csv", []byte("a,b\n1,2\n3,4\n"))
	h.file(id, "artifacts/train/model", []byte("weights\n"))
	h.file(id, "tasks/train/log.1", []byte("epoch 1\nepoch 2\n"))
	task := func(path string, from, to float64) *run.Task {
		return &run.Task{Path: path, Name: path, Component: path, Kind: "go", State: run.Succeeded, Attempts: 1, Started: at.Add(time.Duration(from) * time.Second), Ended: at.Add(time.Duration(to) * time.Second)}
	}
	load, train, evaluate := task("load", 0, 2), task("train", 2, 30), task("evaluate", 30, 33)
	load.Writes = map[string][]run.Artifact{"data": {data}}
	train.Reads, train.Writes, train.Logs = load.Writes, map[string][]run.Artifact{"model": {model}}, []string{"tasks/train/log.1"}
	train.Inputs = map[string]json.RawMessage{"rate": raw(accuracy / 10), "epochs": raw(2)}
	evaluate.Reads = map[string][]run.Artifact{"data": {data}, "model": {model}}
	evaluate.Outputs = map[string]json.RawMessage{"accuracy": raw(accuracy)}
	evaluate.Writes = map[string][]run.Artifact{
		"metrics": {{Type: "system.Metrics", URI: h.uri(id, "evaluate/metrics"), Metadata: map[string]any{"accuracy": accuracy, "loss": 1 - accuracy, "images": 1000}}},
		"classes": {{Type: "system.ClassificationMetrics", URI: h.uri(id, "evaluate/classes"), Metadata: map[string]any{"confusionMatrix": matrix, "confidenceMetrics": points}}},
		"slices": {{Type: "system.SlicedClassificationMetrics", URI: h.uri(id, "evaluate/slices"), Metadata: map[string]any{"evaluationSlices": []any{
			map[string]any{"slice": "night", "sliceClassificationMetrics": map[string]any{"confusionMatrix": matrix}}}}}},
	}
	h.record(&run.Run{ID: id, Pipeline: "pets", State: run.Succeeded, Source: &run.Source{Pipeline: "./pets", Dir: h.dir}, Started: at, Ended: at.Add(33 * time.Second),
		Params:  map[string]json.RawMessage{"rate": raw(accuracy / 10), "epochs": raw(2), "source": raw("https://example.com/pets")},
		Outputs: map[string]json.RawMessage{"accuracy": raw(accuracy)}, Tasks: []*run.Task{load, train, evaluate}})
	h.file(id, "program.json", []byte(pets))
}

// pets is the program of results.
const pets = `{"name":"pets","main":"pets","components":[
{"name":"pets","inputs":[{"name":"rate","type":{"name":"NUMBER_DOUBLE"},"doc":"how fast it learns"},{"name":"epochs","type":{"name":"NUMBER_INTEGER"},"default":2},{"name":"source","type":{"name":"STRING"}}],"dag":{"kind":"pipeline","tasks":[
{"name":"load","component":"load"},{"name":"train","component":"train","after":["load"]},{"name":"evaluate","component":"evaluate","after":["load","train"]}]}},
{"name":"load","exec":{"go":{"name":"load"}}},{"name":"train","exec":{"go":{"name":"train"}}},{"name":"evaluate","exec":{"go":{"name":"evaluate"}}}]}`

// schedules stores two schedules, one of them paused, with fires.
func (h home) schedules() {
	h.t.Helper()
	st, err := scheduler.Open(h.dir)
	if err != nil {
		h.t.Fatal(err)
	}
	defer st.Close()
	args := map[string]program.Value{
		"rate": {Kind: program.Const, Type: graph.Type{Name: "NUMBER_DOUBLE"}, Const: raw(0.1)}, "source": {Kind: program.Const, Type: graph.Type{Name: "STRING"}, Const: raw(evil)},
	}
	for _, s := range []*program.Schedule{
		{Name: "nightly", Cron: "0 3 * * *", Zone: "Europe/Berlin", Args: args},
		{Name: "often", Every: 90 * time.Minute, Args: args},
		{Name: "asleep", Cron: "30 6 * * 1", Paused: true, Args: args},
	} {
		if _, err := st.Apply(h.t.Context(), scheduler.Spec{Schedule: s, Pipeline: "pets", Source: "./pets#" + evil, Program: json.RawMessage(pets)}, began); err != nil {
			h.t.Fatal(err)
		}
	}
	if _, err := st.Enqueue(h.t.Context(), "nightly", scheduler.Triggered, []time.Time{began}); err != nil {
		h.t.Fatal(err)
	}
}

// The ids of the sample.
const (
	hostileRun = "hostile-20261128T030000-0001"
	petsRun    = "pets-20261128T020000-0001"
	petsRun2   = "pets-20261128T023000-0002"
	goneRun    = "gone-20261127T030000-0001"
)

// sample writes a home folder.
func sample(t *testing.T, dir string) home {
	t.Helper()
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	h := home{dir, t}
	h.hostile(hostileRun)
	h.results(petsRun, 0.81, began.Add(-time.Hour))
	h.results(petsRun2, 0.93, began.Add(-30*time.Minute))
	h.record(&run.Run{ID: goneRun, Pipeline: "gone", State: run.Running, Started: began.Add(-24 * time.Hour), Tasks: []*run.Task{
		{Path: "step", Name: "step", Kind: "go", State: run.Running, Started: began.Add(-24 * time.Hour)}}})
	h.file(goneRun, "lock", nil)
	h.schedules()
	h.file("broken-1", "run.json", []byte(`{"schema": 1, "pipeline": `))
	h.file("later-1", "run.json", []byte(`{"schema": 99, "id": "later-1", "pipeline": "later", "tasks": []}`))
	h.file("empty-1", "other.txt", []byte("no run"))
	return h
}

// TestSample writes the sample where -keep says: go test -run Sample -keep DIR.
func TestSample(t *testing.T) {
	dir := *keepHome
	if dir == "" {
		dir = t.TempDir()
	}
	h := sample(t, dir)
	v := visit(t, Options{Home: h.dir})
	if page := v.get("/"); strings.Count(page, `<input type="checkbox" name="run"`) != 6 {
		t.Errorf("the list has not the 6 runs:\n%s", page)
	}
}
