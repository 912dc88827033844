//go:build tensorflow

package tfservingbench_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	tfservingbench "github.com/kfpgo/kfpgo/examples/tf-serving-bench"
	"github.com/kfpgo/kfpgo/examples/tf-serving-bench/bench"
	"github.com/kfpgo/kfpgo/local"
)

// TestTensorFlow makes the SavedModel and has KServe's model server serve it. The photo is
// of a bird that ImageNet has a class for, so that what is answered can be told to
// be right. KFPGO_BIRD names its file, which make tensorflow knows; pip gets TensorFlow.
func TestTensorFlow(t *testing.T) {
	data, err := os.ReadFile(os.Getenv("KFPGO_BIRD"))
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(data) }))
	defer web.Close()
	run, err := local.Run(t.Context(), tfservingbench.Pipeline, tfservingbench.In{
		Photo: dsl.Const(web.URL + "/bird.jpg"), Sizes: dsl.Const([]int{1024, 256, 128}), Requests: dsl.Const(20), Builds: dsl.Const([]tfservingbench.Recipe{}),
	}, local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var r bench.Report
	if err := json.Unmarshal(reported(t, run.Dir)["json"], &r); err != nil {
		t.Fatal(err)
	}
	const junco = 13 // of ImageNet's 1,000 classes
	measured := 0
	for _, s := range r.Servers {
		if s.Name != "cpu1" || s.Standard {
			continue
		}
		measured++
		if s.Missing != "" || !strings.HasPrefix(s.What, "KServe") || len(s.Cells) != 5 {
			t.Fatalf("%+v", s)
		}
		for i, c := range s.Cells {
			p := r.Pictures[i]
			t.Logf("%-14s %4d px %-8s %7d bytes: p50 %.1f ms, p99 %.1f ms, score %.4f (%+.4f)", s.Label(), p.Size, p.Format, p.Bytes, c.P50, c.P99, c.Score, c.Change)
			if c.Class != junco || c.P50 <= 0 || c.P99 < c.P50 {
				t.Errorf("%+v", c)
			}
			// The network sees 224 pixels: what has as many is taken for the same bird, and of
			// what has fewer it is less sure.
			if p.Size >= 224 && (!c.Same || c.Score < 0.8) || p.Size < 224 && c.Change > -0.1 {
				t.Errorf("%d px %s: %+v", p.Size, p.Format, c)
			}
		}
	}
	if measured != 2 {
		t.Errorf("%d servers with one CPU", measured)
	}
}
