package printable

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON returns JSON with the same values in which what isn't shown as it is stands as
// JSON's own escapes: encoding/json escapes only some of it. It can be only in strings,
// but for the space between values, which stays.
func JSON(b []byte) []byte {
	plain := func(r rune) bool { return Is(r) || r == '\n' || r == '\t' || r == '\r' }
	if bytes.IndexFunc(b, func(r rune) bool { return !plain(r) }) < 0 {
		return b
	}
	var out bytes.Buffer
	for i, n := 0, 0; i < len(b); i += n {
		var r rune
		r, n = utf8.DecodeRune(b[i:])
		switch {
		case plain(r):
			out.Write(b[i : i+n])
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.Bytes()
}
