// Package jsontext writes JSON with the characters of strings as they are, and reads it with
// the digits of numbers: encoding/json writes <, > and & as escapes and takes numbers for
// doubles, unless it is asked not to.
package jsontext

import (
	"bytes"
	"encoding/json"
)

// Marshal returns the JSON of a value.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// String returns the JSON of a string.
func String(s string) []byte {
	b, _ := Marshal(s) // a string can't fail
	return b
}

// Decode reads JSON, whose numbers keep their digits: in what is any, they are json.Numbers.
func Decode(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode(into)
}
