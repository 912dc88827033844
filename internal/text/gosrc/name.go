package gosrc

import (
	"strings"
	"unicode"
)

// initialisms are written in capitals, as Go does.
var initialisms = map[string]bool{
	"api": true, "aws": true, "cpu": true, "csv": true, "cv": true, "db": true, "dns": true, "gcp": true, "gcs": true, "gpu": true, "html": true, "http": true,
	"https": true, "id": true, "ids": false, "io": true, "ip": true, "json": true, "kfp": true, "llm": true, "nlp": true, "os": true, "pvc": true, "roc": true, "sql": true,
	"tls": true, "tpu": true, "ttl": true, "ui": true, "uid": true, "uri": true, "url": true, "uuid": true, "vm": true, "xml": true, "yaml": true,
}

// Exported returns an exported Go name for a name of any kind; instead, or a name
// that starts with it, where the name has nothing to start one with.
func Exported(name, instead string) string {
	if !escape.names && name != "" {
		return name
	}
	var b strings.Builder
	for _, w := range words(name) {
		if lower := strings.ToLower(w); initialisms[lower] {
			b.WriteString(strings.ToUpper(w))
			continue
		}
		rs := []rune(w)
		b.WriteRune(unicode.ToUpper(rs[0]))
		b.WriteString(string(rs[1:]))
	}
	s := b.String()
	if s == "" {
		return instead
	}
	if r := []rune(s)[0]; !unicode.IsUpper(r) { // a digit, or a script without capitals
		s = instead + s
	}
	return s
}

// Local returns an unexported Go name, or instead.
func Local(name, instead string) string {
	ws := words(name)
	if len(ws) == 0 || !unicode.IsLetter([]rune(ws[0])[0]) {
		return instead
	}
	if !escape.names {
		return name
	}
	rest := Exported(strings.Join(ws[1:], "_"), "")
	first := ws[0]
	if strings.ToUpper(first) == first || initialisms[strings.ToLower(first)] {
		first = strings.ToLower(first)
	} else {
		rs := []rune(first)
		first = string(unicode.ToLower(rs[0])) + string(rs[1:])
	}
	return first + rest
}

// words splits a name at what can't be in a Go name, at underscores, and at
// letters that show nothing.
func words(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool {
		return r == '_' || !unicode.IsLetter(r) && !unicode.IsDigit(r) || !Visible(r)
	})
}
