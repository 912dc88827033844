package pyrun

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// pythonRepr returns a string as Python's repr writes it.
func pythonRepr(s string) string {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	var b strings.Builder
	b.WriteByte(quote)
	for _, r := range s {
		switch {
		case r == rune(quote) || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == ' ' || unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte(quote)
	return b.String()
}

// cutRepr reads a string that Python's repr wrote at the start of s.
func cutRepr(s string) (text, rest string, ok bool) {
	if s == "" || s[0] != '\'' && s[0] != '"' {
		return "", s, false
	}
	quote := s[0]
	var b strings.Builder
	for i := 1; i < len(s); {
		switch c := s[i]; {
		case c == quote:
			return b.String(), s[i+1:], true
		case c == '\\' && i+1 < len(s):
			n := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[i+1]]
			if n == 0 {
				b.WriteString(strings.NewReplacer("n", "\n", "r", "\r", "t", "\t").Replace(s[i+1 : i+2]))
				i += 2
				continue
			}
			if i+2+n > len(s) {
				return "", s, false
			}
			r, err := strconv.ParseUint(s[i+2:i+2+n], 16, 32)
			if err != nil || !utf8.ValidRune(rune(r)) {
				return "", s, false
			}
			b.WriteRune(rune(r))
			i += 2 + n
		default:
			b.WriteByte(c)
			i++
		}
	}
	return "", s, false
}
