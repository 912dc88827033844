// Command site makes a static site of the pages of this repository: the README, docs
// and the pages of examples, with code in colours. Links between pages stay links
// between pages; those to source lead to where the repository is hosted. make docs
// calls it.
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"
)

// host is where files are shown that aren't pages.
const host = "https://github.com/kfpgo/kfpgo/blob/main/"

func main() {
	root := flag.String("root", "..", "`folder` of the repository")
	out := flag.String("o", "../out/site", "`folder` for the site; what is in it is replaced")
	flag.Parse()
	if err := build(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// A page is a file of Markdown.
type page struct {
	Source string // its path in the repository
	Path   string // its path on the site
	Title  string
	Body   template.HTML
	TOC    []entry
}

// An entry is a heading of a page.
type entry struct {
	Level    int
	ID, Text string
}

// A group is a part of the navigation.
type group struct {
	Title string
	Pages []*page
}

//go:embed page.html
var layout string

//go:embed site.css
var style string

func build(root, out string) error {
	groups, pages, err := read(root)
	if err != nil {
		return err
	}
	m := newMarkdown(pages)
	for _, p := range pages {
		if err := m.render(root, p); err != nil {
			return fmt.Errorf("%s: %w", p.Source, err)
		}
	}
	t, err := template.New("page").Parse(layout)
	if err != nil {
		return err
	}
	css, err := m.css()
	if err != nil {
		return err
	}
	tmp := out + ".new"
	if err := os.RemoveAll(tmp); err != nil {
		return err
	}
	for i, p := range pages {
		var b bytes.Buffer
		up := strings.Repeat("../", strings.Count(p.Path, "/"))
		data := struct {
			*page
			Groups         []group
			Up, Edit       string
			Previous, Next *page
		}{page: p, Groups: groups, Up: up, Edit: host + p.Source}
		if i > 0 {
			data.Previous = pages[i-1]
		}
		if i+1 < len(pages) {
			data.Next = pages[i+1]
		}
		if err := t.Execute(&b, data); err != nil {
			return err
		}
		if err := write(filepath.Join(tmp, filepath.FromSlash(p.Path)), b.Bytes()); err != nil {
			return err
		}
	}
	if err := write(filepath.Join(tmp, "site.css"), []byte(style+css)); err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	return os.Rename(tmp, out)
}

func write(file string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, b, 0o666)
}
