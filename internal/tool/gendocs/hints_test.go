package main

import (
	"strings"
	"testing"
)

// TestHints: every mistake is a line of three cells, whatever is in it.
func TestHints(t *testing.T) {
	page, err := hints("../../..")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.SplitSeq(page, "\n") {
		if strings.HasPrefix(line, "| `") {
			rows++
			if strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 4 {
				t.Errorf("not three cells: %s", line)
			}
		}
	}
	if rows < 80 || strings.Contains(page, "undefined: undefined") {
		t.Errorf("%d mistakes, or one without a hint:\n%s", rows, page)
	}
}
