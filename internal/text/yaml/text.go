package yaml

import (
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
)

// text returns the node of a string in the plainest style that is safe. A key has no
// lines.
func text(s string, key bool) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s, Style: yaml.DoubleQuotedStyle}
	switch {
	case !key && literal(s):
		n.Style = yaml.LiteralStyle
	case !quotable(s):
	case plain(s):
		n.Style = 0
	default:
		n.Style = yaml.SingleQuotedStyle
	}
	return n
}

// plain reports whether a printable string needs no quotes. What starts with a
// digit, a sign or a point is quoted always, so that numbers, dates, times and
// versions need no rules of their own.
func plain(s string) bool {
	if s == "" || word(s) {
		return false
	}
	first, last := rune(s[0]), s[len(s)-1]
	if !unicode.IsLetter(first) || first > unicode.MaxASCII {
		if !strings.ContainsRune("/_$(", first) {
			return false
		}
	}
	return last != ' ' && last != ':' && !strings.Contains(s, ": ") && !strings.Contains(s, " #")
}

// word reports whether some version of YAML reads the word as a boolean or null.
func word(s string) bool {
	if len(s) > len("infinity") {
		return false
	}
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null", "inf", "nan", "infinity":
		return true
	}
	return false
}

// quotable reports whether a string can stand in single quotes on one line.
func quotable(s string) bool {
	for _, r := range s {
		if ' ' <= r && r <= '~' {
			continue
		}
		// A BOM is printable to some readers and not to others, and the emitter
		// escapes what is beyond the basic plane.
		if !unicode.IsPrint(r) || r == '\ufeff' || r == unicode.ReplacementChar || r > 0xffff {
			return false
		}
	}
	return true
}

// literal reports whether a | block gives back exactly the string: some lines, the
// first of which starts with neither space nor newline, and at most one newline at the end.
func literal(s string) bool {
	if !strings.Contains(s, "\n") || strings.HasSuffix(s, "\n\n") || strings.ContainsAny(s[:1], " \t\n#") {
		return false
	}
	for line := range strings.Lines(s) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && strings.TrimSpace(line) == "" || strings.HasPrefix(line, "\t") {
			return false
		}
		if !quotable(strings.ReplaceAll(line, "\t", " ")) {
			return false
		}
	}
	return true
}
