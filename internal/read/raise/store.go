package raise

import (
	"encoding/json"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// store adds argo.From to an import.
func (o *options) store(j json.RawMessage) {
	var store map[string]map[string]json.RawMessage
	if err := json.Unmarshal(j, &store); err != nil || len(store) != 1 {
		o.w.taskErrorf(o.n.task, "a store of an artifact that isn't one object: %s", short(j))
		return
	}
	for kind, of := range store {
		names := program.StoreFields[kind]
		var pairs []string
		for k, v := range sorted(of) {
			text, ok := storeValue(k, v)
			if names[k] == "" || !ok {
				o.w.taskErrorf(o.n.task, "a store of an artifact that the language doesn't have: %s %s %s", kind, k, short(v))
				continue
			}
			pairs = append(pairs, names[k], text)
		}
		o.add("argo.From(%s)", fields("argo."+program.StoreTypes[kind], pairs...))
	}
}

// storeValue returns the value of a field of a store as Go.
func storeValue(name string, j json.RawMessage) (string, bool) {
	var secret struct{ Name, Key string }
	var text string
	var list []string
	var headers []struct{ Name, Value string }
	switch {
	case json.Unmarshal(j, &text) == nil:
		return quoted(text), true
	case json.Unmarshal(j, &list) == nil:
		return some(list), true
	case name == "headers" && json.Unmarshal(j, &headers) == nil:
		var parts []string
		for _, h := range headers {
			parts = append(parts, "{Name: "+gosrc.Quote(h.Name)+", Value: "+gosrc.Quote(h.Value)+"}")
		}
		return braces("[]argo.Header", parts), true
	case json.Unmarshal(j, &secret) == nil && secret.Name != "":
		return fields("argo.SecretKey", "Name", gosrc.Quote(secret.Name), "Key", gosrc.Quote(secret.Key)), true
	}
	var n uint64
	if string(j) == "true" || string(j) == "false" || json.Unmarshal(j, &n) == nil {
		return string(j), true
	}
	return "", false
}
