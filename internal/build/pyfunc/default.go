package pyfunc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/gosrc"
	"github.com/kfpgo/kfpgo/internal/text/pysrc"
)

var errConstant = errors.New("only a constant that is written out, or a name that the file gives to one, can be the default of a step; use None, and set it in the function")

// defaultOf sets the default of an input.
func (f *File) defaultOf(q *port, e *pysrc.Expr) error {
	lit, err := f.literal(e, q.typ.text, 0)
	if err != nil {
		return err
	}
	switch {
	case q.typ.text == "string":
		q.value = &e.Text
	case (strings.HasPrefix(q.typ.text, "[]") || strings.HasPrefix(q.typ.text, "map[")) && len(e.Items) > 0:
		q.literal = lit // a tag has only empty ones
	case strings.HasPrefix(q.typ.text, "[]"):
		lit = "[]"
		q.value = &lit
	case strings.HasPrefix(q.typ.text, "map["):
		lit = "{}"
		q.value = &lit
	default:
		q.value = &lit
	}
	return nil
}

// literal returns a constant of Python as one of a type of Go.
func (f *File) literal(e *pysrc.Expr, want string, depth int) (string, error) {
	e = f.constant(e)
	if f.parts++; depth > maxDepth || f.parts > maxParts {
		return "", errors.New("the value is too deep or too long, or is part of itself")
	}
	mismatch := fmt.Errorf("%s is not a valid %s", e.Text, pythonType(want))
	list, isList := strings.CutPrefix(want, "[]")
	dict, isDict := strings.CutPrefix(want, "map[string]")
	switch e.Kind {
	case pysrc.Str:
		if want != "string" && want != "any" {
			return "", mismatch
		}
		return gosrc.Quote(e.Text), nil
	case pysrc.Number:
		return number(e.Text, want, mismatch)
	case pysrc.Name:
		b := map[string]string{"True": "true", "False": "false"}[e.Text]
		switch {
		case b != "" && (want == "bool" || want == "any"):
			return b, nil
		case e.Text == "None" && want == "any":
			return "nil", nil
		case b != "" || e.Text == "None":
			return "", mismatch
		}
	case pysrc.List, pysrc.Tuple:
		if want == "any" {
			want, list, isList = "[]any", "any", true
		}
		if !isList {
			return "", mismatch
		}
		return f.elements(e, want, list, depth)
	case pysrc.Dict:
		if want == "any" {
			want, dict, isDict = "map[string]any", "any", true
		}
		if !isDict {
			return "", mismatch
		}
		return f.elements(e, want, dict, depth)
	}
	return "", errConstant
}

// elements returns the literal of a list or map.
func (f *File) elements(e *pysrc.Expr, want, of string, depth int) (string, error) {
	var parts []string
	at := map[string]int{} // the last one of a key counts
	for i, item := range e.Items {
		text, err := f.literal(item, of, depth+1)
		if err != nil {
			return "", err
		}
		if strings.HasPrefix(of, "[") || strings.HasPrefix(of, "map[") { // gofmt -s leaves it out
			text = strings.TrimPrefix(text, of)
		}
		if e.Kind == pysrc.Dict {
			if e.Keys[i] == nil {
				return "", errConstant
			}
			key, err := f.literal(e.Keys[i], "string", depth+1)
			if err != nil {
				return "", err
			}
			text = key + ": " + text
			if j, twice := at[key]; twice {
				parts[j] = text
				continue
			}
			at[key] = len(parts)
		}
		parts = append(parts, text)
	}
	return want + "{" + strings.Join(parts, ", ") + "}", nil
}

// number returns a number as Go: Python has underscores in it, and octals with 0o.
func number(text, want string, mismatch error) (string, error) {
	text = strings.ReplaceAll(text, "_", "")
	n, err := strconv.ParseInt(text, 0, 64)
	switch whole := err == nil; {
	case whole && (want == "int" || want == "any" || want == "float64"):
		return strconv.FormatInt(n, 10), nil
	case whole || want != "float64" && want != "any":
		return "", mismatch
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "", mismatch
	}
	text = strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text, nil
}

// pythonType returns what Python calls a type of Go.
func pythonType(text string) string {
	list, isList := strings.CutPrefix(text, "[]")
	dict, isDict := strings.CutPrefix(text, "map[string]")
	switch {
	case isList:
		return "List[" + pythonType(list) + "]"
	case isDict:
		return "Dict[str, " + pythonType(dict) + "]"
	case text == "any":
		return "Any"
	case text == "string":
		return "str"
	case text == "float64":
		return "float"
	}
	return text
}
