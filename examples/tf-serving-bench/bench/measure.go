package bench

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Load is how a server is asked.
type Load struct {
	Requests int           `json:"requests"` // for each picture
	Parallel int           `json:"parallel"` // of them at once
	Ready    time.Duration `json:"-"`        // how long a server that isn't up yet is waited for
}

// A Server is what was measured of one.
type Server struct {
	Name     string  `json:"name"` // cpu1, cpu8, gpu1
	Batching bool    `json:"batching"`
	Standard bool    `json:"standard"`               // from the standard image, to compare with the optimised one
	What     string  `json:"what"`                   // the program that answered
	Image    Image   `json:"image"`                  // that it was started from
	Missing  string  `json:"not_measured,omitempty"` // why there is nothing
	Cells    []Cell  `json:"cells,omitempty"`        // one for each picture, in their order
	PerSec   float64 `json:"requests_per_second,omitempty"`
}

// An Image is the image of a server, as the node that pulled it reports it.
type Image struct {
	Bytes int     `json:"bytes,omitempty"`        // 0: not reported
	Pull  float64 `json:"pull_seconds,omitempty"` // 0: it was there already, or this isn't reported
}

// Label is the server's name in tables.
func (s Server) Label() string {
	label := s.Name
	if s.Batching {
		label += " batching"
	}
	if s.Standard {
		label += " standard"
	}
	return label
}

// A Cell is what a server made of a picture.
type Cell struct {
	P50    float64 `json:"p50_ms"`
	P99    float64 `json:"p99_ms"`
	PerSec float64 `json:"requests_per_second"`
	Class  int     `json:"class"`        // that the original is taken for
	Score  float64 `json:"score"`        // of that class, for this picture
	Change float64 `json:"score_change"` // of the score against the original's
	Same   bool    `json:"same_class"`   // whether this picture is taken for the same
}

// errAnswer is an answer that isn't what the protocol says.
var errAnswer = errors.New("an answer of another form")

// A Client asks a server by the REST protocol of TensorFlow Serving.
type Client struct {
	URL, Model string
}

// http asks without a proxy, and keeps as many connections as are used at once.
var asking = &http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

func (c Client) base() string { return strings.TrimRight(c.URL, "/") + "/v1/models/" + c.Model }

// Wait returns when the server has the model.
func (c Client) Wait(ctx context.Context, most time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, most, fmt.Errorf("it isn't up after %s", most))
	defer cancel()
	for {
		err := c.up(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w (%w)", c.base(), context.Cause(ctx), err)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func (c Client) up(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base(), nil)
	if err != nil {
		return err
	}
	resp, err := asking.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err == nil && (bytes.Contains(b, []byte(`"LOADING"`)) || bytes.Contains(b, []byte(`"START"`))) {
		return errors.New("it is loading the model")
	}
	return err
}

// Scores returns the score of each class for one image.
func (c Client) Scores(ctx context.Context, body []byte) ([]float64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base()+":predict", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := asking.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, 8<<20))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("POST %s:predict: %s: %s", c.base(), resp.Status, bytes.TrimSpace(b[:min(len(b), 300)]))
	}
	var a struct{ Predictions [][]float64 }
	if err := json.Unmarshal(b, &a); err != nil || len(a.Predictions) != 1 || len(a.Predictions[0]) == 0 {
		return nil, fmt.Errorf("POST %s:predict: %w: %s", c.base(), errAnswer, b[:min(len(b), 300)])
	}
	return a.Predictions[0], nil
}

// Body returns the request for one image.
func Body(data []byte) []byte {
	b, err := json.Marshal(map[string]any{"instances": []any{map[string]string{"b64": base64.StdEncoding.EncodeToString(data)}}})
	if err != nil {
		panic(err) // text always has a JSON form
	}
	return b
}

// Measure posts each picture to a server. A server that doesn't answer as it
// should is not measured, and says why; only the end of the context is an error.
func Measure(ctx context.Context, s Server, c Client, pictures []Picture, l Load) (Server, error) {
	fail := func(err error) (Server, error) {
		if ctx.Err() != nil {
			return s, context.Cause(ctx)
		}
		s.Missing, s.Cells, s.PerSec = err.Error(), nil, 0
		return s, nil
	}
	if err := c.Wait(ctx, l.Ready); err != nil {
		return fail(err)
	}
	best, first := 0, 0.0
	var spent time.Duration
	for i, p := range pictures {
		body := Body(p.Data)
		scores, err := c.Scores(ctx, body) // also has the server make what it makes once for a shape
		if err != nil {
			return fail(fmt.Errorf("%d px %s: %w", p.Size, p.Format, err))
		}
		top := argmax(scores)
		if i == 0 {
			best, first = top, scores[top]
		}
		if best >= len(scores) {
			return fail(fmt.Errorf("%d px %s: %w: %d scores, and for the original more", p.Size, p.Format, errAnswer, len(scores)))
		}
		times, wall, err := c.ask(ctx, body, l)
		if err != nil {
			return fail(fmt.Errorf("%d px %s: %w", p.Size, p.Format, err))
		}
		spent += wall
		s.Cells = append(s.Cells, Cell{
			P50: ms(Percentile(times, 50)), P99: ms(Percentile(times, 99)), PerSec: float64(len(times)) / wall.Seconds(),
			Class: best, Score: scores[best], Change: scores[best] - first, Same: top == best,
		})
	}
	s.PerSec = float64(len(pictures)*l.Requests) / spent.Seconds()
	return s, nil
}

// ask sends the request as often as the load says and returns how long each took,
// sorted, and all together.
func (c Client) ask(ctx context.Context, body []byte, l Load) (times []time.Duration, wall time.Duration, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		mu   sync.Mutex
		wg   sync.WaitGroup
		left = make(chan struct{}, l.Requests)
	)
	for range l.Requests {
		left <- struct{}{}
	}
	close(left)
	start := time.Now()
	for range min(l.Parallel, l.Requests) {
		wg.Go(func() {
			for range left {
				began := time.Now()
				_, err := c.Scores(ctx, body)
				if err != nil {
					cancel(err)
					return
				}
				mu.Lock()
				times = append(times, time.Since(began))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, 0, err
	}
	wall = max(time.Since(start), time.Nanosecond)
	slices.Sort(times)
	return times, wall, nil
}

// Percentile returns the time that p of 100 took at most, of sorted ones.
func Percentile(sorted []time.Duration, p int) time.Duration {
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func argmax(v []float64) (at int) {
	for i := range v {
		if v[i] > v[at] {
			at = i
		}
	}
	return at
}

// Check returns what is wrong with a load.
func (l Load) Check() error {
	switch {
	case l.Requests < 1 || l.Requests > 100_000:
		return fmt.Errorf("requests is %d; from 1 to 100000 are sent for each picture", l.Requests)
	case l.Parallel < 1 || l.Parallel > 64:
		return fmt.Errorf("parallel is %d; from 1 to 64 requests are sent at once", l.Parallel)
	}
	return nil
}
