package emit_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
)

// TestJSON: the JSON holds what the YAML does, digits included.
func TestJSON(t *testing.T) {
	p := echo()
	p.Doc = "no, ~, 0x10, 'it''s' <b> and\na line — ü"
	written, err := emit.Emit(p, emit.KFP, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := emit.JSON(written)
	if err != nil {
		t.Fatal(err)
	}
	want, err := irdiff.Read(written)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(got, &doc); err != nil {
		t.Fatal(err)
	}
	for _, line := range irdiff.Diff("", doc, want[0]) {
		t.Error(line)
	}
	got, err = emit.JSON([]byte("a: 9007199254740993\nb: [1.50, -0, null, true, '1', \"\\e<\"]\nc: {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(`{"a":9007199254740993,"b":[1.50,-0,null,true,"1","\u001b<"],"c":{}}`, b.String()); d != "" {
		t.Error(d)
	}
	for _, bad := range []string{"a: 1\n---\nb: 2\n", "a: .inf\n"} {
		if got, err := emit.JSON([]byte(bad)); err == nil {
			t.Errorf("%q became %s", bad, got)
		}
	}
}
