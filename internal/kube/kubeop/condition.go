package kubeop

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// A condition is on a field of an object, as Argo's resource templates have
// them: status.succeeded > 0, status.phase in (Ready, Done), status.readyToUse.
type condition struct {
	text   string
	path   []string
	op     string // == != > >= < <= in notin exists ! condition
	values []string
}

var conditionForm = lazyregexp.New(`^(!?)\s*([A-Za-z_][-\w.\\/]*)\s*(?:(==|=|!=|>=|<=|>|<)\s*(.*)|(in|notin)\s*\(([^()]*)\))?$`)

// conditions parses a list of conditions that commas separate.
func (f *filler) conditions(what, text string) ([]condition, error) {
	text, err := f.fill(text)
	if err != nil {
		return nil, fmt.Errorf("%s condition: %w", what, err)
	}
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var list []condition
	for _, part := range split(text) {
		m := conditionForm.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil {
			return nil, fmt.Errorf("%s condition %q: not of the form status.succeeded > 0", what, part)
		}
		c := condition{text: strings.TrimSpace(part), path: fieldPath(m[2]), op: cmp.Or(m[1], m[3], m[5], "exists")}
		switch {
		case m[1] != "" && (m[3] != "" || m[5] != ""):
			return nil, fmt.Errorf("%s condition %q: ! stands before a field alone", what, part)
		case m[5] != "":
			for _, v := range strings.Split(m[6], ",") {
				c.values = append(c.values, unquoted(v))
			}
		case m[3] != "":
			c.values = []string{unquoted(m[4])}
			if _, err := strconv.ParseFloat(c.values[0], 64); err != nil && strings.ContainsAny(m[3], "<>") {
				return nil, fmt.Errorf("%s condition %q: %s takes a number", what, part, m[3])
			}
		}
		if c.op == "=" {
			c.op = "=="
		}
		list = append(list, c)
	}
	return list, nil
}

func split(text string) (parts []string) {
	depth, from := 0, 0
	for i, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, text[from:i])
				from = i + 1
			}
		}
	}
	return append(parts, text[from:])
}

func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

// fieldPath splits a.b\.c into a and b.c.
func fieldPath(s string) []string {
	parts := strings.Split(strings.ReplaceAll(s, `\.`, "\x00"), ".")
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(p, "\x00", ".")
	}
	return parts
}

// holds reports whether the condition is true of an object. As in a label
// selector, a field that isn't there is unequal to everything.
func (c condition) holds(obj map[string]any) bool {
	if c.op == "condition" { // of status.conditions
		for _, have := range objects(obj, "status", "conditions") {
			if have["type"] == c.path[0] {
				return have["status"] == c.values[0]
			}
		}
		return false
	}
	v, ok := at(obj, c.path...)
	ok = ok && v != nil
	switch c.op {
	case "exists":
		return ok
	case "!":
		return !ok
	case "!=", "notin":
		return !ok || !slices.Contains(c.values, text(v))
	case "==", "in":
		return ok && slices.Contains(c.values, text(v))
	}
	got, err1 := strconv.ParseFloat(text(v), 64)
	want, err2 := strconv.ParseFloat(c.values[0], 64)
	if !ok || err1 != nil || err2 != nil {
		return false
	}
	switch c.op {
	case ">":
		return got > want
	case ">=":
		return got >= want
	case "<":
		return got < want
	}
	return got <= want
}
