package argo

import (
	"encoding/json"

	"github.com/kfpgo/kfpgo/internal/text/yaml"
)

// print returns the YAML of an object, without what its Go types write though
// nothing is in it.
func print(w any) ([]byte, error) {
	j, err := json.Marshal(w)
	if err != nil {
		return nil, err
	}
	var v map[string]any
	if err := json.Unmarshal(j, &v); err != nil { // no number in it has many digits
		return nil, err
	}
	delete(v, "status")
	prune(v)
	return yaml.Marshal(v)
}

// noise are members that mean nothing when empty.
var noise = map[string]bool{"inputs": true, "outputs": true, "metadata": true, "arguments": true, "resources": true, "creationTimestamp": true, "name": true, "key": true}

func prune(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, m := range v {
			prune(m)
			if noise[k] && empty(m) {
				delete(v, k)
			}
		}
	case []any:
		for _, m := range v {
			prune(m)
		}
	}
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case string:
		return v == ""
	}
	return false
}
