package digits

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/kfpgo/kfpgo/dsl"
)

type QueryIn struct {
	Host  dsl.Param[string] `doc:"of the server; empty: serve the model here, for as long as it takes"`
	Data  dsl.Dataset
	Model dsl.Model `doc:"that is expected to be served"`
}

type QueryOut struct {
	Accuracy dsl.Param[float64] `doc:"of what the server answered"`
	P50      dsl.Param[float64] `kfp:"p50_ms" doc:"latency that half of the requests were below, in milliseconds"`
	P99      dsl.Param[float64] `kfp:"p99_ms"`
	Metrics  dsl.Metrics
}

// queried is the number of test images that Query sends.
const queried = 200

// Query sends test images to the server and measures its answers. On a cluster
// that is the server that was just deployed. On this machine it starts the same
// server itself, and stops it.
var Query = dsl.Func("query", func(ctx context.Context, in QueryIn, out *QueryOut) error {
	test, err := readDigits(in.Data, testImages, testLabels)
	if err != nil {
		return err
	}
	m, err := readModel(in.Model.Path())
	if err != nil {
		return err
	}
	addr := net.JoinHostPort(in.Host.Get(), "8501")
	if in.Host.Get() == "" {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		addr = l.Addr().String()
		serving, stop := context.WithCancel(ctx)
		done := make(chan error, 1)
		go func() { done <- serveOn(serving, l, m) }()
		defer func() { stop(); <-done }()
	}
	c := client{"http://" + addr + "/v1/models/mnist"}
	if err := c.await(ctx, m.version, 2*time.Minute); err != nil {
		return err
	}
	right, latency, err := c.measure(ctx, test.slice(0, min(queried, test.len())))
	if err != nil {
		return err
	}
	slices.Sort(latency)
	out.Accuracy.Set(float64(right) / float64(len(latency)))
	out.P50.Set(latency[(len(latency)-1)*50/100])
	out.P99.Set(latency[(len(latency)-1)*99/100])
	fmt.Printf("%s: %d of %d right, half of them within %.2f ms, 99 of 100 within %.2f ms\n", c.url, right, len(latency), out.P50.Get(), out.P99.Get())
	dsl.LogMetric(out.Metrics, "accuracy", out.Accuracy.Get())
	dsl.LogMetric(out.Metrics, "p50_ms", out.P50.Get())
	dsl.LogMetric(out.Metrics, "p99_ms", out.P99.Get())
	return nil
}, dsl.NoCache())

// A client asks a server for predictions.
type client struct{ url string }

// direct asks without a proxy: the server is a neighbour.
var direct = &http.Client{Transport: &http.Transport{}}

// await waits until a version of the model is served.
func (c client) await(ctx context.Context, version string, most time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for {
		var s statusResponse
		err := c.do(ctx, http.MethodGet, "", nil, &s)
		if err == nil && slices.ContainsFunc(s.Versions, func(v versionStatus) bool {
			return v.Version == version && v.State == "AVAILABLE"
		}) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s does not serve version %s: %+v, %v", c.url, version, s.Versions, err)
		case <-time.After(time.Second):
		}
	}
}

// measure sends one image after the other, and returns how many the server
// recognized and how long each answer took, in milliseconds.
func (c client) measure(ctx context.Context, d digits) (right int, latency []float64, err error) {
	for i, label := range d.labels {
		image := make([]float64, pixels)
		scale(image, d.image(i))
		body, err := json.Marshal(map[string]any{"instances": [][]float64{image}})
		if err != nil {
			return 0, nil, err
		}
		start := time.Now()
		var p predictResponse
		if err := c.do(ctx, http.MethodPost, ":predict", body, &p); err != nil {
			return 0, nil, err
		}
		latency = append(latency, float64(time.Since(start).Microseconds())/1000)
		if len(p.Predictions) != 1 || len(p.Predictions[0]) != classes {
			return 0, nil, fmt.Errorf("%s: %d predictions for one image", c.url, len(p.Predictions))
		}
		if floats.MaxIdx(p.Predictions[0]) == int(label) {
			right++
		}
	}
	return right, latency, nil
}

func (c client) do(ctx context.Context, method, suffix string, body []byte, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, c.url+suffix, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := direct.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		var e struct{ Error string }
		json.NewDecoder(resp.Body).Decode(&e)
		return fmt.Errorf("%s%s: %s: %s", c.url, suffix, resp.Status, e.Error)
	}
	return json.NewDecoder(resp.Body).Decode(into)
}
