package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain is also a kfpgo that does nothing but leave the record of a run.
func TestMain(m *testing.M) {
	record := os.Getenv("DEMO_RECORD")
	if record == "" {
		os.Exit(m.Run())
	}
	if os.Args[1] != "run" {
		return
	}
	dir := filepath.Join(os.Getenv("KFPGO_HOME"), "runs", "mnist-20260102T030405-abcd")
	if os.MkdirAll(dir, 0o755) != nil || os.WriteFile(filepath.Join(dir, "run.json"), []byte(record), 0o644) != nil {
		os.Exit(1)
	}
}

// data returns a folder with the labels 7, 2, 1 and 0 of test images.
func data(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte{0, 0, 8, 1, 0, 0, 0, 4, 7, 2, 1, 0})
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "t10k-labels-idx1-ubyte.gz"), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

const record = `{"tasks":[
	{"path":"a/0/train-go","component":"train-go","state":"SUCCEEDED","outputs":{"device":"CPU"}},
	{"path":"a/evaluate","component":"evaluate","outputs":{"accuracy":0.750},"writes":{"predictions":[{"uri":"file://PREDICTIONS"}]}},
	{"path":"a/query","component":"query","outputs":{"accuracy":0.985,"p50_ms":0.150,"p99_ms":1e0}}]}`

const predictions = "image,label,predicted\n0,7,7\n1,2,2\n2,1,1\n3,0,6\n"

// TestDemo prints what run.json has, digit for digit.
func TestDemo(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "predictions")
	for _, test := range []struct {
		trainer             string
		least               float64
		record, predictions string
		want                []string // in the output, or the first in the error
		fails               bool
	}{
		{"go", 0.75, record, predictions, []string{
			"trained on       \"CPU\"\naccuracy         0.750 of 4 test images\n",
			"served accuracy  0.985\n", "latency          0.150 ms (p50), 1e0 ms (p99)\n",
			dir + "/mnist.yaml\n", dir + "/mnist-argo.yaml\n", dir + "/runs/mnist-20260102T030405-abcd/report.html\n",
			"$ kfpgo compile ./examples/mnist --target argo",
		}, false},
		{"tensorflow", 0.7, strings.Replace(record, "train-go", "train-tensorflow", 1), predictions, []string{
			" -p trainer=tensorflow --gpus ignore\n", `trained on       "CPU"`,
		}, false},
		{"go", 0.76, record, predictions, []string{"the accuracy is 0.75; at least 0.76 was wanted"}, true},
		{"go", 0.1, record, strings.Replace(predictions, "2,1,1", "2,1,8", 1), []string{"the run says that the accuracy is 0.75, and by its predicted labels it is 0.5"}, true},
		{"go", 0.1, record, "image,label,predicted\n", []string{"has 0 predicted labels, and there are 4 test images"}, true},
		{"go", 0.1, strings.Replace(record, "device", "other", 1), predictions, []string{"no training says what device it used"}, true},
		{"go", 0.1, `{"tasks":[{"component":"train-go","state":"SUCCEEDED","outputs":{"device":"CPU"}}]}`, predictions, []string{"nothing was evaluated or served"}, true},
	} {
		if err := os.WriteFile(file, []byte(test.predictions), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Setenv("DEMO_RECORD", strings.Replace(test.record, "PREDICTIONS", file, 1))
		var out bytes.Buffer
		err := (demo{kfpgo: os.Args[0], data: data(t), out: dir, image: "x", trainer: test.trainer, least: test.least, stdout: &out}).run()
		if test.fails {
			if err == nil || !strings.Contains(err.Error(), test.want[0]) {
				t.Errorf("got %v, want %q", err, test.want[0])
			}
			continue
		}
		if err != nil {
			t.Error(err)
		}
		for _, want := range test.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("no %q in\n%s", want, out.String())
			}
		}
	}
}
