package params

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// text reports characters in the strings of a JSON value that can't be passed on: bytes that aren't
// UTF-8, which decoders replace, and NUL, at which arguments and variables of programs end.
// Given is how the user wrote the value.
func text(b json.RawMessage, given string) error {
	if !utf8.Valid(b) {
		return notUTF8(given)
	}
	for i := bytes.IndexByte(b, '\\'); i >= 0 && i+1 < len(b); {
		size := 2
		if b[i+1] == 'u' && i+6 <= len(b) {
			n, err := strconv.ParseUint(string(b[i+2:i+6]), 16, 16)
			switch size = 6; {
			case err != nil:
			case n == 0:
				return fmt.Errorf("%s has the character NUL, which arguments and environment variables of programs can't have; leave it out, or pass the bytes as an artifact", shorten(given))
			case n >= 0xd800 && n < 0xdc00 && low(b[i+6:]):
				size = 12
			case n >= 0xd800 && n < 0xe000:
				return notUTF8(given)
			}
		}
		next := bytes.IndexByte(b[i+size:], '\\')
		if next < 0 {
			break
		}
		i += size + next
	}
	return nil
}

// low reports whether JSON begins with the second half of a pair of escapes.
func low(b []byte) bool {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return err == nil && n >= 0xdc00 && n < 0xe000
}

func notUTF8(given string) error { return fmt.Errorf("%s is not valid UTF-8", shorten(given)) }
