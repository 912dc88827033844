package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// order is what comes first in each part of the navigation; the rest follows by name.
var parts = []struct {
	title, pattern string
	first          []string
}{
	{"kfpgo", "README.md", nil},
	{"Start", "docs/tutorial.md", nil},
	{"", "docs/README.md", nil},
	{"Guides", "docs/guides/*.md", []string{"functions", "running-locally", "testing", "debugging", "ui", "targets", "servers", "schedules", "artifacts", "components", "systems", "files"}},
	{"Examples", "examples/*/README.md", []string{"hello", "calc", "flipcoin", "mnist"}},
	{"Reference", "docs/compiles.md", nil},
	{"", "docs/reference/*.md", []string{"cli", "features", "python", "kfp"}},
	{"Rules of vet", "docs/rules/*.md", []string{"README"}},
	{"The project", "docs/*.md", []string{"architecture", "decisions"}},
	{"", "CONTRIBUTING.md", nil},
}

// read finds the pages, in the order of the navigation.
func read(root string) (groups []group, all []*page, err error) {
	seen := map[string]bool{}
	for _, part := range parts {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(part.pattern)))
		if err != nil {
			return nil, nil, err
		}
		rank := func(file string) int {
			name := strings.TrimSuffix(filepath.Base(file), ".md")
			if strings.Count(part.pattern, "*") == 1 && strings.HasSuffix(part.pattern, "/README.md") {
				name = filepath.Base(filepath.Dir(file))
			}
			if i := slices.Index(part.first, name); i >= 0 {
				return i
			}
			return len(part.first)
		}
		slices.SortStableFunc(files, func(a, b string) int { return rank(a) - rank(b) })
		if part.title != "" || len(groups) == 0 {
			groups = append(groups, group{Title: part.title})
		}
		g := &groups[len(groups)-1]
		for _, file := range files {
			source, err := filepath.Rel(root, file)
			if err != nil {
				return nil, nil, err
			}
			p := &page{Source: filepath.ToSlash(source)}
			if seen[p.Source] {
				continue
			}
			seen[p.Source] = true
			p.Path = where(p.Source)
			b, err := os.ReadFile(file)
			if err != nil {
				return nil, nil, err
			}
			title, _, _ := strings.Cut(strings.TrimPrefix(string(b), "# "), "\n")
			if !strings.HasPrefix(string(b), "# ") {
				return nil, nil, fmt.Errorf("%s does not start with its title", p.Source)
			}
			p.Title = strings.ReplaceAll(title, "`", "")
			if part.title == "Rules of vet" {
				p.Title, _, _ = strings.Cut(p.Title, ":")
			}
			g.Pages, all = append(g.Pages, p), append(all, p)
		}
	}
	return groups, all, nil
}

// where returns the path of a page on the site.
func where(source string) string {
	switch source {
	case "README.md":
		return "index.html"
	case "docs/README.md":
		return "pages.html"
	}
	source = strings.TrimPrefix(source, "docs/")
	if dir, file := path.Split(source); file == "README.md" {
		return strings.TrimSuffix(dir, "/") + "/index.html"
	}
	return strings.TrimSuffix(source, ".md") + ".html"
}
