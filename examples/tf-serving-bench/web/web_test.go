package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/examples/tf-serving-bench/bench"
)

func site160(t *testing.T) *httptest.Server {
	t.Helper()
	targets, stop, err := standIns(t.Context(), "m")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	s := httptest.NewServer(newSite(complete(targets), ""))
	t.Cleanup(s.Close)
	return s
}

func photo(t *testing.T) []byte {
	img := image.NewRGBA(image.Rect(0, 0, 160, 90))
	for y := range 90 {
		for x := range 160 {
			img.Set(x, y, color.RGBA{uint8(x), uint8(2 * y), 200, 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// ask sends a request and returns the answer, without following where it leads.
func ask(t *testing.T, s *httptest.Server, method, path, kind string, body []byte, change ...func(*http.Request)) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	for _, c := range change {
		c(req)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(b)
}

// form is what a browser sends: fields in order, of which image is a file.
func form(t *testing.T, fields ...[2]string) (kind string, body []byte) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, f := range fields {
		to, err := w.CreateFormField(f[0])
		if f[0] == "image" {
			to, err = w.CreateFormFile("image", `C:\pictures\<b>x.png`)
		}
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(to, f[1])
	}
	w.Close()
	return w.FormDataContentType(), b.Bytes()
}

// TestUpload goes the way of a browser: form, upload, report, JSON and CSV.
func TestUpload(t *testing.T) {
	s := site160(t)
	if resp, text := ask(t, s, "GET", "/", "", nil); resp.StatusCode != 200 || !strings.Contains(text, "gpu1 batching: <span class=\"none\">not measured (no server was named)</span>") {
		t.Error(resp.Status, text)
	}
	kind, body := form(t, [2]string{"image", string(photo(t))}, [2]string{"requests", "3"})
	resp, text := ask(t, s, "POST", "/", kind, body)
	to := resp.Header.Get("Location")
	if resp.StatusCode != http.StatusSeeOther || !strings.HasPrefix(to, "/results/") {
		t.Fatal(resp.Status, text)
	}
	resp, text = ask(t, s, "GET", to, "", nil)
	for _, want := range []string{"&lt;b&gt;x.png", "160 × 90 pixels", "posted 3 times", "stand-in in Go, not TensorFlow", `class="chart"`} {
		if resp.StatusCode != 200 || !strings.Contains(text, want) {
			t.Errorf("%s: nothing has %s", resp.Status, want)
		}
	}
	if strings.Contains(text, "<b>x") || strings.Contains(text, "<script") {
		t.Error("the page has what was sent as it is")
	}
	id := strings.TrimPrefix(to, "/results/")
	if _, text := ask(t, s, "GET", "/api/reports", "", nil); !strings.Contains(text, id) {
		t.Error(text)
	}
	var got result
	if _, text := ask(t, s, "GET", "/api/reports/"+id, "", nil); json.Unmarshal([]byte(text), &got) != nil || got.ID != id || len(got.Report.Servers) != 6 || got.Report.Servers[0].PerSec <= 0 {
		t.Error(text)
	}
	if resp, text := ask(t, s, "GET", "/api/reports/"+id+".csv", "", nil); resp.StatusCode != 200 || strings.Count(text, "\n") != 1+6*3 {
		t.Error(resp.Status, text)
	}
}

func TestAPI(t *testing.T) {
	s := site160(t)
	resp, text := ask(t, s, "POST", "/api/reports?requests=2&parallel=1", "image/png", photo(t))
	var got result
	if err := json.Unmarshal([]byte(text), &got); err != nil || resp.StatusCode != http.StatusCreated || resp.Header.Get("Location") != "/api/reports/"+got.ID || got.Report.Load.Requests != 2 {
		t.Errorf("%s %s", resp.Status, text)
	}
	if resp, _ := ask(t, s, "GET", "/api/reports/none", "", nil); resp.StatusCode != 404 {
		t.Error(resp.Status)
	}
	if resp, text := ask(t, s, "GET", "/results/none", "", nil); resp.StatusCode != 404 || !strings.Contains(text, `role="alert"`) {
		t.Error(resp.Status, text)
	}
	if resp, _ := ask(t, s, "DELETE", "/api/reports", "", nil); resp.StatusCode != http.StatusMethodNotAllowed {
		t.Error(resp.Status)
	}
}

// TestRefused: what should not be sent is refused, by the form and by the API.
func TestRefused(t *testing.T) {
	s := site160(t)
	p := photo(t)
	bomb := bytes.Clone(p)
	copy(bomb[16:], []byte{0, 0, 0x23, 0x28, 0, 0, 0x23, 0x28}) // 9000 x 9000
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	large := append(bytes.Clone(p), make([]byte, bench.MaxBytes+128<<10)...)
	for _, tt := range []struct {
		name, want string
		code       int
		data       []byte
	}{
		{"a page", "neither a PNG nor a JPEG", 415, []byte("<script>alert(1)</script>")},
		{"half an image", "the png can&#39;t be read", 415, p[:100]},
		{"a bomb", "9000 x 9000 pixels; 40 million are allowed", 413, bomb},
		{"a large file", "request body too large", 413, large},
	} {
		kind, body := form(t, [2]string{"image", string(tt.data)})
		if resp, text := ask(t, s, "POST", "/", kind, body); resp.StatusCode != tt.code || !strings.Contains(text, tt.want) || !strings.Contains(text, `role="alert"`) {
			t.Errorf("%s, form: %s %.300s", tt.name, resp.Status, text)
		}
		if resp, text := ask(t, s, "POST", "/api/reports", "", tt.data); resp.StatusCode != tt.code || !strings.HasPrefix(text, `{"error":`) {
			t.Errorf("%s, API: %s %.300s", tt.name, resp.Status, text)
		}
	}
	image := [2]string{"image", string(p)}
	for want, fields := range map[string][][2]string{
		"no file was chosen":                  {{"requests", "3"}},
		"there are two images":                {image, image},
		"requests is &#34;0&#34;":             {{"requests", "0"}, image},
		"requests is &#34;1000000000&#34;":    {{"requests", "1000000000"}, image},
		"x is &#34;&#34;; there are requests": {{"x", ""}, image},
		"the form has too many parts":         {{"requests", "1"}, {"requests", "1"}, {"requests", "1"}, {"requests", "1"}, {"requests", "1"}, {"requests", "1"}, {"requests", "1"}, {"requests", "1"}, {"requests", "1"}, {"requests", "1"}, {"requests", "1"}},
	} {
		kind, body := form(t, fields...)
		if resp, text := ask(t, s, "POST", "/", kind, body); resp.StatusCode != 400 || !strings.Contains(text, want) {
			t.Errorf("want %s: %s %.900s", want, resp.Status, text)
		}
	}
	for path, want := range map[string]string{"/api/reports": "there is no image", "/api/reports?requests=x": `requests is \"x\"`, "/api/reports?y=1": `y is \"1\"`} {
		body := p
		if path == "/api/reports" {
			body = nil
		}
		if resp, text := ask(t, s, "POST", path, "image/png", body); resp.StatusCode != 400 || !strings.Contains(text, want) {
			t.Errorf("%s: %s %s", path, resp.Status, text)
		}
	}
	if resp, text := ask(t, s, "POST", "/", "multipart/form-data; boundary=x", []byte("--x\r\nContent-Disp")); resp.StatusCode != 400 {
		t.Error(resp.Status, text)
	}
}

// TestProtected: other sites, and names that lead here, are kept out.
func TestProtected(t *testing.T) {
	s := site160(t)
	for _, host := range []string{"evil.example.com", "169.254.169.254:80", "evil.example.com:80"} {
		if resp, _ := ask(t, s, "GET", "/", "", nil, func(r *http.Request) { r.Host = host }); resp.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %s", host, resp.Status)
		}
	}
	for _, host := range []string{"localhost:1", "127.0.0.1", "[::1]:8080", "[::1]"} {
		if resp, _ := ask(t, s, "GET", "/", "", nil, func(r *http.Request) { r.Host = host }); resp.StatusCode != 200 || resp.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %s", host, resp.Status)
		}
	}
	resp, _ := ask(t, s, "POST", "/api/reports", "image/png", photo(t), func(r *http.Request) { r.Header.Set("Origin", "http://evil.example.com") })
	if resp.StatusCode != http.StatusForbidden {
		t.Error(resp.Status)
	}
}

// TestBusy: a second image is not measured beside the first.
func TestBusy(t *testing.T) {
	asked, free := make(chan struct{}), make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			asked <- struct{}{}
			<-free
		}
	}))
	defer slow.Close()
	defer close(free)
	tg, err := parseTarget("cpu1="+slow.URL, "m")
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(newSite(complete([]target{tg}), ""))
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	p := photo(t)
	go func() {
		defer close(done)
		req, _ := http.NewRequestWithContext(ctx, "POST", s.URL+"/api/reports", bytes.NewReader(p))
		if _, err := http.DefaultClient.Do(req); err == nil {
			t.Error("nobody answered the server, and there is a report")
		}
	}()
	<-asked
	resp, text := ask(t, s, "POST", "/api/reports", "", p)
	if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" || !strings.Contains(text, "another image is being measured") {
		t.Error(resp.Status, text)
	}
	cancel() // who goes away makes room
	<-done
	for range 100 {
		if resp, _ = ask(t, s, "POST", "/api/reports", "", nil); resp.StatusCode == 400 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error(resp.Status)
}

func TestFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-addr 0.0.0.0:0":                "only addresses of this machine",
		"-addr :0":                       "only addresses of this machine",
		"-addr example.com:80":           "only addresses of this machine",
		"-addr x":                        "missing port",
		"-server cpu1":                   "is not NAME=URL",
		"-server cpu2=http://x":          "there are cpu1, cpu8, gpu1",
		"-server cpu1=file:///etc/hosts": "is not NAME=URL",
		"x":                              `"x" is no flag`,
	} {
		if err := run(t.Context(), strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
	for flag, want := range map[string]string{
		"gpu1-batching=http://x":                         "gpu1 batching, m at http://x",
		"cpu1-standard=http://a:8501/v1/models/a":        "cpu1 standard, a at http://a:8501",
		"cpu8-batching-standard=https://x/y/v1/models/b": "cpu8 batching standard, b at https://x/y",
	} {
		got, err := parseTarget(flag, "m")
		if s := fmt.Sprintf("%s, %s at %s", got.Label(), got.Model, got.URL); err != nil || s != want {
			t.Errorf("%s: %s, %v", flag, s, err)
		}
	}
	standard, err := parseTarget("cpu1-standard=http://x", "m")
	if err != nil {
		t.Fatal(err)
	}
	if all := complete([]target{standard}); len(all) != 7 || all[0].Missing == "" || all[6].Label() != "cpu1 standard" {
		t.Error(all)
	}
}

// TestServe ends with its context.
func TestServe(t *testing.T) {
	l, err := listen("127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- serve(ctx, l, newSite(complete(nil), "")) }()
	resp, err := http.Get(fmt.Sprintf("http://localhost:%d/style.css", l.Addr().(*net.TCPAddr).Port))
	if err != nil || resp.StatusCode != 200 {
		t.Fatal(resp, err)
	}
	resp.Body.Close()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	for in, want := range map[string]string{"": "image", "..": "..", "/": "image", `a\b.png`: "b.png", "../../etc/x": "x", strings.Repeat("é", 100): strings.Repeat("é", 80) + "…"} {
		if got := fileName(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
