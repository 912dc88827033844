package argosim

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/builtin"
)

// Plain is Argo's language without its libraries: tags, and expressions with the
// functions that package argo writes.
type Plain struct{}

var functions = map[string]any{
	"asInt": builtin.Int, "asFloat": builtin.Float,
	"toJson": func(v any) string { j, _ := json.Marshal(v); return string(j) },
	"sprig":  map[string]any{"sha256sum": func(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }},
}

// Eval evaluates an expression.
func (Plain) Eval(code string, vars map[string]any) (any, error) {
	return eval(code, tree(vars))
}

func eval(code string, env map[string]any) (any, error) {
	program, err := expr.Compile(code, expr.Env(env))
	if err != nil {
		return nil, err
	}
	return expr.Run(program, env)
}

// tree returns variables as expressions see them: a.b is a member of a, and a is
// nothing by itself then.
func tree(vars map[string]any) map[string]any {
	env := maps.Clone(functions)
	for _, path := range slices.Sorted(maps.Keys(vars)) {
		parts := strings.Split(path, ".")
		at := env
		for _, p := range parts[:len(parts)-1] {
			next, ok := at[p].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[p] = next
			}
			at = next
		}
		if _, ok := at[parts[len(parts)-1]].(map[string]any); !ok {
			at[parts[len(parts)-1]] = vars[path]
		}
	}
	return env
}

// status is what has no value before the exit handler.
var status = regexp.MustCompile(`\bworkflow\.(status|failures)\b`)

// Replace replaces tags. Texts are quoted as Go does it, and Argo.
func (Plain) Replace(text string, vars map[string]string, _ ...string) (string, error) {
	var b strings.Builder
	var env map[string]any
	for rest := text; ; {
		before, after, ok := strings.Cut(rest, "{{")
		b.WriteString(before)
		if !ok {
			break
		}
		tag, behind, ok := strings.Cut(after, "}}")
		if !ok {
			return "", fmt.Errorf("a tag has no end: {{%s", after)
		}
		rest = behind
		put, ok := "", false
		if code, is := strings.CutPrefix(tag, "="); is {
			if env == nil {
				env = tree(all(nil, vars))
			}
			put, ok = result(code, env, vars)
		} else if put, ok = vars[strings.TrimSpace(tag)]; ok {
			put = inner(strconv.Quote(put))
		}
		if !ok {
			put = "{{" + tag + "}}"
		}
		b.WriteString(put)
	}
	if !json.Valid([]byte(b.String())) {
		return "", errors.New("the result is invalid JSON: " + b.String())
	}
	return b.String(), nil
}

func inner(quoted string) string { return quoted[1 : len(quoted)-1] }

// result evaluates an expression that stands in JSON. It has none if something
// isn't known, or wrong.
func result(code string, env map[string]any, vars map[string]string) (string, bool) {
	if json.Unmarshal([]byte(`"`+code+`"`), &code) != nil {
		return "", false
	}
	for _, name := range status.FindAllString(code, -1) {
		if _, ok := vars[name]; !ok {
			return "", false
		}
	}
	v, err := eval(code, env)
	if err != nil || v == nil {
		return "", false
	}
	j, err := json.Marshal(v)
	if err != nil {
		return "", false
	}
	if j[0] == '"' {
		return inner(string(j)), true
	}
	return inner(strconv.Quote(string(j))), true
}
