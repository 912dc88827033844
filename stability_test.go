package kfpgo_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var stabilityRow = regexp.MustCompile("(?m)^\\| `([a-z0-9/]+)` \\| (stable|experimental) \\|")

// TestStability: docs/stability.md says of each package that others can import whether it is stable.
func TestStability(t *testing.T) {
	page, err := os.ReadFile("docs/stability.md")
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, row := range stabilityRow.FindAllStringSubmatch(string(page), -1) {
		said = append(said, row[1])
	}
	g, err := packages()
	if err != nil {
		t.Fatal(err)
	}
	var public []string
	for name := range g {
		path, ok := strings.CutPrefix(name, module+"/")
		switch first, _, _ := strings.Cut(path, "/"); {
		case !ok, slices.Contains([]string{"cmd", "examples", "internal", "test", "tools"}, first), strings.Contains(path, "/internal"):
		case strings.HasPrefix(path, "components/"): // one sentence is for all of them
		default:
			public = append(public, path)
		}
	}
	slices.Sort(said)
	slices.Sort(public)
	if !slices.Equal(said, public) {
		t.Errorf("docs/stability.md has %v\nand the packages are %v", said, public)
	}
}
