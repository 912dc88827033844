package graph

import (
	"regexp"
	"strings"
	"unicode"
)

// PortName is the name of an input or output for the Go name of its field: LearningRate to learning_rate, URL to
// url, PVCName to pvc_name.
func PortName(name string) string {
	var b strings.Builder
	rs := []rune(name)
	for i, r := range rs {
		if unicode.IsUpper(r) {
			afterLower := i > 0 && !unicode.IsUpper(rs[i-1])
			beforeLower := i > 0 && i+1 < len(rs) && unicode.IsLower(rs[i+1])
			if afterLower || beforeLower {
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// PythonName makes a name one of Python's.
func PythonName(name string) string {
	name = regexp.MustCompile(`[^A-Za-z0-9_]+`).ReplaceAllString(name, "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name
}
