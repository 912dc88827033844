package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const hintsIntro = "# Hints below Go's errors\n\n" + generated + `
` + "`kfpgo compile`, `run`, `vet` and the other commands that take a package build it with Go, and show what Go's compiler says.\nBelow a message that is a typical mistake with kfpgo there is a line with `hint:`, which says what to write instead. These are\nthe mistakes with a hint; a test compiles each of them. In the examples " + "`in`" + ` are the inputs of the pipeline, ` + "`load` and `train`" + ` are tasks,
and ` + "`sweep`" + ` is a loop.
`

// hints returns the page with mistakes, what Go's compiler says of each and the hint
// below that, from the file that their test holds true.
func hints(repo string) (string, error) {
	src, err := os.ReadFile(filepath.Join(repo, "internal/build/gohint/testdata/mistakes.txt"))
	if err != nil {
		return "", err
	}
	list, _, _ := strings.Cut(string(src), "# No hint")
	var page strings.Builder
	page.WriteString(hintsIntro)
	for block := range strings.SplitSeq(strings.TrimSpace(list), "\n\n") {
		if title, ok := strings.CutPrefix(block, "# "); ok {
			fmt.Fprintf(&page, "\n## %s\n\n| written | Go says | hint |\n| --- | --- | --- |\n", title)
			continue
		}
		code, said, _ := strings.Cut(block, "\n\t")
		message, hint, found := strings.Cut(said, "\n\thint: ")
		if !found {
			return "", fmt.Errorf("%s: no hint", code)
		}
		message = strings.ReplaceAll(message, "\n\t\t", " ")
		fmt.Fprintf(&page, "| `%s` | %s | %s |\n", escape(code), text(message), text(hint))
	}
	return page.String(), nil
}

// text returns words of a message as Markdown that shows them as they are.
func text(s string) string {
	return strings.NewReplacer("](", "]&#40;", "|", `\|`, "*", `\*`, "_", `\_`, "[", `\[`, "<", "&lt;").Replace(s)
}
