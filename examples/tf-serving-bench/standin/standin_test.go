package standin_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/kfpgo/kfpgo/examples/tf-serving-bench/standin"
)

func plain(t *testing.T, c color.Color) string {
	img := image.NewRGBA(image.Rect(0, 0, 90, 40))
	draw.Draw(img, img.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func post(t *testing.T, s *httptest.Server, body string) (int, string) {
	resp, err := http.Post(s.URL+"/v1/models/m:predict", "application/json", strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b)
}

// TestPredict asks for several colours at once, with batching off and on.
func TestPredict(t *testing.T) {
	colours := map[string]color.Color{
		"black": color.Black, "white": color.White, "red": color.RGBA{255, 0, 0, 255}, "yellow": color.RGBA{250, 240, 10, 255},
		"green": color.RGBA{10, 240, 20, 255}, "blue": color.RGBA{20, 10, 230, 255}, "grey": color.Gray{127},
	}
	for _, batching := range []bool{false, true} {
		s := httptest.NewServer(standin.Handler(t.Context(), standin.Config{Model: "m", CPUs: 2, Batching: batching, MaxBatch: 3}))
		defer s.Close()
		var wg sync.WaitGroup
		for want, c := range colours {
			wg.Go(func() {
				code, text := post(t, s, fmt.Sprintf(`{"instances":[{"b64":%q}]}`, plain(t, c)))
				var a struct{ Predictions [][]float64 }
				if err := json.Unmarshal([]byte(text), &a); err != nil || code != 200 || len(a.Predictions) != 1 {
					t.Errorf("%s: %d %s", want, code, text)
					return
				}
				best, sum := 0, 0.0
				for i, v := range a.Predictions[0] {
					sum += v
					if v > a.Predictions[0][best] {
						best = i
					}
				}
				if got := standin.Colours[best]; got != want || sum < 0.999 || sum > 1.001 {
					t.Errorf("%s is taken for %s; sum %v", want, got, sum)
				}
			})
		}
		wg.Wait()
		if resp, err := http.Get(s.URL + "/v1/models/m"); err != nil || resp.StatusCode != 200 {
			t.Error(resp, err)
		}
	}
}

func TestRefused(t *testing.T) {
	s := httptest.NewServer(standin.Handler(t.Context(), standin.Config{Model: "m"}))
	defer s.Close()
	for body, want := range map[string]string{
		`x`:                              "invalid character",
		`{}`:                             "there are no instances",
		`{"instances":[{"b64":"%"}]}`:    "instance 0: illegal base64",
		`{"instances":[{"b64":"AAAA"}]}`: "instance 0: image: unknown format",
	} {
		if code, text := post(t, s, body); code != 400 || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", body, code, text)
		}
	}
	if code, text := post(t, s, `{"instances":[{"b64":"`+strings.Repeat("A", 97<<20)+`"}]}`); code != 413 {
		t.Error(code, text)
	}
}
