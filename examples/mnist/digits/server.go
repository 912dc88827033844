package digits

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// The server speaks the REST form of TensorFlow Serving, version 1.

// A predictRequest is images. Each is 784 numbers from 0 to 1, flat or nested.
type predictRequest struct {
	Instances []json.RawMessage `json:"instances"`
}

// A predictResponse is, for each image, the probability of each digit.
type predictResponse struct {
	Predictions [][]float64 `json:"predictions"`
}

// A statusResponse says which version of the model is served.
type statusResponse struct {
	Versions []versionStatus `json:"model_version_status"`
}

type versionStatus struct {
	Version string `json:"version"`
	State   string `json:"state"` // AVAILABLE
	Status  struct {
		Code    string `json:"error_code"`
		Message string `json:"error_message"`
	} `json:"status"`
}

// ListenAndServe serves a model's file until the context ends.
func ListenAndServe(ctx context.Context, file, addr string) error {
	if file == "" {
		return errors.New("no model; give one by -model FILE")
	}
	m, err := readModel(file)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/v1/models/mnist serves version %s\n", l.Addr(), m.version)
	return serveOn(ctx, l, m)
}

// serveOn serves a model until the context ends, and then what is under way.
func serveOn(ctx context.Context, l net.Listener, m *model) error {
	srv := &http.Server{Handler: m.handler(), ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() {
		end, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		srv.Shutdown(end)
	})()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (m *model) handler() http.Handler {
	net := m.network()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models/mnist", func(w http.ResponseWriter, _ *http.Request) {
		v := versionStatus{Version: m.version, State: "AVAILABLE"}
		v.Status.Code = "OK"
		reply(w, http.StatusOK, statusResponse{[]versionStatus{v}})
	})
	mux.HandleFunc("POST /v1/models/mnist:predict", func(w http.ResponseWriter, r *http.Request) {
		p, err := net.answer(http.MaxBytesReader(w, r.Body, 64<<20))
		if err != nil {
			reply(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
			return
		}
		reply(w, http.StatusOK, p)
	})
	return mux
}

func reply(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(body)
}
