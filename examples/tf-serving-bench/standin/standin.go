// Package standin is a server in Go that stands in for TensorFlow Serving where
// nothing may be installed. It speaks the same REST protocol and does work of the
// same kind, but what it answers comes from no trained model: it says which colour
// an image has. It uses the standard library only.
package standin

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// What is what reports call it.
const What = "stand-in in Go, not TensorFlow"

// A Config is what the server has.
type Config struct {
	Model    string        // its name in paths
	CPUs     int           // images that are worked on at once
	Batching bool          // whether requests are put together
	MaxBatch int           // default 32
	Wait     time.Duration // how long a request waits for others; default 5 ms
}

// maxBody is more than the largest image of package bench takes in base64.
const maxBody = 96 << 20

// Handler returns the server, which ends with the context.
func Handler(ctx context.Context, c Config) http.Handler {
	s := &server{cpus: make(chan struct{}, max(1, c.CPUs))}
	s.score = s.one
	if c.Batching {
		if c.MaxBatch < 1 {
			c.MaxBatch = 32
		}
		if c.Wait <= 0 {
			c.Wait = 5 * time.Millisecond
		}
		b := &batcher{jobs: make(chan job), ended: ctx.Done()}
		go b.run(ctx, c, s.one)
		s.score = b.score
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models/"+c.Model, func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, map[string]any{"model_version_status": []any{map[string]any{
			"version": "1", "state": "AVAILABLE", "status": map[string]string{"error_code": "OK", "error_message": ""},
		}}})
	})
	mux.HandleFunc("POST /v1/models/"+c.Model+":predict", s.predict)
	return mux
}

type server struct {
	cpus  chan struct{} // has a place for each CPU
	score func(ctx context.Context, data []byte) ([]float64, error)
}

func (s *server) predict(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Instances []struct {
			B64 string `json:"b64"`
		} `json:"instances"`
	}
	fail := func(err error) {
		code := http.StatusBadRequest
		if e := new(http.MaxBytesError); errors.As(err, &e) {
			code = http.StatusRequestEntityTooLarge
		}
		reply(w, code, map[string]string{"error": err.Error()})
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&q); err != nil {
		fail(err)
		return
	}
	if len(q.Instances) == 0 {
		fail(errors.New(`there are no instances; an instance is {"b64": "..."}`))
		return
	}
	predictions := [][]float64{}
	for i, in := range q.Instances {
		data, err := base64.StdEncoding.DecodeString(in.B64)
		if err == nil {
			var scores []float64
			if scores, err = s.score(r.Context(), data); err == nil {
				predictions = append(predictions, scores)
			}
		}
		if err != nil {
			fail(fmt.Errorf("instance %d: %w", i, err))
			return
		}
	}
	reply(w, http.StatusOK, map[string]any{"predictions": predictions})
}

// one scores an image when a CPU is free.
func (s *server) one(ctx context.Context, data []byte) ([]float64, error) {
	select {
	case s.cpus <- struct{}{}:
		defer func() { <-s.cpus }()
		return Score(data)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func reply(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(body)
}
