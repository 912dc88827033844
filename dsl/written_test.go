package dsl

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type writesIn struct{ How Param[string] }

type writesOut struct {
	Data    Dataset
	Metrics Metrics
	Sliced  SlicedClassificationMetrics
	Curve   ClassificationMetrics
	Perhaps Model `kfp:",optional"`
}

var writes = Func("writes", func(_ context.Context, in writesIn, out *writesOut) error {
	switch path := out.Data.Path(); in.How.Get() {
	case "file":
		return os.WriteFile(path, []byte("x"), 0o644)
	case "empty file":
		return os.WriteFile(path, nil, 0o644)
	case "folder":
		return os.MkdirAll(filepath.Join(path, "part"), 0o755)
	case "link":
		return os.Symlink("/", path)
	case "dangling link":
		return os.Symlink("nowhere", path)
	case "metadata":
		out.Data.SetMetadata("table", "b.c")
	case "elsewhere":
		out.Data = File[Dataset]("s3://bucket/data")
	case "elsewhere here":
		out.Data = File[Dataset](path + "/../../nowhere")
	case "other name":
		return os.WriteFile(path+".csv", nil, 0o644)
	}
	return nil
})

// TestWritten: a step that doesn't write an artifact that it promised fails, by the
// artifact's name, on each engine and in a unit test.
func TestWritten(t *testing.T) {
	const unwritten = "output data was never written: there is no file or folder at "
	for how, want := range map[string]string{
		"file": "", "empty file": "", "folder": "", "link": "", "metadata": "", "elsewhere": "",
		"nothing": unwritten, "dangling link": unwritten, "elsewhere here": unwritten, "other name": unwritten,
	} {
		for _, engine := range []string{"", `,"kfpgo":{"v":1,"outputs":"argo"}`, `,"kfpgo":{"v":1,"outputs":"local"}`} {
			dir := t.TempDir()
			arts, none := "", ""
			if strings.Contains(engine, "argo") {
				none = `,"metadata":{}`
			}
			for _, name := range []string{"data", "metrics", "sliced", "curve", "perhaps"} {
				arts += `,"` + name + `":{"artifacts":[{"name":"` + name + `","uri":"file://` + filepath.Join(dir, "a", name) + `"` + none + `}]}`
			}
			input := `{"inputs":{"parameterValues":{"how":"` + how + `"}},"outputs":{"artifacts":{` + arts[1:] + `},"outputFile":"` + dir + `/output.json"}` + engine + `}`
			_, err := writes.c.Run(t.Context(), json.RawMessage(input))
			if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
				t.Errorf("%s%s: got %v, want %q", how, engine, err, want)
			}
			if _, missing := os.Stat(filepath.Join(dir, "output.json")); (missing == nil) != (want == "") {
				t.Errorf("%s%s: an executor output: %v", how, engine, missing == nil)
			}
		}
		if _, err := writes.Run(t.Context(), writesIn{How: Const(how)}); (err == nil) != (want == "") {
			t.Errorf("%s: Run: got %v, want %q", how, err, want)
		}
	}
}
