package pysrc

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// prefixes may stand in front of the quote of a string.
var prefixes = []string{"r", "u", "b", "f", "t", "br", "rb", "fr", "rf", "tr", "rt"}

// str adds a string, which starts here with its prefix.
func (s *scanner) str(prefix string) error {
	n := stringEnd(s.text[s.i:], len(prefix), strings.ContainsAny(prefix, "ft"), 0)
	if n < 0 {
		return &Error{s.line, "a string isn't closed"}
	}
	s.add(str, n)
	return nil
}

// maxNested is how deep strings and expressions may be in each other.
const maxNested = 50

// stringEnd returns where the string ends whose quote is at i, or -1. A formatted one
// has expressions in it, with strings of their own.
func stringEnd(text string, i int, formatted bool, depth int) int {
	quote := text[i : i+1]
	if strings.HasPrefix(text[i:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	if depth > maxNested {
		return -1
	}
	for i += len(quote); i < len(text); i++ {
		switch {
		case text[i] == '\\' && !(formatted && strings.HasPrefix(text[i+1:], "{")):
			i++
		case strings.HasPrefix(text[i:], quote):
			return i + len(quote)
		case text[i] == '\n' && len(quote) == 1:
			return -1
		case formatted && strings.HasPrefix(text[i:], "{{"):
			i++
		case formatted && text[i] == '{':
			if i = fieldEnd(text, i, quote, depth+1); i < 0 {
				return -1
			}
		}
	}
	return -1
}

// fieldEnd returns where the bracket closes that opens an expression in a string, or -1.
func fieldEnd(text string, i int, quote string, depth int) int {
	open, format := 0, false
	if depth > maxNested {
		return -1
	}
	for i++; i < len(text); i++ {
		switch c := text[i]; {
		case format && strings.HasPrefix(text[i:], quote):
			return -1
		case format && c == '{':
			if i = fieldEnd(text, i, quote, depth+1); i < 0 {
				return -1
			}
		case c == '}' && open == 0:
			return i
		case format:
		case c == '(' || c == '[' || c == '{':
			open++
		case c == ')' || c == ']' || c == '}':
			open--
		case c == ':' && open == 0:
			format = true
		case c == '\'' || c == '"':
			before := strings.ToLower(text[max(0, i-2):i])
			if i = stringEnd(text, i, strings.ContainsAny(before, "ft"), depth+1) - 1; i < 0 {
				return -1
			}
		}
	}
	return -1
}

// value returns the text of a string; false for bytes and formatted strings.
func (t token) value() (string, bool) {
	i := strings.IndexAny(t.text, `'"`)
	prefix, body := strings.ToLower(t.text[:i]), t.text[i:]
	if strings.ContainsAny(prefix, "bft") {
		return "", false
	}
	n := 1
	if strings.HasPrefix(body, strings.Repeat(body[:1], 3)) && len(body) >= 6 {
		n = 3
	}
	body = strings.ReplaceAll(body[n:len(body)-n], "\r\n", "\n")
	if strings.Contains(prefix, "r") {
		return body, true
	}
	return unescape(body)
}

var escapes = map[byte]string{'\n': "", '\\': "\\", '\'': "'", '"': `"`, 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v"}

// unescape replaces the escapes of a string; false for one that isn't a character.
func unescape(text string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		digits, base := map[byte]int{'x': 2, 'u': 4, 'U': 8}[text[i]], 16
		start := i + 1
		switch c := text[i]; {
		case digits > 0:
		case c >= '0' && c <= '7':
			start, digits, base = i, 1, 8
			for digits < 3 && start+digits < len(text) && text[start+digits] >= '0' && text[start+digits] <= '7' {
				digits++
			}
		case c == 'N': // by its name
			return "", false
		default:
			s, ok := escapes[c]
			if !ok {
				s = `\` + string(c)
			}
			b.WriteString(s)
			continue
		}
		if start+digits > len(text) {
			return "", false
		}
		n, err := strconv.ParseUint(text[start:start+digits], base, 32)
		if err != nil || !utf8.ValidRune(rune(n)) {
			return "", false
		}
		b.WriteRune(rune(n))
		i = start + digits - 1
	}
	return b.String(), utf8.ValidString(b.String())
}
