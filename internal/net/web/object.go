package web

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// A Foreign is a response of another server, though its status says that all
// is well.
type Foreign struct {
	Kind  string // what it is, such as XML
	Begin string // how it begins; quoted when it is shown
	Empty bool   // there is nothing in it
	Page  bool   // it is HTML
}

func (e *Foreign) Error() string {
	if e.Empty {
		return "the answer is " + e.Kind + ", and not the JSON object that the API sends"
	}
	return fmt.Sprintf("the answer is %s, which begins with %q, and not the JSON object that the API sends: a proxy, a login page or another server may have answered, or the path of the address is wrong", e.Kind, e.Begin)
}

// Object checks that an answer is a JSON object, by how it begins; whether it is a whole
// one shows when it is decoded. The error is a [*Foreign].
func Object(h http.Header, body []byte) error {
	text := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	if len(text) > 0 && text[0] == '{' {
		return nil
	}
	f := &Foreign{Kind: "text", Begin: begin(text)}
	switch {
	case len(text) == 0:
		f.Kind, f.Empty = "empty", true
	case text[0] == '<':
		f.Kind = "XML"
		if strings.Contains(http.DetectContentType(text), "html") {
			f.Kind, f.Page = "an HTML page", true
		}
	case string(text) == "null":
		f.Kind, f.Empty = "JSON's null", true
	case text[0] == '[' && json.Valid(text):
		f.Kind = "a JSON list"
	case json.Valid(text):
		f.Kind = "a single JSON value"
	}
	if kind, _, _ := mime.ParseMediaType(h.Get("Content-Type")); kind != "" && kind != "application/json" {
		f.Kind += " (" + strings.Trim(fmt.Sprintf("%q", kind), `"`) + ")"
	}
	return f
}

// begin returns the first line of a string, or the beginning of that.
func begin(text []byte) string {
	line, _, _ := strings.Cut(string(text[:min(len(text), 320)]), "\n")
	if r := []rune(strings.TrimSpace(line)); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return strings.TrimSpace(line)
}

// Decode reads an answer that must be a JSON object. One that has fields, of which the
// type knows none, is a [*Foreign] as well: else it would pass for an empty list.
func Decode(h http.Header, body []byte, into any) error {
	if err := Object(h, body); err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return err
	}
	return Known(body, into)
}

// Known checks, for JSON that was decoded into a struct, that an object that has fields
// has one that the type knows.
func Known(body []byte, into any) error {
	v := reflect.ValueOf(into).Elem()
	t := v.Type()
	if t.Kind() != reflect.Struct || !v.IsZero() {
		return nil
	}
	var has map[string]json.RawMessage
	if json.Unmarshal(body, &has) != nil || len(has) == 0 {
		return nil
	}
	known := fields(t, 0)
	var names []string
	for name := range has {
		if known[strings.ToLower(name)] {
			return nil
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return &Foreign{Kind: "a JSON object of something else", Begin: begin([]byte(strings.Join(names, ", ")))}
}

var decodes = reflect.TypeFor[json.Unmarshaler]()
var textual = reflect.TypeFor[encoding.TextUnmarshaler]()

// fields returns the names of the fields of a type as JSON has them, in lower case, as
// encoding/json takes any case.
func fields(t reflect.Type, depth int) map[string]bool {
	all := map[string]bool{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		in := f.Type
		if in.Kind() == reflect.Pointer {
			in = in.Elem()
		}
		if f.Anonymous && name == "" && in.Kind() == reflect.Struct && depth < 8 && !reflect.PointerTo(in).Implements(decodes) && !reflect.PointerTo(in).Implements(textual) {
			for n := range fields(in, depth+1) {
				all[n] = true
			}
			continue
		}
		if f.IsExported() && name != "-" {
			all[strings.ToLower(cmp.Or(name, f.Name))] = true
		}
	}
	return all
}
