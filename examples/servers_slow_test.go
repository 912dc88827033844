//go:build slow

package examples_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/digits"
	kservemnist "github.com/kfpgo/kfpgo/examples/kserve-mnist"
	seldonmnist "github.com/kfpgo/kfpgo/examples/seldon-mnist"
	"github.com/kfpgo/kfpgo/local"
)

// TestServers trains on the real MNIST and asks the real servers of Seldon and
// KServe, which pip installs, for a thousand images.
func TestServers(t *testing.T) {
	data := os.Getenv("KFPGO_MNIST")
	if data == "" {
		t.Fatal("KFPGO_MNIST is not set to a folder with the files of MNIST; make slow sets it")
	}
	web := httptest.NewServer(http.FileServer(http.Dir(data)))
	defer web.Close()
	home, source := t.TempDir(), dsl.Const(web.URL)
	s, err := local.Run(t.Context(), seldonmnist.Pipeline, seldonmnist.In{Source: source}, local.Options{Home: home})
	asked(t, s, err, "query-seldon")
	k, err := local.Run(t.Context(), kservemnist.Pipeline, kservemnist.In{Source: source}, local.Options{Home: home})
	asked(t, k, err, "query-v1", "query-v2")

	// Seldon's older API, at the whole URL, and a server that goes when it is told to.
	at := func(task, output string) string {
		return filepath.Join(s.Dir, "artifacts", "exit-handler-1", task, output)
	}
	url, err := digits.Seldon.Start(t.Context(), "older", at("train", "model"))
	if err != nil {
		t.Fatal(err)
	}
	in := query.In{
		URL: dsl.Const(url + "/api/v0.1/predictions"), Version: dsl.Const("v0.1"), Limit: dsl.Const(100), Batch: dsl.Const(50),
		Instances: dsl.File[dsl.Dataset](at("train", "images")), Labels: dsl.File[dsl.Dataset](at("train", "labels")), Accuracy: dsl.Const(0.95),
	}
	if _, err := query.Seldon.Run(t.Context(), in); err != nil {
		t.Error(err)
	}
	if err := digits.Seldon.Stop("older"); err != nil {
		t.Error(err)
	}
	for until := time.Now().Add(10 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		if _, err := http.Get(url); err != nil {
			break
		}
		if time.Now().After(until) {
			t.Fatal("the server is still there after Stop")
		}
	}
	_, err = digits.KServe.Start(t.Context(), "none", t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "model.joblib") {
		t.Errorf("a server without a model: %v", err)
	}
}

// asked checks what the queries of a run have measured.
func asked(t *testing.T, r *local.Result[dsl.None], err error, queries ...string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	outputs := map[string]string{}
	for _, task := range r.Tasks {
		outputs[filepath.Base(task.Path)] = string(task.Outputs["accuracy"])
	}
	for _, q := range queries {
		var accuracy float64
		if _, err := fmt.Sscan(outputs[q], &accuracy); err != nil || accuracy < 0.95 {
			t.Errorf("%s: accuracy %q, %v", q, outputs[q], err)
		}
		b, err := os.ReadFile(filepath.Join(r.Dir, "artifacts", "exit-handler-1", q, "predictions"))
		if n := bytes.Count(b, []byte("\n")); err != nil || n != 1000 {
			t.Errorf("%s: %d predictions, %v", q, n, err)
		}
	}
}
