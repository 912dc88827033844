package bench_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/examples/tf-serving-bench/bench"
	"github.com/kfpgo/kfpgo/examples/tf-serving-bench/standin"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

func photo(w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, color.RGBA{uint8(x * 255 / w), uint8(y * 255 / h), uint8((x ^ y) & 255), 255})
		}
	}
	return img
}

func encoded(t *testing.T, encode func(b *bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPictures(t *testing.T) {
	data := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, photo(600, 300)) })
	o, list, err := bench.Pictures("x", data, []int{2048, 512, 128})
	if err != nil || o.Width != 600 || o.Height != 300 || o.Format != "png" || o.Bytes != len(data) {
		t.Fatal(o, err)
	}
	var got []string
	for _, p := range list {
		c, format, err := image.DecodeConfig(bytes.NewReader(p.Data))
		if err != nil || p.Bytes != len(p.Data) {
			t.Error(p.Size, p.Format, err)
		}
		got = append(got, fmt.Sprintf("%d %s is a %s of %dx%d", p.Size, p.Format, format, c.Width, c.Height))
	}
	want := "600 original is a png of 600x300, 512 png is a png of 512x256, 512 jpeg is a jpeg of 512x256, 128 png is a png of 128x64, 128 jpeg is a jpeg of 128x64"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	tall := bench.Scale(photo(100, 400), 200).Bounds()
	if tall.Dx() != 50 || tall.Dy() != 200 {
		t.Error(tall)
	}
	for sizes, want := range map[int]string{0: "size 0 is none", 4096: "less than each of the sizes [4096]"} {
		if _, _, err := bench.Pictures("x", data, []int{sizes}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", sizes, err)
		}
	}
}

// TestHostile: what would take long, or isn't an image, is refused by name.
func TestHostile(t *testing.T) {
	p := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, photo(64, 64)) })
	j := encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, photo(64, 64), nil) })
	g := encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, photo(64, 64), nil) })
	bomb := bytes.Clone(p)
	copy(bomb[16:], []byte{0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff}) // its checksum is wrong now
	right := bytes.Clone(bomb)
	binary.BigEndian.PutUint32(right[29:], crc32.ChecksumIEEE(right[12:29]))
	empty := bytes.Clone(j)
	sof := bytes.Index(empty, []byte{0xff, 0xc0})
	copy(empty[sof+5:], []byte{0xff, 0xff, 0xff, 0xff})
	for _, tt := range []struct {
		name, want string
		large      bool
		data       []byte
	}{
		{"nothing", "neither a PNG nor a JPEG", false, nil},
		{"text", "neither a PNG nor a JPEG", false, []byte("<svg xmlns='http://www.w3.org/2000/svg'/>")},
		{"gif", "neither a PNG nor a JPEG", false, g},
		{"half a png", "the png can't be read", false, p[:len(p)/2]},
		{"half a jpeg", "the jpeg can't be read", false, j[:len(j)/2]},
		{"head of a png", "the png can't be read", false, p[:8]},
		{"head of a jpeg", "the jpeg can't be read", false, j[:3]},
		{"png of 4 billion pixels", "65535 x 65535 pixels; 40 million are allowed", true, right},
		{"png with a wrong head", "the png can't be read", false, bomb},
		{"jpeg of 4 billion pixels", "65535 x 65535 pixels; 40 million are allowed", true, empty},
		{"jpeg of many scans", "101 scans; 100 are allowed", true, append(bytes.Clone(j), bytes.Repeat([]byte{0xff, 0xda, 0, 2}, 100)...)},
		{"too many bytes", "more than 64 MiB", true, append(bytes.Clone(p), make([]byte, bench.MaxBytes)...)},
	} {
		_, _, err := bench.Decode(tt.data)
		var e *bench.ImageError
		if !errors.As(err, &e) || e.TooLarge != tt.large || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	for _, good := range [][]byte{p, j} {
		if _, _, err := bench.Decode(good); err != nil {
			t.Error(err)
		}
	}
}

// TestLarge: a picture of 24 megapixels whose PNG has more than 16 MiB is made smaller, and
// a server is asked about it as it is.
func TestLarge(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 6000, 4000))
	random := rand.NewChaCha8([32]byte{})
	random.Read(img.Pix)
	data := encoded(t, func(b *bytes.Buffer) error { return (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(b, img) })
	o, pictures, err := bench.Pictures("large", data, []int{128})
	if err != nil || o.Width*o.Height != 24_000_000 || o.Bytes < 16<<20 || len(pictures) != 3 {
		t.Fatal(o, len(pictures), err)
	}
	s := httptest.NewServer(standin.Handler(t.Context(), standin.Config{Model: "m", CPUs: 1}))
	defer s.Close()
	measured, err := bench.Measure(t.Context(), bench.Server{Name: "cpu1"}, bench.Client{URL: s.URL, Model: "m"}, pictures, bench.Load{Requests: 1, Parallel: 1, Ready: time.Minute})
	if err != nil || measured.Missing != "" || len(measured.Cells) != 3 {
		t.Error(measured, err)
	}
}

// server answers with scores that depend on how many bytes it is sent.
func server(t *testing.T, delay time.Duration) bench.Client {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models/m" {
			fmt.Fprint(w, `{"name":"m","ready":true}`)
			return
		}
		var q struct{ Instances []struct{ B64 string } }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.URL.Path != "/v1/models/m:predict" || len(q.Instances) != 1 {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		time.Sleep(delay)
		b, err := base64.StdEncoding.DecodeString(q.Instances[0].B64)
		if err != nil {
			t.Error(err)
		}
		second := 0.1
		if len(b) == 2 {
			second = 0.6
		}
		json.NewEncoder(w).Encode(map[string]any{"predictions": [][]float64{{0.3, second, 0.5}}})
	}))
	t.Cleanup(s.Close)
	return bench.Client{URL: s.URL + "/", Model: "m"}
}

var load = bench.Load{Requests: 10, Parallel: 3, Ready: 2 * time.Second}

func TestMeasure(t *testing.T) {
	pictures := []bench.Picture{{Size: 9, Format: "original", Data: []byte("abc")}, {Size: 9, Format: "png", Data: []byte("ab")}}
	s, err := bench.Measure(t.Context(), bench.Server{Name: "cpu1"}, server(t, 5*time.Millisecond), pictures, load)
	if err != nil || s.Missing != "" || len(s.Cells) != 2 {
		t.Fatal(s, err)
	}
	a, b := s.Cells[0], s.Cells[1]
	if a.Class != 2 || a.Score != 0.5 || a.Change != 0 || !a.Same || b.Class != 2 || b.Score != 0.5 || b.Same {
		t.Errorf("%+v, %+v", a, b)
	}
	for _, c := range s.Cells {
		if c.P50 < 5 || c.P99 < c.P50 || c.PerSec <= 0 || c.PerSec > 3*200 {
			t.Errorf("%+v", c)
		}
	}
	if s.PerSec <= 0 || s.PerSec > 600 {
		t.Error(s.PerSec)
	}
}

// TestMissing: a server that can't be measured says why, and is no error.
func TestMissing(t *testing.T) {
	pictures := []bench.Picture{{Size: 9, Format: "original", Data: []byte("abc")}}
	answers := func(text string) bench.Client {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && text == "fails" {
				http.Error(w, `{"error":"out of memory"}`, http.StatusInternalServerError)
				return
			}
			fmt.Fprint(w, text)
		}))
		t.Cleanup(s.Close)
		return bench.Client{URL: s.URL, Model: "m"}
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	defer gone.Close()
	for want, c := range map[string]bench.Client{
		"it isn't up after 300ms (404 Not Found)":                  {URL: gone.URL, Model: "m"},
		"it isn't up after 300ms (it is loading the model)":        answers(`{"model_version_status":[{"state":"LOADING"}]}`),
		`9 px original: POST`:                                      answers("fails"),
		`an answer of another form: {"predictions":[[0.1],[0.2]]}`: answers(`{"predictions":[[0.1],[0.2]]}`),
	} {
		s, err := bench.Measure(t.Context(), bench.Server{Name: "cpu1"}, c, pictures, bench.Load{Requests: 1, Parallel: 1, Ready: 300 * time.Millisecond})
		if err != nil || !strings.Contains(s.Missing, want) || s.Cells != nil {
			t.Errorf("want %s: %+v, %v", want, s, err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	if _, err := bench.Measure(ctx, bench.Server{}, server(t, 0), pictures, load); err == nil || err.Error() != "enough" {
		t.Error(err)
	}
}

func TestLoad(t *testing.T) {
	for _, l := range []bench.Load{{}, {Requests: 1}, {Requests: 1, Parallel: 65}, {Requests: 100_001, Parallel: 1}} {
		if l.Check() == nil {
			t.Errorf("%+v", l)
		}
	}
}

func TestPercentile(t *testing.T) {
	var times []time.Duration
	for i := range 200 {
		times = append(times, time.Duration(i+1)*time.Millisecond)
	}
	if a, b := bench.Percentile(times, 50), bench.Percentile(times, 99); a != 100*time.Millisecond || b != 198*time.Millisecond {
		t.Error(a, b)
	}
	if one := bench.Percentile(times[:1], 99); one != time.Millisecond {
		t.Error(one)
	}
}

// sample is a report with all that there can be.
func sample() *bench.Report {
	pictures := []bench.Picture{
		{Size: 300, Format: "original", Bytes: 5000}, {Size: 256, Format: "png", Bytes: 6000}, {Size: 256, Format: "jpeg", Bytes: 1500},
		{Size: 128, Format: "png", Bytes: 1800}, {Size: 128, Format: "jpeg", Bytes: 600},
	}
	server := func(name string, batching, standard bool, perSec float64) bench.Server {
		s := bench.Server{Name: name, Batching: batching, Standard: standard, What: "TensorFlow Serving <2.16>", PerSec: perSec}
		for i := range pictures {
			ms := 1000 / perSec * float64(5-i)
			s.Cells = append(s.Cells, bench.Cell{P50: ms, P99: 2 * ms, PerSec: perSec, Class: 13, Score: 0.9 - 0.01*float64(i), Change: -0.01 * float64(i), Same: i < 4})
		}
		return s
	}
	pulled := server("cpu1", false, false, 10)
	pulled.Image = bench.Image{Bytes: 400 << 20, Pull: 12.5}
	return bench.New(bench.Original{Name: "a & b", Format: "png", Width: 300, Height: 200, Bytes: 5000}, bench.Load{Requests: 10, Parallel: 2}, pictures,
		[]bench.Build{{Name: "cpu", Seconds: 61.5, Digest: "sha256:aa"}, {Name: "gpu", Missing: "no <nvcc>"}},
		[]bench.Server{
			pulled, {Name: "cpu8", Missing: "this machine has 2 CPUs"}, server("gpu1", false, false, 45), server("cpu1", true, false, 12),
			server("cpu1", false, true, 8), {Name: "gpu1", Standard: true, Missing: "no <image>"}, server("cpu8", false, true, 20),
		})
}

func TestReport(t *testing.T) {
	r := sample()
	var got []string
	for _, e := range r.Equal {
		got = append(got, fmt.Sprintf("%v %s %.2f %s", e.Batching, e.By, e.CPUs, e.Missing))
	}
	want := []string{"false cpu1 4.50 ", "false cpu8 0.00 cpu8: this machine has 2 CPUs", "true cpu1 0.00 gpu1: nobody asked for it", "true cpu8 0.00 gpu1: nobody asked for it"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	got = nil
	for _, g := range r.Gains {
		got = append(got, fmt.Sprintf("%s %.2f %s", g.Name, g.Factor, g.Missing))
	}
	want = []string{"cpu1 1.25 ", "gpu1 0.00 standard: no <image>", "cpu8 0.00 optimised: this machine has 2 CPUs"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	// The medians are 4 and 3 parts of the time for 256 pixels, and 2 and 1 for 128.
	if a, b, c := r.TimeRatio(r.Servers[0], 256), r.TimeRatio(r.Servers[0], 128), r.TimeRatio(r.Servers[1], 128); math.Abs(a-4.0/3) > 1e-9 || math.Abs(b-2) > 1e-9 || c != 0 {
		t.Error(a, b, c)
	}
	if v := r.Ratio(128); math.Abs(v-3) > 1e-9 || r.Ratio(1) != 0 {
		t.Error(v)
	}
	if r.Saved(r.Pictures[1]) != -1000 || r.Saved(r.Pictures[4]) != 4400 {
		t.Error("saved")
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"report.json": func(b *bytes.Buffer) error { return r.JSON(b) }, "report.csv": func(b *bytes.Buffer) error { return r.CSV(b) },
		"report.html": func(b *bytes.Buffer) error { return r.HTML(b) },
	} {
		golden.Check(t, "testdata/"+name, encoded(t, write))
	}
	// Nothing was measured at all.
	empty := bench.New(r.Original, r.Load, r.Pictures, nil, []bench.Server{{Name: "cpu1", Missing: "why"}})
	page := string(encoded(t, func(b *bytes.Buffer) error { return empty.HTML(b) }))
	for _, want := range []string{"No server was measured.", "None was built.", "not measured: why"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page doesn't have %s", want)
		}
	}
}
