package raise_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/read/raise"
)

// TestRefused: what KFP's SDK writes and the language doesn't say is refused by its
// name, with a way out in the file.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ file, old, new, want string }{
		{"component_defaults.yaml", "defaultValue: hi", "defaultValue: 'run {{$.pipeline_job_name}}'", "component one: the default of a has {{$.pipeline_job_name}} in it, which KFP's servers pass on unchanged"},
		{"struct_items.yaml", "          empty: {}", "          'a {{$.inputs.parameters[''uri'']}}': 1", "task importer: metadata of an import with the key a {{$.inputs.parameters['uri']}}, which KFP's servers keep as it is"},
		{"struct_items.yaml", "empty: {}", "name: '{{$.pipeline_job_name}}'", "task importer: metadata of an import with the text {{$.pipeline_job_name}}, which is not one of its inputs"},
		{"struct_items.yaml", `"b": "x"}]'`, `"b": "{{$.pipeline_job_name}}"}]'`, "the items of the loop have {{$.pipeline_job_name}} in them, which KFP's servers pass on unchanged"},
		{"claims.yaml", "constant: fix", "constant: '{{$.pipeline_job_id}}'", "the placeholder pipeline_job_id is not one of KFP's, and its servers pass it on as a string"},
	} {
		ir, err := os.ReadFile(filepath.Join("testdata/ir", c.file))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(ir), c.old) {
			t.Fatalf("%s has no %q", c.file, c.old)
		}
		p, err := kfpread.Read(c.file, []byte(strings.ReplaceAll(string(ir), c.old, c.new)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := raise.Source(p, raise.Options{}); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "in the file, ") {
			t.Errorf("%q: %v", c.new, err)
		}
	}
}
