package image

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

// TestReportMutants: any report of pip has wheels that are whole, or is an error.
func TestReportMutants(t *testing.T) {
	good := `{"version": "1", "pip_version": "24", "install": [{"is_direct": false, "requested": true, "metadata": {"name": "six", "version": "1.16.0"},
		"download_info": {"url": "https://example.com/six.whl", "archive_info": {"hash": "sha256=` + strings.Repeat("0", 64) + `", "hashes": {"sha256": "` + strings.Repeat("0", 64) + `"}}}}]}`
	if ws, err := readReport([]byte(good)); err != nil || len(ws) != 1 {
		t.Fatal(ws, err)
	}
	mutants.Each(t, []byte(good), func(bad []byte) {
		ws, err := readReport(bad)
		for _, w := range ws {
			if err == nil && (w.name == "" || w.version == "" || !hexSum(w.sha256)) {
				t.Errorf("%s: %+v", bad, w)
			}
		}
		Requirements{}.unverified(ws)
	})
}
