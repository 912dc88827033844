package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/internal/review/vet"
	"github.com/kfpgo/kfpgo/internal/review/vet/rules"
)

// writeRules writes a page for each rule of vet, with what it says of its example,
// and the list of them.
func writeRules(out string) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	var list strings.Builder
	list.WriteString("# The rules of kfpgo vet\n\n" + generated + "\n`kfpgo vet PIPELINE` looks for these; `kfpgo vet --explain RULE` prints the page of one. [ignore](ignore.md) says how\nto silence one in code.\n\n| rule | finds |\n| --- | --- |\n")
	for _, r := range vet.Rules {
		fmt.Fprintf(&list, "| [%s](%s.md) | %s |\n", r.Name, r.Name, r.Says)
		page := r.Page()
		title, rest, _ := strings.Cut(page, "\n")
		page = title + "\n\n" + generated + rest
		if e, ok := rules.Examples[r.Name]; ok {
			found, err := rules.Vet(&r, e.Found)
			if err != nil {
				return fmt.Errorf("rule %s: %w", r.Name, err)
			}
			said := "\n## Fixed\n"
			before, after, _ := strings.Cut(page, said)
			var b strings.Builder
			b.WriteString(before + "\n```text\n")
			for _, f := range found {
				f.Pos.File, f.Pos.Line = "pipeline.go", 0
				b.WriteString(strings.Replace(f.String(), "pipeline.go:0: ", "", 1) + "\n")
			}
			b.WriteString("```\n" + said + after)
			page = b.String()
		}
		if err := replace(filepath.Join(out, r.Name+".md"), page); err != nil {
			return err
		}
	}
	return replace(filepath.Join(out, "README.md"), list.String())
}
