// Package gosrc writes text of others into Go source, and checks that a source
// that was generated holds only the intended declarations.
//
// Text from a file is data. It gets into a source as a comment, a literal or a
// part of an identifier, by one of the functions here. Check doesn't rely on
// them: it reads the source as Go does.
package gosrc

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// escape is switched off, one by one, by a test of Check alone.
var escape = struct{ comments, literals, names bool }{true, true, true}

// Visible reports whether a reader of a source sees a rune where it stands:
// control characters, the ends of lines, and what changes the direction of text
// are not visible.
func Visible(r rune) bool {
	return strconv.IsPrint(r) && printable.Is(r)
}

// Plain reports whether a string can stand in a file as it is: each rune is visible,
// or the end of a line, or a tab.
func Plain(text string) bool {
	hidden := func(r rune) bool { return r != '\n' && r != '\t' && !Visible(r) }
	return utf8.ValidString(text) && !strings.ContainsFunc(text, hidden)
}

// endsLine reports whether some reader of a string starts a new line at a rune.
func endsLine(r rune) bool { return strings.ContainsRune("\n\v\f\r\u0085\u2028\u2029", r) }

// Line returns a string for a comment of one line: the name of a file, a type, a
// function. The ends of lines are spaces, and what isn't visible is written as
// Go's escape for it.
func Line(text string) string {
	if !escape.comments {
		return text
	}
	var b strings.Builder
	space := false
	for _, r := range text {
		switch {
		case endsLine(r) || r == '\t' || r == ' ':
			space = b.Len() > 0
			continue
		case space:
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return visible(b.String())
}

// visible returns a string of one line with escapes for what isn't visible.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case Visible(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// Comment returns a string as the lines of a comment, without spaces around it;
// "" for a string of nothing else. No line of it is a directive.
func Comment(text string) string {
	if !escape.comments {
		return "// " + text + "\n"
	}
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	var b strings.Builder
	for _, line := range strings.FieldsFunc(text, endsLine) {
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		line = Line(line)
		if strings.HasPrefix(line, "+build") { // a constraint, before the package clause
			line = "- " + line
		}
		b.WriteString(strings.TrimRight("// "+indent+line, " \t") + "\n")
	}
	return b.String()
}

// Doc returns a sentence as the line of a comment, with strings in it.
func Doc(format string, texts ...string) string {
	args := make([]any, len(texts))
	for i, t := range texts {
		args[i] = Line(t)
	}
	return Comment(fmt.Sprintf(format, args...))
}

// Quote returns a string as a Go literal: raw where that reads better.
func Quote(s string) string {
	if !escape.literals {
		return `"` + s + `"`
	}
	if (strings.Contains(s, "\n") || strings.Count(s, `"`) > 1) && raw(s) {
		return "`" + s + "`"
	}
	return visible(strconv.Quote(s)) // which leaves letters that show nothing
}

// raw reports whether a string can stand between backquotes as it is.
func raw(s string) bool { return Plain(s) && !strings.Contains(s, "`") }

// Tag returns a field's tag of keys and values, or "" for none.
func Tag(pairs ...string) string {
	var parts []string
	for i := 0; i+1 < len(pairs); i += 2 {
		parts = append(parts, pairs[i]+":"+strconv.Quote(pairs[i+1]))
	}
	if len(parts) == 0 {
		return ""
	}
	s := strings.Join(parts, " ")
	if raw(s) && !strings.Contains(s, "\n") {
		return "`" + s + "`"
	}
	return Quote(s)
}
