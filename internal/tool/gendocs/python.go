package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/testing/pairs"
)

// python returns the page for those who know KFP's Python SDK: each of its
// features, what it is with kfpgo, an example, and the pipelines in both languages
// whose IR is compared.
func python(root string) (string, error) {
	shown := pairs.Shown()
	var page strings.Builder
	page.WriteString("# Coming from KFP's Python SDK\n\n" + generated + `
Everything that the KFP Python SDK 2.17 can express in a pipeline, and how to write it with kfpgo.
The last column names pipelines that are written in both languages: Go on the left, Python
on the right. CI compiles the Python side with the real SDK and ours with kfpgo, and the two IR
files must be equal but for the names and the sharing of components. What only the code of a
step sees has "run time" there, with functions that KFP's executor and kfpgo's both run: what
they write must be equal. The examples run as tests.

The IR is the same, so both kinds of steps work in one pipeline, on the servers that you
have. To bring a compiled pipeline over, use ` + "`kfpgo import`" + `; to run or check it as it is, give the
YAML file to any command of kfpgo in place of a package.
`)
	for _, s := range pairs.Sections() {
		fmt.Fprintf(&page, "\n## %s\n\n| KFP's Python | kfpgo | example | compared in |\n| --- | --- | --- | --- |\n", s.Title)
		for _, r := range s.Rows {
			example, err := exampleLink(root, r.Example)
			if err != nil {
				return "", fmt.Errorf("%s: %w", r.ID, err)
			}
			fmt.Fprintf(&page, "| %s | %s | %s | %s |\n", name(r.ID), escape(r.Go), example, escape(proof(r, shown[r.ID])))
		}
	}
	page.WriteString("\n## What the Python SDK gets wrong\n\nKFP's SDK 2.17.3 compiles these without a word to something else than they say. kfpgo\ncompiles what they say; the comparison takes the difference from this list only.\n\n")
	by := map[int][]string{}
	for _, p := range pairs.All() {
		for _, e := range p.Exceptions {
			if link := pairLink(p); !slices.Contains(by[e.Fault], link) {
				by[e.Fault] = append(by[e.Fault], link)
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(pairs.Faults)) {
		text := pairs.Faults[n]
		fmt.Fprintf(&page, "%d. %s.", n, strings.ToUpper(text[:1])+text[1:])
		if by[n] != nil {
			fmt.Fprintf(&page, " Seen in %s.", strings.Join(by[n], ", "))
		}
		page.WriteString("\n")
	}
	return page.String(), nil
}

// name returns an ID as code, if it is a name of Python's.
func name(id string) string {
	if strings.ContainsAny(id, " ,:") && !strings.HasPrefix(id, "kfp ") && !strings.ContainsAny(id, "._") {
		return escape(id)
	}
	return "`" + escape(id) + "`"
}

// proof says where a row is compared, or why it isn't.
func proof(r pairs.Row, by []pairs.Pair) string {
	if r.Elsewhere != "" {
		return r.Elsewhere
	}
	if len(r.AtRunTime) > 0 {
		var links []string
		for _, f := range r.AtRunTime {
			links = append(links, fmt.Sprintf("[%s](../../internal/target/pyrun/testdata/functions.py)", f))
		}
		return "run time: " + strings.Join(links, ", ")
	}
	if len(by) == 0 {
		return "not yet: " + pairs.Missing[r.ID]
	}
	const most = 3
	var links []string
	for i, p := range by {
		if i == most {
			links = append(links, fmt.Sprintf("%d more", len(by)-most))
			break
		}
		links = append(links, pairLink(p))
	}
	return strings.Join(links, ", ")
}

// pairLink links both sides of a pair.
func pairLink(p pairs.Pair) string {
	side := "../../internal/testing/pairs/" + p.File
	if p.Definition == nil {
		side = "../../examples/" + p.Name
	}
	return fmt.Sprintf("[%s](%s) [py](../../internal/testing/pairs/python/%s.py)", p.Name, side, p.Name)
}

// exampleLink links an example.
func exampleLink(root, example string) (string, error) {
	if example == "" {
		return "", nil
	}
	file, err := pairs.ExampleFile(root, example)
	if err != nil {
		return "", err
	}
	_, label, ok := strings.Cut(example, ".")
	if !ok {
		label = strings.TrimPrefix(example, "examples/")
	}
	return fmt.Sprintf("[%s](../../%s)", label, file), nil
}
