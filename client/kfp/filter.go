package kfp

import (
	"encoding/json"
	"errors"
	"fmt"
)

type predicate struct {
	Op    string `json:"operation"`
	Key   string `json:"key"`
	Value string `json:"string_value"`
}

// filter returns a filter of the API: what the predicates say, and what the user's
// own filter says.
func filter(own string, ps ...predicate) (*string, error) {
	if own == "" && len(ps) == 0 {
		return nil, nil
	}
	f := map[string]any{}
	if own != "" {
		if err := json.Unmarshal([]byte(own), &f); err != nil {
			return nil, fmt.Errorf("the filter must be an object of JSON, such as {\"predicates\":[{\"operation\":\"IS_SUBSTRING\",\"key\":\"name\",\"stringValue\":\"train\"}]}: %w", err)
		}
	}
	all, ok := f["predicates"].([]any)
	if f["predicates"] != nil && !ok {
		return nil, errors.New("the filter's predicates must be a list")
	}
	for _, p := range ps {
		all = append(all, p)
	}
	f["predicates"] = all
	b, err := json.Marshal(f)
	s := string(b)
	return &s, err
}

func is(key, value string) predicate       { return predicate{"EQUALS", key, value} }
func isNot(key, value string) predicate    { return predicate{"NOT_EQUALS", key, value} }
func contains(key, value string) predicate { return predicate{"IS_SUBSTRING", key, value} }
