package dsl

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestContract runs a step as each target does, and reads what it leaves.
func TestContract(t *testing.T) {
	for _, outputs := range []string{"", "argo", "local"} {
		t.Run("for "+outputs, func(t *testing.T) {
			dir := t.TempDir()
			at := func(name string) string { return filepath.Join(dir, "out", name) }
			input := `{"inputs":{"parameterValues":{"big":9007199254740993,"text":"a {{x}} $(Y) ${Z} {{{","flag":null},
				"artifacts":{"model":null}},
				"outputs":{"parameters":{"big":{"outputFile":"` + at("p/big") + `"},"text":{"outputFile":"` + at("p/text") + `"},"none":{"outputFile":"` + at("p/none") + `"}},
				"artifacts":{"data":{"artifacts":[{"name":"data","type":{"schemaTitle":"system.Dataset"},"uri":"s3://bucket/data","customPath":"` + at("a/data") + `","metadataFile":"` + at("m/data") + `","metadata":{} }]},
				"metrics":{"artifacts":[{"name":"metrics","uri":"s3://bucket/metrics","customPath":"` + at("a/metrics") + `","metadataFile":"` + at("m/metrics") + `"}]}},
				"outputFile":"` + at("output.json") + `"},"kfpgo":{"v":1,"outputs":"` + outputs + `"}}`
			if outputs == "" {
				input, _, _ = strings.Cut(input, `,"kfpgo"`)
				input += "}"
			}
			if _, err := stepContract.c.Run(t.Context(), json.RawMessage(input)); err != nil {
				t.Fatal(err)
			}
			want := map[string]string{
				"output.json": `{"artifacts":{"data":{"artifacts":[{"name":"data","uri":"s3://bucket/data","metadata":{"rows":"{{3}} $"}}]},` +
					`"metrics":{"artifacts":[{"name":"metrics","uri":"s3://bucket/metrics","metadata":{"loss":0.5}}]}},` +
					`"parameterValues":{"big":9007199254740993,"text":"a {{x}} $(Y) ${Z} {{{"}}`,
				"a/data": "rows",
			}
			if outputs == "argo" {
				want["p/big"], want["p/none"] = "9007199254740993", "null"
				want["p/text"] = `"a {\u007bx}} \u0024(Y) \u0024{Z} {\u007b{"`
				want["m/data"], want["m/metrics"] = `{"rows":"{\u007b3}} \u0024"}`, `{"loss":0.5}`
				want["a/metrics"] = ""
			}
			got := map[string]string{}
			filepath.WalkDir(at(""), func(file string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				b, err := os.ReadFile(file)
				rel, _ := filepath.Rel(at(""), file)
				got[filepath.ToSlash(rel)] = string(b)
				return err
			})
			if !maps.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

type contractIn struct {
	Big   Param[int64]
	Text  Param[string]
	Flag  Param[bool] `default:"true"`
	Model Model       `kfp:",optional"`
}

type contractOut struct {
	Big     Param[int64]
	Text    Param[string]
	None    Param[string] `kfp:",optional"`
	Data    Dataset
	Metrics Metrics
}

var stepContract = Func("contract", func(_ context.Context, in contractIn, out *contractOut) error {
	if !in.Flag.Get() || in.Model.Given() {
		return errors.New("null is not the same as absent")
	}
	out.Big.Set(in.Big.Get())
	out.Text.Set(in.Text.Get())
	LogMetric(out.Metrics, "loss", 0.5)
	out.Data.SetMetadata("rows", "{{3}} $")
	return os.WriteFile(out.Data.Path(), []byte("rows"), 0o644)
})

func TestContractErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o644)
	const params = `"inputs":{"parameterValues":{"big":1,"text":""}}`
	for input, want := range map[string]string{
		`[`:                                  "executor input: ",
		`{"kfpgo":{"v":2,"outputs":"argo"}}`: "version 2 of the step contract; this program knows 1",
		`{"kfpgo":{"v":1,"outputs":"moon"}}`: `kfpgo.outputs is "moon"`,
		`{` + params + `,"outputs":{"outputFile":"` + file + `/out.json","artifacts":{"data":{"artifacts":[{"uri":"` + file + `d"}]},"metrics":{"artifacts":[{"uri":"` + file + `m"}]}}}}`: "executor output: ",
		`{"inputs":{"parameterValues":{"big":1.5,"text":""}}}`:                 "input big: ",
		`{"inputs":{"parameterValues":{"big":1e30,"text":""}}}`:                "input big: ",
		`{"inputs":{"parameterValues":{"big":9223372036854775808,"text":""}}}`: "input big: ",
	} {
		if _, err := stepContract.c.Run(t.Context(), json.RawMessage(input)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", input, err, want)
		}
	}
}

func TestPaths(t *testing.T) {
	for _, tt := range []struct{ artifact, want string }{
		{`{"uri":"gs://bucket/a/b"}`, "/gcs/bucket/a/b"},
		{`{"uri":"s3://bucket/a"}`, "/s3/bucket/a"},
		{`{"uri":"minio://bucket/a"}`, "/minio/bucket/a"},
		{`{"uri":"oci://ghcr.io/acme/model:1"}`, "/oci/ghcr.io_acme_model:1/models"},
		{`{"uri":"file:///tmp/a"}`, "/tmp/a"},
		{`{"uri":"/tmp/a"}`, "/tmp/a"},
		{`{"uri":"https://example.com/a"}`, "https://example.com/a"},
		{`{"uri":"s3://bucket/a","customPath":"/here"}`, "/here"},
		{`{"uri":"s3://bucket/a","metadata":{"_kfp_workspace":true}}`, "/kfp-workspace/.artifacts/s3/bucket/a"},
	} {
		var m Model
		if err := m.load([]byte(tt.artifact)); err != nil || m.Path() != tt.want {
			t.Errorf("%s: got %s, %v, want %s", tt.artifact, m.Path(), err, tt.want)
		}
	}
}

func TestIntegers(t *testing.T) {
	for text, want := range map[string]string{
		"5": "5", "5.0": "5", "1e6": "1000000", "-3.0": "-3", "5.5": "5.5", "1e30": "1e30", "x.y": "x.y",
		"9223372036854775807": "9223372036854775807", "9223372036854775808.0": "9223372036854775808.0",
	} {
		if got := string(integer(json.RawMessage(text))); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
