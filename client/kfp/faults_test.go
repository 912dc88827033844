package kfp

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/testing/fakekfp"
	"github.com/kfpgo/kfpgo/internal/testing/faults"
)

const spec = "pipelineInfo: {name: a}\nroot: {dag: {tasks: {}}}\n"

// TestFaults: what a client reports is what the server holds, whatever happens on
// the way. test/kfp does the same to a real server.
func TestFaults(t *testing.T) {
	old := window
	window = 100 * time.Millisecond
	t.Cleanup(func() { window = old })
	for i, kind := range faults.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			s := fakekfp.New(t)
			p := faults.New(t, s.URL, kind, 0.4, uint64(i))
			p.Delay = time.Second
			c := to(t, Config{Endpoint: p.URL, Timeout: 300 * time.Millisecond})
			started, open := 0, 0
			for n := range 16 {
				_, err := c.Submit(t.Context(), client.Submission{Name: fmt.Sprint("run-", n), Spec: []byte(spec)})
				switch {
				case err == nil:
					started++
				case client.CodeOf(err) == "":
					t.Errorf("an error without a code: %v", err)
				case strings.Contains(err.Error(), "not known whether"):
					open++
				}
			}
			if got := s.Count("runs"); got < started || got > started+open {
				t.Errorf("%d runs on the server, %d reported and %d open", got, started, open)
			}
			if p.Faults() == 0 {
				t.Error("no fault happened")
			}
		})
	}
}

// TestDeleteTwice: the answer to a deletion is lost, and the second try finds nothing.
func TestDeleteTwice(t *testing.T) {
	s := fakekfp.New(t)
	e, _, err := to(t, Config{Endpoint: s.URL}).CreateExperiment(t.Context(), "x", "")
	if err != nil {
		t.Fatal(err)
	}
	p := faults.New(t, s.URL, faults.AfterReset, 0.5, 3)
	if err := to(t, Config{Endpoint: p.URL}).DeleteExperiment(t.Context(), e.ID); err != nil || s.Count("experiments") != 0 {
		t.Errorf("%v, %d left", err, s.Count("experiments"))
	}
}

func TestUpload(t *testing.T) {
	s := fakekfp.New(t)
	c := to(t, Config{Endpoint: s.URL})
	var z, g bytes.Buffer
	zw := zip.NewWriter(&z)
	w, _ := zw.Create("dir/pipeline.yaml")
	w.Write([]byte(spec))
	zw.Close()
	gw := gzip.NewWriter(&g)
	tw := tar.NewWriter(gw)
	tw.WriteHeader(&tar.Header{Name: "pipeline.yml", Size: int64(len(spec)), Mode: 0o644})
	tw.Write([]byte(spec))
	tw.Close()
	gw.Close()
	for i, u := range []struct {
		file []byte
		want client.Change
	}{{[]byte(spec), client.Created}, {z.Bytes(), client.Unchanged}, {g.Bytes(), client.Unchanged}, {[]byte(spec + "sdkVersion: x\n"), client.Updated}} {
		if _, change, err := c.Upload(t.Context(), Upload{Pipeline: "a", Spec: u.file}); err != nil || change != u.want {
			t.Errorf("%d: %s %v, want %s", i, change, err, u.want)
		}
	}
	for _, bad := range [][]byte{nil, []byte("a: ["), []byte("a: 1\n---\nb: 1\n---\nc: 1"), []byte("PK\x03\x04"), {0x1f, 0x8b}} {
		if _, _, err := c.Upload(t.Context(), Upload{Pipeline: "b", Spec: bad}); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	if s.Count("pipelines") != 1 {
		t.Errorf("%d pipelines", s.Count("pipelines"))
	}
}

// TestRecurringRunOfVersion: a recurring run of a version that the server keeps has a reference and no
// spec.
func TestRecurringRunOfVersion(t *testing.T) {
	s := fakekfp.New(t)
	c := to(t, Config{Endpoint: s.URL})
	v, _, err := c.Upload(t.Context(), Upload{Pipeline: "a", Spec: []byte(spec)})
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.CreateRecurringRun(t.Context(), RecurringRun{Name: "r", Cron: "0 0 3 * * *", Pipeline: v.Pipeline, Version: v.ID, Enabled: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Spec != nil || r.Version != v.ID || r.Pipeline != v.Pipeline || !r.Enabled {
		t.Errorf("%+v", r)
	}
	for _, bad := range []RecurringRun{
		{Name: "r", Cron: "* * * * * *"}, {Name: "r", Version: v.ID}, {Name: "r", Version: v.ID, Every: time.Millisecond}, {Version: v.ID, Every: time.Second},
		{Name: "r", Version: v.ID, Every: time.Hour, MaxConcurrency: 11}, {Name: "r", Version: v.ID, Every: time.Hour, End: time.Unix(1, 0)},
	} {
		if _, err := c.CreateRecurringRun(t.Context(), bad); client.CodeOf(err) != client.Invalid {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// TestNumbers: KFP holds numbers as doubles, so what one can't hold is refused.
func TestNumbers(t *testing.T) {
	s := fakekfp.New(t)
	c := to(t, Config{Endpoint: s.URL})
	for arg, ok := range map[string]bool{`9007199254740992`: true, `9007199254740993`: false, `[1,{"a":-9007199254740993}]`: false, `"{{$.x}}"`: false, `"a $$ b"`: false, `"a $ $(A)"`: true, `0.1`: true, `1e300`: true, `"` + strings.Repeat("a", 131000) + `"`: true, `"` + strings.Repeat("a", 131100) + `"`: false, `"a\u0000b"`: false} {
		any := strings.Replace(spec, "root: {", "root: {inputDefinitions: {parameters: {n: {}}}, ", 1)
		_, err := c.Submit(t.Context(), client.Submission{Spec: []byte(any), Args: map[string]json.RawMessage{"n": json.RawMessage(arg)}})
		if ok != (err == nil) {
			t.Errorf("%s: %v", arg, err)
		}
	}
}

// TestInputs: arguments that aren't the pipeline's are refused before the server has them.
func TestInputs(t *testing.T) {
	s := fakekfp.New(t)
	c := to(t, Config{Endpoint: s.URL})
	typed := strings.Replace(spec, "root: {", "root: {inputDefinitions: {parameters: {n: {parameterType: NUMBER_INTEGER}, text: {parameterType: STRING, isOptional: true}}, artifacts: {data: {}}}, ", 1)
	for args, want := range map[string]string{
		`{"n":1,"text":"a"}`:  "",
		`{"n":1,"text":null}`: "",
		`{}`:                  "parameter n is required",
		`{"n":"x"}`:           `parameter n: "x" is not an integer`,
		`{"n":1,"m":2}`:       "there is no parameter m; the pipeline has n, text",
		`{"n":1,"other":2}`:   "there is no parameter other; the pipeline has n, text",
		`{"n":1,"data":"a"}`:  "input data is an artifact, and KFP takes parameters only as arguments",
	} {
		var given map[string]json.RawMessage
		if err := json.Unmarshal([]byte(args), &given); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{typed, "pipeline_spec: {" + strings.ReplaceAll(strings.TrimSpace(typed), "\n", ", ") + "}\nplatform_spec: {}\n"} {
			_, err := c.Submit(t.Context(), client.Submission{Spec: []byte(file), Args: given})
			if want == "" && err != nil || want != "" && (client.CodeOf(err) != client.Invalid || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s: %v, want %q", args, err, want)
			}
		}
	}
}
