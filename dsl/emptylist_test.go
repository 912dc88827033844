package dsl

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/contract"
)

type (
	emptyIn struct {
		All   List[Dataset]
		Maybe List[Dataset] `kfp:",optional"`
	}
	emptyOut struct{ N Param[int] }
)

// TestEmptyList: a list of artifacts that is empty was given, though KFP's launcher writes
// nothing of it but its name.
func TestEmptyList(t *testing.T) {
	step := Func("step", func(_ context.Context, in emptyIn, out *emptyOut) error {
		out.N.Set(len(in.All.All()))
		return nil
	})
	for _, c := range []struct{ artifacts, want string }{
		{`{"all":{}}`, "0"}, {`{"all":{"artifacts":[]},"maybe":{}}`, "0"}, {`{"all":{"artifacts":[{"uri":"/a"}]}}`, "1"}, {`{"maybe":{}}`, ""},
	} {
		file := filepath.Join(t.TempDir(), "out.json")
		err := dispatch(t.Context(), []string{contract.Exec, "step", `{"inputs":{"artifacts":` + c.artifacts + `},"outputs":{"outputFile":"` + file + `"}}`}, os.Stdout, []any{step})
		var out struct{ ParameterValues map[string]json.RawMessage }
		b, _ := os.ReadFile(file)
		json.Unmarshal(b, &out)
		if got := string(out.ParameterValues["n"]); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: got %q, %v, want %q", c.artifacts, got, err, c.want)
		}
	}
}
