// Package gohint explains messages of the go command: below a message that is a typical
// mistake with kfpgo it writes a line that says what to write instead.
package gohint

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// Add returns the output of the go command with its hints. File names in it are relative
// to dir. A hint that was given before isn't repeated.
func Add(dir, output string) string {
	var out []string
	given := map[string]bool{}
	for _, m := range messages(output) {
		out = append(out, m.lines...)
		if h, _ := m.hint(dir); h != "" && !given[h] {
			given[h] = true
			out = append(out, "\thint: "+printable.Line(h))
		}
	}
	return strings.Join(out, "\n")
}

// A message is one line of the go command's, and those below it that are indented.
type message struct {
	lines []string
	file  string
	line  int
	text  string // without the position
}

var position = lazyregexp.New(`^([^\s:]+\.go):(\d+)(?::\d+)?: (.*)$`)

func messages(output string) (all []message) {
	for line := range strings.SplitSeq(output, "\n") {
		if last := len(all) - 1; last >= 0 && strings.HasPrefix(line, "\t") {
			all[last].lines = append(all[last].lines, line)
			all[last].text += "\n" + strings.TrimSpace(line)
			continue
		}
		m := message{lines: []string{line}, text: line}
		if p := position.FindStringSubmatch(line); p != nil {
			m.file, m.text = p[1], p[3]
			m.line, _ = strconv.Atoi(p[2])
		}
		all = append(all, m)
	}
	return all
}

// hint returns what the first rule that fits a message says, and which one that is, or "".
func (m *message) hint(dir string) (text string, which int) {
	for i, r := range rules {
		found := r.says.FindStringSubmatch(m.text)
		if found == nil || r.same && found[len(found)-2] != found[len(found)-1] {
			continue
		}
		if r.code != nil {
			code := r.code.FindStringSubmatch(m.code(dir))
			if code == nil {
				continue
			}
			found = append(found, code[1:]...)
		}
		if h := r.hint(found); h != "" {
			return h, i
		}
	}
	return "", -1
}

// code returns the line of the file that a message is about, or "".
func (m *message) code(dir string) string {
	if m.file == "" {
		return ""
	}
	file := m.file
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	src, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	lines := strings.Split(string(src), "\n")
	if m.line < 1 || m.line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[m.line-1])
}
