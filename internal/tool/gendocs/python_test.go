package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/pairs"
)

// TestPython: every feature of KFP's SDK has a line of four cells that says how it
// is with kfpgo and where it is compared, and links lead somewhere.
func TestPython(t *testing.T) {
	page, err := python("../../..")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, line := range strings.Split(page, "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| KFP's") || strings.HasPrefix(line, "| ---") {
			continue
		}
		rows++
		cells := strings.Split(strings.ReplaceAll(line, `\|`, ""), "|")
		if len(cells) != 6 {
			t.Errorf("%d cells: %s", len(cells)-2, line)
		} else if strings.TrimSpace(cells[4]) == "" {
			t.Errorf("compared nowhere: %s", line)
		}
	}
	if want := len(pairs.Rows()); rows != want {
		t.Errorf("%d lines for %d rows", rows, want)
	}
	for _, link := range regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(page, -1) {
		if _, err := os.Stat(filepath.Join("../../../docs/reference", link[1])); err != nil {
			t.Error(err)
		}
	}
}
