package main

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/tool/gendocs/constructs"
)

// TestCompiles: each construct has its source and both kinds of YAML on the page.
func TestCompiles(t *testing.T) {
	page, err := compiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, section := range strings.Split(page, "\n## ")[1:] {
		if strings.Count(section, "```yaml") != 2 || strings.Count(section, "```go") != 1 || len(section) < 500 || len(section) > 12_000 {
			t.Errorf("%d bytes:\n%s", len(section), section)
		}
	}
	if n := strings.Count(page, "\n## "); n != len(constructs.All) {
		t.Errorf("%d of %d constructs", n, len(constructs.All))
	}
}
