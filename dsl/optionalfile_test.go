package dsl

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

type draftsOut struct {
	Perhaps Dataset `kfp:",optional"`
	Metrics Metrics
}

var drafts = Func("drafts", func(context.Context, None, *draftsOut) error { return nil })

// TestOptionalFile: for Argo, what isn't written is an empty file only where it is
// metadata alone; what is optional is absent.
func TestOptionalFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string {
		return fmt.Sprintf(`{"artifacts":[{"name":%q,"uri":%q}]}`, name, filepath.Join(dir, name))
	}
	input := fmt.Sprintf(`{"inputs":{},"outputs":{"artifacts":{"perhaps":%s,"metrics":%s},"outputFile":%q},"kfpgo":{"v":1,"outputs":"argo"}}`, at("perhaps"), at("metrics"), filepath.Join(dir, "out.json"))
	if _, err := drafts.c.Run(t.Context(), json.RawMessage(input)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"perhaps": false, "metrics": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v, want a file: %v", name, err, want)
		}
	}
}
