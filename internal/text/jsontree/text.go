package jsontree

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a string. What needs no decoding isn't copied.
func (p *parser) text() (string, error) {
	start := p.i + 1
	for p.i = start; p.i < len(p.s); p.i++ {
		switch c := p.s[p.i]; {
		case c == '"':
			p.i++
			return p.s[start : p.i-1], nil
		case c < ' ', c == '\\', c >= utf8.RuneSelf:
			return p.decoded(start)
		}
	}
	return "", p.bad("the end of a string")
}

// decoded reads a string from where something in it needs a closer look.
func (p *parser) decoded(start int) (string, error) {
	var b strings.Builder
	b.WriteString(p.s[start:p.i])
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '"':
			p.i++
			return b.String(), nil
		case c < ' ':
			return "", p.bad("no control character in a string")
		case c == '\\':
			p.i++
			if err := p.escape(&b); err != nil {
				return "", err
			}
		default:
			r, size := utf8.DecodeRuneInString(p.s[p.i:]) // bytes that aren't UTF-8 become U+FFFD
			b.WriteRune(r)
			p.i += size
		}
	}
	return "", p.bad("the end of a string")
}

const escapes = `"\/bfnrt`

// escape reads what follows a backslash.
func (p *parser) escape(b *strings.Builder) error {
	c := p.peek()
	if i := strings.IndexByte(escapes, c); i >= 0 {
		b.WriteByte("\"\\/\b\f\n\r\t"[i])
		p.i++
		return nil
	}
	r, ok := p.unit()
	if !ok {
		return p.bad("an escape")
	}
	if utf16.IsSurrogate(r) {
		before := p.i
		second := rune(-1)
		if p.peek() == '\\' {
			p.i++
			if s, ok := p.unit(); ok {
				second = s
			}
		}
		if r = utf16.DecodeRune(r, second); r == utf8.RuneError {
			p.i = before // a half alone
		}
	}
	b.WriteRune(r)
	return nil
}

// unit reads u and four digits.
func (p *parser) unit() (rune, bool) {
	if p.peek() != 'u' || p.i+5 > len(p.s) {
		return 0, false
	}
	n, err := strconv.ParseUint(p.s[p.i+1:p.i+5], 16, 16)
	if err != nil {
		return 0, false
	}
	p.i += 5
	return rune(n), true
}
