package oracle

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"sigs.k8s.io/yaml"
)

// A CRD is the schemas of Argo's objects, by kind, as an API server checks them
// that is told to be strict: what a schema doesn't name is a mistake.
type CRD struct {
	schemas map[string]map[string]any
	rules   map[string]cel.Program
}

// ReadCRDs reads the full CustomResourceDefinitions of Argo's Go module.
func ReadCRDs(module string) (*CRD, error) {
	files, err := filepath.Glob(filepath.Join(module, "manifests/base/crds/full/argoproj.io_*.yaml"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no CRDs in %s: %v", module, err)
	}
	c := &CRD{map[string]map[string]any{}, map[string]cel.Program{}}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		var d struct {
			Spec struct {
				Names    struct{ Kind string }
				Versions []struct {
					Schema struct {
						OpenAPIV3Schema map[string]any `json:"openAPIV3Schema"`
					}
				}
			}
		}
		if err := yaml.Unmarshal(b, &d); err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		c.schemas[d.Spec.Names.Kind] = d.Spec.Versions[0].Schema.OpenAPIV3Schema
	}
	return c, nil
}

// Check returns what an API server would say about an object of Argo's.
func (c *CRD) Check(object []byte) []string {
	j, err := yaml.YAMLToJSON(object)
	if err != nil {
		return []string{err.Error()}
	}
	d := json.NewDecoder(strings.NewReader(string(j)))
	d.UseNumber()
	var o map[string]any
	if err := d.Decode(&o); err != nil {
		return []string{err.Error()}
	}
	kind, _ := o["kind"].(string)
	schema, ok := c.schemas[kind]
	if !ok {
		return []string{"there is no CRD for " + kind}
	}
	k := &checker{c: c}
	k.value(schema, o, "")
	return k.bad
}

type checker struct {
	c   *CRD
	bad []string
}

func (k *checker) errorf(at, format string, args ...any) {
	k.bad = append(k.bad, strings.TrimPrefix(at, ".")+": "+fmt.Sprintf(format, args...))
}

func sub(schema map[string]any, key string) map[string]any {
	m, _ := schema[key].(map[string]any)
	return m
}

func (k *checker) value(schema map[string]any, v any, at string) {
	if v == nil {
		if nullable, _ := schema["nullable"].(bool); !nullable {
			k.errorf(at, "is null")
		}
		return
	}
	free, _ := schema["x-kubernetes-preserve-unknown-fields"].(bool)
	either, _ := schema["x-kubernetes-int-or-string"].(bool)
	typ, _ := schema["type"].(string)
	if either {
		typ = "int-or-string"
	}
	if !is(typ, v) {
		k.errorf(at, "%v is not of type %s", v, typ)
		return
	}
	if enum, ok := schema["enum"].([]any); ok && !slices.ContainsFunc(enum, func(e any) bool { return fmt.Sprint(e) == fmt.Sprint(v) }) {
		k.errorf(at, "%v is none of %v", v, enum)
	}
	switch v := v.(type) {
	case map[string]any:
		k.object(schema, v, at, free)
	case []any:
		k.list(schema, v, at)
	case string:
		if p, ok := schema["pattern"].(string); ok && !regexp.MustCompile(p).MatchString(v) {
			k.errorf(at, "%q doesn't match %s", v, p)
		}
		k.limit(schema, "minLength", "maxLength", int64(len([]rune(v))), at)
	case json.Number:
		k.limit(schema, "minimum", "maximum", v, at)
	}
	if at != ".metadata" {
		k.rules(schema, v, at)
	}
}

func (k *checker) object(schema map[string]any, v map[string]any, at string, free bool) {
	props, more := sub(schema, "properties"), sub(schema, "additionalProperties")
	if required, ok := schema["required"].([]any); ok {
		for _, name := range required {
			if _, ok := v[name.(string)]; !ok {
				k.errorf(at, "%s is required", name)
			}
		}
	}
	if at == ".metadata" {
		return // the API server's own
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		switch p := sub(props, name); {
		case p != nil:
			k.value(p, v[name], at+"."+name)
		case more != nil:
			k.value(more, v[name], at+"."+name)
		case !free:
			k.errorf(at, "unknown field %s", name)
		}
	}
}

func (k *checker) list(schema map[string]any, v []any, at string) {
	k.limit(schema, "minItems", "maxItems", int64(len(v)), at)
	seen := map[string]bool{}
	keys, _ := schema["x-kubernetes-list-map-keys"].([]any)
	for i, e := range v {
		k.value(sub(schema, "items"), e, fmt.Sprintf("%s[%d]", at, i))
		if m, ok := e.(map[string]any); ok && keys != nil {
			id := ""
			for _, key := range keys {
				id += fmt.Sprintf("%v\x00", m[key.(string)])
			}
			if seen[id] {
				k.errorf(at, "two elements are named %s", strings.Trim(id, "\x00"))
			}
			seen[id] = true
		}
	}
}

func (k *checker) limit(schema map[string]any, least, most string, n any, at string) {
	got, ok := new(big.Rat).SetString(fmt.Sprint(n))
	if !ok {
		k.errorf(at, "%v is not a number", n)
		return
	}
	if m, ok := schema[least]; ok {
		if limit, _ := new(big.Rat).SetString(fmt.Sprint(m)); got.Cmp(limit) < 0 {
			k.errorf(at, "%v is below the %s of %v", n, least, m)
		}
	}
	if m, ok := schema[most]; ok {
		if limit, _ := new(big.Rat).SetString(fmt.Sprint(m)); got.Cmp(limit) > 0 {
			k.errorf(at, "%v is above the %s of %v", n, most, m)
		}
	}
}

func is(typ string, v any) bool {
	n, number := v.(json.Number)
	whole := number && !strings.ContainsAny(n.String(), ".eE")
	_, text := v.(string)
	switch typ {
	case "object":
		_, ok := v.(map[string]any)
		return ok
	case "array":
		_, ok := v.([]any)
		return ok
	case "string":
		return text
	case "boolean":
		_, ok := v.(bool)
		return ok
	case "integer":
		return whole
	case "number":
		return number
	case "int-or-string":
		return text || whole
	}
	return true
}

// rules evaluates those that are CEL.
func (k *checker) rules(schema map[string]any, v any, at string) {
	list, _ := schema["x-kubernetes-validations"].([]any)
	for _, r := range list {
		rule := fmt.Sprint(r.(map[string]any)["rule"])
		p, ok := k.c.rules[rule]
		if !ok {
			env, err := cel.NewEnv(cel.Variable("self", cel.DynType))
			if err == nil {
				var ast *cel.Ast
				var issues *cel.Issues
				if ast, issues = env.Compile(rule); issues.Err() != nil {
					err = issues.Err()
				} else {
					p, err = env.Program(ast)
				}
			}
			if err != nil {
				k.errorf(at, "the rule %s: %v", rule, err)
				return
			}
			k.c.rules[rule] = p
		}
		out, _, err := p.Eval(map[string]any{"self": plain(v)})
		if err != nil || out.Value() != true {
			k.errorf(at, "%v (%v)", r.(map[string]any)["message"], err)
		}
	}
}

// plain returns a value with Go's numbers, as CEL takes it.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case map[string]any:
		m := map[string]any{}
		for key := range v {
			m[key] = plain(v[key])
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = plain(v[i])
		}
		return list
	}
	return v
}
