package query_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

type pipelineIn struct{ URL, Data dsl.Param[string] }

var pipeline = dsl.Pipeline("ask", func(s *dsl.Scope, in pipelineIn) dsl.None {
	data := dsl.Import[dsl.Dataset](s, in.Data)
	query.V1.Call(s, query.In{URL: in.URL, Instances: data})
	query.V2.Call(s, query.In{URL: in.URL, Instances: data})
	query.Seldon.Call(s, query.In{URL: in.URL, Instances: data, Version: dsl.Const("v0.1")})
	return dsl.None{}
})

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

// server answers as each protocol's documentation says, that the class of
// [a, b] is the place of the larger one; it isn't up for the first request.
func server(t *testing.T) (*httptest.Server, *[]string) {
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		asked = append(asked, r.URL.Path+" "+string(b))
		if len(asked) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		var body struct {
			Instances [][]float64
			Inputs    []struct{ Data [][]float64 }
			Data      struct{ NDArray [][]float64 }
		}
		json.Unmarshal(b, &body)
		var answer any
		switch {
		case body.Instances != nil:
			answer = map[string]any{"predictions": body.Instances}
		case body.Inputs != nil:
			flat := []float64{}
			for _, row := range body.Inputs[0].Data {
				flat = append(flat, row...)
			}
			answer = map[string]any{"outputs": []any{map[string]any{"shape": []int{len(body.Inputs[0].Data), len(body.Inputs[0].Data[0])}, "data": flat}}}
		case body.Data.NDArray != nil:
			answer = map[string]any{"data": map[string]any{"names": []string{"t:0", "t:1"}, "ndarray": body.Data.NDArray}}
		}
		json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(s.Close)
	return s, &asked
}

func file(t *testing.T, name, text string) dsl.Dataset {
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dsl.File[dsl.Dataset](path)
}

const instances = "[0.9, 0.1]\n[0.2, 0.8]\n[0.7, 0.3]\n"

func TestProtocols(t *testing.T) {
	for _, tt := range []struct {
		c    *dsl.Component[query.In, query.Out]
		want string // the request for the last instance
	}{
		{query.V1, `/v1/models/m:predict {"instances":[[0.7,0.3]]}`},
		{query.V2, `/v2/models/m/infer {"inputs":[{"data":[[0.7,0.3]],"datatype":"FP32","name":"input-0","shape":[1,2]}]}`},
		{query.Seldon, `/api/v1.0/predictions {"data":{"names":["X1","X2"],"ndarray":[[0.7,0.3]]}}`},
	} {
		s, asked := server(t)
		out, err := tt.c.Run(t.Context(), query.In{
			URL: dsl.Const(s.URL), Model: dsl.Const("m"), Instances: file(t, "i", instances), Labels: file(t, "l", "0\n1\n1\n"),
			Batch: dsl.Const(2), Ready: dsl.Const("5s"),
		})
		if err != nil {
			t.Errorf("%s: %v", tt.c.Name(), err)
			continue
		}
		if got := (*asked)[len(*asked)-1]; got != tt.want {
			t.Errorf("%s: asked %s, want %s", tt.c.Name(), got, tt.want)
		}
		if len(*asked) != 4 { // not up, up, two batches
			t.Errorf("%s: %d requests", tt.c.Name(), len(*asked))
		}
		if a := out.Accuracy.Get(); a < 0.66 || a > 0.67 {
			t.Errorf("%s: accuracy %v, want 2 of 3", tt.c.Name(), a)
		}
		b, err := os.ReadFile(out.Predictions.Path())
		if err != nil || strings.ReplaceAll(string(b), " ", "") != strings.ReplaceAll(instances, " ", "") {
			t.Errorf("%s: predictions %s, %v", tt.c.Name(), b, err)
		}
		path, _, _ := strings.Cut(tt.want, " ")
		whole := query.In{URL: dsl.Const(s.URL + path), Model: dsl.Const("m"), Instances: file(t, "i", "[3]\n"), Labels: file(t, "l", "3.0\n")}
		if out, err := tt.c.Run(t.Context(), whole); err != nil || out.Accuracy.Get() != 1 { // 3 and 3.0 are one class
			t.Errorf("%s: at the whole URL: %v, %v", tt.c.Name(), out.Accuracy, err)
		}
		if out.P50.Get() <= 0 || out.P99.Get() < out.P50.Get() {
			t.Errorf("%s: p50 %v, p99 %v", tt.c.Name(), out.P50.Get(), out.P99.Get())
		}
	}
}

func TestFails(t *testing.T) {
	s, _ := server(t)
	gone := httptest.NewServer(http.NotFoundHandler())
	defer gone.Close()
	in := query.In{URL: dsl.Const(s.URL), Instances: file(t, "i", instances), Ready: dsl.Const("5s")}
	for _, tt := range []struct {
		change func(*query.In)
		want   string
	}{
		{func(in *query.In) { in.Instances = file(t, "i", "") }, "input instances: there are none"},
		{func(in *query.In) { in.Instances = file(t, "i", "1\nx") }, "input instances: line 2 is not JSON"},
		{func(in *query.In) { in.Parallel = dsl.Const(0) }, "input parallel is 0; from 1 to 256"},
		{func(in *query.In) { in.Labels = file(t, "l", "1\n") }, "there are 1 labels and 3 instances"},
		{func(in *query.In) { in.Labels, in.Accuracy = file(t, "l", "1\n0\n1\n"), dsl.Const(0.9) }, "accuracy 0.0000 is below 0.9000: 0 of 3 are right"},
		{func(in *query.In) { in.URL, in.Ready = dsl.Const(gone.URL), dsl.Const("100ms") }, "the server isn't up after 100ms: POST " + gone.URL},
	} {
		bad := in
		tt.change(&bad)
		_, err := query.V1.Run(t.Context(), bad)
		tried.Fails(t, err, tt.want)
	}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"error": "x"}`) }))
	defer other.Close()
	in.URL = dsl.Const(other.URL)
	_, err := query.Seldon.Run(t.Context(), in)
	tried.Fails(t, err, "an answer of another form: there is no data.ndarray in it")
}

// TestParallel: several requests are under way at once, the predictions keep their
// order, and the first request that fails is told.
func TestParallel(t *testing.T) {
	together := make(chan struct{}, 3) // each request waits for two others
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Instances []int }
		json.NewDecoder(r.Body).Decode(&q)
		if q.Instances[0] == 13 {
			http.Error(w, "unlucky", http.StatusBadRequest)
			return
		}
		if q.Instances[0] > 0 { // not the first, which asks whether the server is up
			together <- struct{}{}
			for until := time.Now().Add(5 * time.Second); len(together) < 3 && q.Instances[0] <= 3 && time.Now().Before(until); {
				time.Sleep(time.Millisecond)
			}
			if q.Instances[0] <= 3 && len(together) < 3 {
				t.Errorf("%d is alone", q.Instances[0])
			}
		}
		json.NewEncoder(w).Encode(map[string]any{"predictions": q.Instances})
	}))
	defer s.Close()
	in := query.In{URL: dsl.Const(s.URL), Instances: file(t, "i", "0\n1\n2\n3\n"), Parallel: dsl.Const(4), Ready: dsl.Const("5s")}
	out, err := query.V1.Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(out.Predictions.Path()); err != nil || string(b) != "0\n1\n2\n3\n" {
		t.Errorf("%q, %v", b, err)
	}
	in.Instances = file(t, "i", "0\n13\n0\n")
	_, err = query.V1.Run(t.Context(), in)
	tried.Fails(t, err, "request 2: POST "+s.URL, "400 Bad Request: unlucky")
}
