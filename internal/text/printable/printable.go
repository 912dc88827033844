// Package printable makes text from elsewhere safe to show: what files, steps and
// servers say, on a terminal, in a page and in a comment.
//
// A character that a terminal acts on, that turns the direction of writing or that
// can't be seen is replaced by its escape in Go's syntax, so that it is still clear
// that it was there. These are
//
//   - control characters, which are C0 with ESC, DEL and C1: \x1b, \r, \u009b
//   - the separators of lines and paragraphs: \u2028, \u2029
//   - bidirectional controls and other characters of format, tags among them:
//     \u202e, \u200e, \u061c, \u200b, \ufeff, \U000e0041
//   - what Unicode calls ignorable or noncharacters: \u3164, \uffff
//   - bytes that are not UTF-8: \xff
//
// Joiners (U+200C, U+200D), selectors of variants and signs of Arabic numbers are part
// of words and of pictures, and stay. A backslash stays too, so escapes can't be distinguished
// from text that looks like them; who needs the very text takes JSON.
//
// Which form to take: [Line] for what has one line, a name, a cell, a comment; [Text]
// for messages; [Log] for output for a terminal; [JSON] for data, of which
// nothing may be lost. A [Writer] does what Text does.
package printable

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Is reports whether a character is shown as it is. Ends of lines and tabs are not.
func Is(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r >= ' ' && r != 0x7f
	case r == '\u200c' || r == '\u200d' || unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return true
	}
	return !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point)
}

// Line returns a string as one line: ends of lines and tabs are escaped as well.
func Line(s string) string { return escape(s, "") }

// Text returns a string whose lines and tabs stay. A line that ends in CR LF ends in LF.
func Text(s string) string {
	if strings.Contains(s, "\r\n") {
		s = strings.ReplaceAll(s, "\r\n", "\n")
	}
	return escape(s, "\n\t")
}

// escape replaces all that isn't shown as it is, or kept.
func escape(s, keep string) string {
	first := strings.IndexFunc(s, func(r rune) bool { return r == utf8.RuneError || !Is(r) && !strings.ContainsRune(keep, r) })
	if first < 0 {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:first])
	for i, n := first, 0; i < len(s); i += n {
		var r rune
		r, n = utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case Is(r) || strings.ContainsRune(keep, r):
			b.WriteString(s[i : i+n])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ':
			fmt.Fprintf(&b, `\x%02x`, r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
