package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSite: all pages are there, and each link of each page leads to a page, and to a
// heading in it.
func TestSite(t *testing.T) {
	out := filepath.Join(t.TempDir(), "site")
	for range 2 { // the second replaces the first
		if err := build("../..", out); err != nil {
			t.Fatal(err)
		}
	}
	pages := map[string]string{}
	filepath.WalkDir(out, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".html") {
			b, _ := os.ReadFile(path)
			rel, _ := filepath.Rel(out, path)
			pages[filepath.ToSlash(rel)] = string(b)
		}
		return err
	})
	for _, want := range []string{"index.html", "tutorial.html", "compiles.html", "guides/gpu.html", "rules/index.html", "rules/pvc.html", "reference/cli.html", "examples/mnist/index.html"} {
		if pages[want] == "" {
			t.Errorf("there is no %s", want)
		}
	}
	href := regexp.MustCompile(`href="([^"]+)"`)
	links := 0
	for path, html := range pages {
		if strings.Contains(html, "<th></th>") {
			t.Errorf("%s: a table has a column without a name, which a screen reader can't say", path)
		}
		for _, m := range href.FindAllStringSubmatch(html, -1) {
			to, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, ":") || strings.HasSuffix(to, ".css") {
				continue
			}
			links++
			target := path
			if to != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(path), to))
			}
			page, ok := pages[target]
			switch {
			case !ok:
				t.Errorf("%s: %s leads nowhere", path, m[1])
			case anchor != "" && !strings.Contains(page, `id="`+anchor+`"`):
				t.Errorf("%s: %s names no heading", path, m[1])
			}
		}
	}
	t.Logf("%d pages, %d links", len(pages), links)
	if !strings.Contains(pages["tutorial.html"], `<span class="kd">var</span>`) {
		t.Error("code has no colours")
	}
}
