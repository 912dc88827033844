// Package query sends data to a model server and measures what comes back, in the
// protocols of KServe and TensorFlow Serving (V1), Open Inference (V2) and Seldon.
//
//	query.V1.Call(s, query.In{URL: served.Out.URL, Model: dsl.Const("mnist"), Instances: test.Out.Images, Labels: test.Out.Labels})
package query

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// In is what to send where.
type In struct {
	URL       dsl.Param[string]  `kfp:"url" doc:"of the server, with the path of the protocol or without; for Seldon with /seldon/NAMESPACE/NAME behind an ingress"`
	Model     dsl.Param[string]  `default:"model" doc:"name of the model; Seldon has none"`
	Instances dsl.Dataset        `doc:"a JSON array of numbers, or of arrays, on each line"`
	Labels    dsl.Dataset        `kfp:",optional" doc:"the right class of each instance, a number on each line"`
	Batch     dsl.Param[int]     `default:"1" doc:"instances in a request" check:"min=1"`
	Parallel  dsl.Param[int]     `default:"1" doc:"requests under way at once, from 1 to 256; a server that puts requests together needs several"`
	Limit     dsl.Param[int]     `default:"0" doc:"how many instances are sent; 0: all" check:"min=0"`
	Names     dsl.Param[string]  `default:"X" doc:"Seldon: features are called X1, X2 and so on"`
	Version   dsl.Param[string]  `default:"v1.0" doc:"Seldon: of its API, v1.0 or v0.1"`
	Input     dsl.Param[string]  `default:"input-0" doc:"V2: name of the input tensor"`
	DataType  dsl.Param[string]  `kfp:"datatype" default:"FP32" doc:"V2: of the input tensor"`
	Host      dsl.Param[string]  `kfp:",optional" doc:"value of the header Host, where an ingress goes by it"`
	Ready     dsl.Param[string]  `default:"2m" doc:"how long a server that isn't up yet is waited for" check:"duration"`
	Accuracy  dsl.Param[float64] `kfp:"min_accuracy" default:"0" doc:"the task fails below it; needs labels" check:"share"`
}

// Out is what came back.
type Out struct {
	Predictions dsl.Dataset        `doc:"the prediction for each instance, as JSON on a line"`
	Metrics     dsl.Metrics        `doc:"requests, p50_ms, p90_ms, p99_ms, mean_ms, instances_per_second, accuracy"`
	P50         dsl.Param[float64] `kfp:"p50_ms"`
	P99         dsl.Param[float64] `kfp:"p99_ms"`
	Accuracy    dsl.Param[float64] `doc:"-1 without labels"`
}

// The query components, one for each protocol.
var (
	V1     = component("query-v1", v1{})         // POST URL/v1/models/MODEL:predict
	V2     = component("query-v2", v2{})         // POST URL/v2/models/MODEL/infer
	Seldon = component("query-seldon", seldon{}) // POST URL/api/v1.0/predictions
)

func component(name string, p protocol) *dsl.Component[In, Out] {
	return work.Check(dsl.Func(name, func(ctx context.Context, in In, out *Out) error { return run(ctx, p, in, out) }, dsl.NoCache()), check)
}

// dataTypes are those of the Open Inference protocol.
var dataTypes = []string{"BOOL", "UINT8", "UINT16", "UINT32", "UINT64", "INT8", "INT16", "INT32", "INT64", "FP16", "FP32", "FP64", "BYTES"}

// check checks the values that are known when the pipeline is defined.
func check(c *work.Call) {
	c.Web("url")
	if n, ok := work.Arg[int](c, "parallel"); ok && (n < 1 || n > maxParallel) {
		c.Errorf("input parallel is %d; from 1 to %d requests are sent at once", n, maxParallel)
	}
	work.OneOf(c, "version", "v1.0", "v0.1")
	work.OneOf(c, "datatype", dataTypes...)
	if c.Given("min_accuracy") && !c.Given("labels") {
		c.Errorf("input min_accuracy: there is none without labels; set Labels")
	}
}

// maxParallel is how many requests are sent at once.
const maxParallel = 256

func run(ctx context.Context, p protocol, in In, out *Out) error {
	instances, err := readLines(in.Instances.Path(), in.Limit.Get())
	if err != nil {
		return fmt.Errorf("input instances: %w", err)
	}
	if len(instances) == 0 {
		return errors.New("input instances: there are none")
	}
	if n := in.Parallel.Get(); n < 1 || n > maxParallel {
		return fmt.Errorf("input parallel is %d; from 1 to %d requests are sent at once", n, maxParallel)
	}
	var labels []json.RawMessage
	if in.Labels.Given() {
		if labels, err = readLines(in.Labels.Path(), in.Limit.Get()); err != nil {
			return fmt.Errorf("input labels: %w", err)
		}
		if len(labels) != len(instances) {
			return fmt.Errorf("there are %d labels and %d instances", len(labels), len(instances))
		}
	}
	f, err := out.Predictions.Create()
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	c := &caller{p: p, in: in, http: web.Client(transport(in.Parallel.Get()), time.Minute)}
	if err := c.ready(ctx, instances[:1]); err != nil {
		return err
	}
	start := time.Now()
	predictions, times, err := c.ask(ctx, instances)
	if err != nil {
		return err
	}
	all, right := time.Since(start), 0
	for i, g := range predictions {
		fmt.Fprintf(w, "%s\n", bytes.TrimSpace(g))
		if labels != nil && class(g) == class(labels[i]) {
			right++
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	slices.Sort(times)
	log := func(name string, v float64) float64 { dsl.LogMetric(out.Metrics, name, v); return v }
	log("requests", float64(len(times)))
	out.P50.Set(log("p50_ms", ms(percentile(times, 50))))
	log("p90_ms", ms(percentile(times, 90)))
	out.P99.Set(log("p99_ms", ms(percentile(times, 99))))
	log("mean_ms", ms(sum(times))/float64(len(times)))
	log("instances_per_second", float64(len(instances))/all.Seconds())
	out.Accuracy.Set(-1)
	if labels != nil {
		got := log("accuracy", float64(right)/float64(len(labels)))
		out.Accuracy.Set(got)
		if got < in.Accuracy.Get() {
			return fmt.Errorf("accuracy %.4f is below %.4f: %d of %d are right", got, in.Accuracy.Get(), right, len(labels))
		}
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// percentile returns the time that p of 100 requests took at most.
func percentile(sorted []time.Duration, p int) time.Duration {
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}

func readLines(file string, limit int) (lines []json.RawMessage, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 64<<20)
	for n := 1; s.Scan() && (limit <= 0 || len(lines) < limit); n++ {
		line := bytes.TrimSpace(s.Bytes())
		if len(line) == 0 {
			continue
		}
		if !json.Valid(line) {
			return nil, fmt.Errorf("line %d is not JSON", n)
		}
		lines = append(lines, bytes.Clone(line))
	}
	return lines, s.Err()
}

// class returns the class that a prediction is for: the number itself, of which 7
// and 7.0 are one, or the place of the largest of several.
func class(prediction json.RawMessage) string {
	var scores []float64
	var label float64
	if json.Unmarshal(prediction, &label) == nil {
		return fmt.Sprint(label)
	}
	if json.Unmarshal(prediction, &scores) != nil || len(scores) == 0 {
		return strings.TrimSpace(string(prediction))
	}
	if len(scores) == 1 {
		return fmt.Sprint(scores[0])
	}
	return fmt.Sprint(slices.Index(scores, slices.Max(scores)))
}

// A caller sends requests.
type caller struct {
	p    protocol
	in   In
	http *http.Client
}

// ready waits until the server answers.
func (c *caller) ready(ctx context.Context, probe []json.RawMessage) error {
	d, err := time.ParseDuration(c.in.Ready.Get())
	if err != nil {
		return fmt.Errorf("input ready: %w", err)
	}
	until := time.Now().Add(d)
	for {
		_, err := c.call(ctx, probe)
		var s *statusError
		if err == nil || errors.As(err, &s) && s.code < 500 && s.code != http.StatusNotFound || errors.Is(err, errAnswer) {
			return err
		}
		if time.Now().After(until) {
			return fmt.Errorf("the server isn't up after %s: %w", d, err)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(min(time.Second, d/10+time.Millisecond)):
		}
	}
}

type statusError struct {
	code int
	text string
}

func (e *statusError) Error() string { return e.text }

var errAnswer = errors.New("an answer of another form")

func (c *caller) call(ctx context.Context, batch []json.RawMessage) ([]json.RawMessage, error) {
	path, body := c.p.request(c.in, batch)
	url := strings.TrimSuffix(strings.TrimRight(c.in.URL.Get(), "/"), path) + path // Seldon's status has the whole
	b, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, "POST", url, bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if host, ok := c.in.Host.Lookup(); ok {
		req.Host = host
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := web.Read(resp)
	if web.IsTooLarge(err) {
		return nil, fmt.Errorf("POST %s: %w; send fewer instances at once (Batch)", url, err)
	}
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, &statusError{resp.StatusCode, fmt.Sprintf("POST %s: %s: %s", url, resp.Status, bytes.TrimSpace(answer[:min(len(answer), 500)]))}
	}
	got, err := c.p.answer(answer)
	if err != nil {
		return nil, fmt.Errorf("POST %s: %w: %w: %s", url, errAnswer, err, answer[:min(len(answer), 500)])
	}
	return got, nil
}
