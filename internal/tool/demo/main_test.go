package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

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

// TestSummary prints what run.json has, digit for digit.
func TestSummary(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "predictions")
	for _, test := range []struct {
		least               float64
		record, predictions string
		want                []string // in the output, or the first in the error
		fails               bool
	}{
		{0.75, record, predictions, []string{
			"trained on       \"CPU\"\naccuracy         0.750 of 4 test images\n",
			"served accuracy  0.985\n", "latency          0.150 ms (p50), 1e0 ms (p99)\n", "run              7s, " + dir + "/run.json\n",
			" out/mnist.yaml\n", " out/mnist-argo.yaml\n", dir + "/report.html\n",
		}, false},
		{0.7, strings.Replace(record, "train-go", "train-tensorflow", 1), predictions, []string{`trained on       "CPU"`}, false},
		{0.76, record, predictions, []string{"the accuracy is 0.75; at least 0.76 was wanted"}, true},
		{0.1, record, strings.Replace(predictions, "2,1,1", "2,1,8", 1), []string{"the run says that the accuracy is 0.75, and by its predicted labels it is 0.5"}, true},
		{0.1, record, "image,label,predicted\n", []string{"has 0 predicted labels, and there are 4 test images"}, true},
		{0.1, strings.Replace(record, "device", "other", 1), predictions, []string{"no training says what device it used"}, true},
		{0.1, `{"tasks":[{"component":"train-go","state":"SUCCEEDED","outputs":{"device":"CPU"}}]}`, predictions, []string{"nothing was evaluated or served"}, true},
	} {
		for name, text := range map[string]string{file: test.predictions, filepath.Join(dir, "run.json"): strings.Replace(test.record, "PREDICTIONS", file, 1)} {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var out bytes.Buffer
		err := demo{out: "out", least: test.least, stdout: &out}.summary(dir, data(t), 7*time.Second)
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
