package kubeop

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// at returns the value at a path: keys, and indexes of lists.
func at(v any, path ...string) (any, bool) {
	for _, p := range path {
		switch in := v.(type) {
		case map[string]any:
			got, ok := in[p]
			if !ok {
				return nil, false
			}
			v = got
		case []any:
			i, err := strconv.Atoi(p)
			if err == nil && i < 0 {
				i += len(in)
			}
			if err != nil || i < 0 || i >= len(in) {
				return nil, false
			}
			v = in[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// objects returns those in the list at a path.
func objects(v any, path ...string) (list []map[string]any) {
	found, _ := at(v, path...)
	items, _ := found.([]any)
	for _, i := range items {
		if o, ok := i.(map[string]any); ok {
			list = append(list, o)
		}
	}
	return list
}

func textAt(v any, path ...string) (string, bool) {
	got, ok := at(v, path...)
	s, isText := got.(string)
	return s, ok && isText
}

// text returns a value as text: a string as it is, others as JSON.
func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

var pathStep = lazyregexp.New(`^(?:\.([A-Za-z_](?:[-\w/]|\\\.)*)|\[(-?\d+)\]|\['([^']+)'\])`)

// jsonPath parses the part of kubectl's JSONPath that names one field, such as
// {.status.loadBalancer.ingress[0].ip}.
func jsonPath(s string) (path []string, err error) {
	rest := strings.TrimSpace(s)
	if strings.HasPrefix(rest, "{") && strings.HasSuffix(rest, "}") {
		rest = rest[1 : len(rest)-1]
	}
	rest = strings.TrimPrefix(rest, "$")
	for rest != "" {
		m := pathStep.FindStringSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("jsonpath %q: use the path of one field, such as {.status.loadBalancer.ingress[0].ip}", s)
		}
		path = append(path, strings.ReplaceAll(m[1], `\.`, ".")+m[2]+m[3])
		rest = rest[len(m[0]):]
	}
	return path, nil
}

// outputs reads the outputs of a component from an object.
func outputs(c *record.Component, obj map[string]any) (map[string]json.RawMessage, error) {
	values := map[string]json.RawMessage{}
	for _, f := range c.Outputs {
		path, err := jsonPath(f.JSONPath)
		if err != nil {
			return nil, fmt.Errorf("output %s: %w", f.Name, err)
		}
		v, ok := at(obj, path...)
		if !ok || v == nil {
			if f.Optional {
				continue
			}
			return nil, fmt.Errorf("output %s: the object has nothing at %s; wait for it with a success condition", f.Name, f.JSONPath)
		}
		s := text(v)
		if f.Type.Name == kfptype.String {
			values[f.Name], err = json.Marshal(s)
		} else if values[f.Name] = json.RawMessage(s); !json.Valid(values[f.Name]) {
			err = fmt.Errorf("%s is %q, which is not of type %s", f.JSONPath, s, f.Type.Go)
		}
		if err != nil {
			return nil, fmt.Errorf("output %s: %w", f.Name, err)
		}
	}
	return values, nil
}
