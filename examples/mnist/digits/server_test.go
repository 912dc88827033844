package digits

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
)

// newModel returns the file of a model that was never trained.
func newModel(t *testing.T) dsl.Model {
	t.Helper()
	m := dsl.File[dsl.Model](filepath.Join(t.TempDir(), "model.json"))
	if err := newNetwork(1).model().write(m); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestServer asks as a client of TensorFlow Serving does.
func TestServer(t *testing.T) {
	m, err := readModel(newModel(t).Path())
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(m.handler())
	defer server.Close()

	flat := "[" + strings.Repeat("0.5,", pixels-1) + "0.5]"
	row := "[" + strings.Repeat("[0.5],", side-1) + "[0.5]]"
	nested := "[" + strings.Repeat(row+",", side-1) + row + "]"
	resp, err := http.Post(server.URL+"/v1/models/mnist:predict", "application/json", strings.NewReader(`{"signature_name":"serving_default","instances":[`+flat+","+nested+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var p predictResponse
	if err := json.NewDecoder(resp.Body).Decode(&p); err != nil {
		t.Fatal(err)
	}
	if len(p.Predictions) != 2 || len(p.Predictions[0]) != classes {
		t.Fatalf("got %v", p)
	}
	sum := 0.0
	for i, v := range p.Predictions[0] {
		sum += v
		if v != p.Predictions[1][i] {
			t.Errorf("a nested image is something else than a flat one: %v", p)
		}
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("probabilities add up to %v", sum)
	}

	for _, test := range []struct {
		method, path, body string
		code               int
		want               string
	}{
		{"GET", "/v1/models/mnist", "", 200, `"state":"AVAILABLE"`},
		{"GET", "/v1/models/mnist", "", 200, `"version":"` + m.version + `"`},
		{"POST", "/v1/models/mnist:predict", "", 400, `"error":"not a predict request: EOF"`},
		{"POST", "/v1/models/mnist:predict", "{}", 400, `no instances; send`},
		{"POST", "/v1/models/mnist:predict", `{"instances":[[1,2]]}`, 400, `instance 0 has 2 numbers, not 784`},
		{"POST", "/v1/models/mnist:predict", `{"instances":[` + flat + `,["x"]]}`, 400, `instance 1: x is not a number`},
		{"GET", "/v1/models/mnist:predict", "", 405, ""},
		{"GET", "/v1/models/other", "", 404, ""},
	} {
		req, err := http.NewRequest(test.method, server.URL+test.path, strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != test.code || !strings.Contains(string(b), test.want) {
			t.Errorf("%s %s %s: got %d %s, want %d %s", test.method, test.path, test.body, resp.StatusCode, b, test.code, test.want)
		}
	}
}

// TestServe starts and stops the server that the command is.
func TestServe(t *testing.T) {
	file := newModel(t).Path()
	m, err := readModel(file)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := ListenAndServe(t.Context(), file, addr); err == nil {
		t.Error("two servers at one address")
	}
	l.Close()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- ListenAndServe(ctx, file, addr) }()
	if err := (client{"http://" + addr + "/v1/models/mnist"}).await(t.Context(), m.version, 10e9); err != nil {
		t.Error(err)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := ListenAndServe(t.Context(), "", addr); err == nil || !strings.Contains(err.Error(), "no model; give one by -model FILE") {
		t.Errorf("served no model: %v", err)
	}
}

// TestPublish puts a model where the server reads it.
func TestPublish(t *testing.T) {
	dir := mount(t, modelPath)
	m := newModel(t)
	out, err := Publish.Run(t.Context(), PublishIn{Model: m})
	if err != nil {
		t.Fatal(err)
	}
	published, err := readModel(filepath.Join(dir, modelFile))
	if err != nil || published.version != out.Version.Get() {
		t.Errorf("version %v published as %v, %v", out.Version.Get(), published, err)
	}
}

func TestBadModel(t *testing.T) {
	file := filepath.Join(t.TempDir(), "model.json")
	for content, want := range map[string]string{
		"":   "unexpected end of JSON",
		"{}": `format "" with 0 layers`,
		`{"format":"mnist-mlp/1","layers":[{"weights":[[1]],"bias":[1]},{"weights":[[1]],"bias":[1]}]}`: "layer 1 has weights for 1 inputs, not 784",
	} {
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readModel(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", content, err, want)
		}
	}
}
