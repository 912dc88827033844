package kfp_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// A doc is a YAML mapping, with JSON's types.
type doc = map[string]any

// expand reads IR and returns it as a tree: where a task names a component
// stands the component, and where that names an executor stand the executor and
// its platform settings. Two files that differ only in the names of components
// and executors, and in what they share, are the same tree.
func expand(t *testing.T, ir []byte) doc {
	t.Helper()
	docs := readYAML(t, ir)
	spec := docs[0]
	var platform any
	if len(docs) > 1 {
		platform = docs[1]
	}
	components := at(spec, "components")
	var component func(c doc, depth int) doc
	component = func(c doc, depth int) doc {
		if depth > 50 {
			t.Fatal("a component holds itself")
		}
		out := doc{}
		for k, v := range c {
			out[k] = v
		}
		if label, ok := c["executorLabel"].(string); ok {
			delete(out, "executorLabel")
			out["executor"] = at(spec, "deploymentSpec", "executors", label)
			if p := at(platform, "platforms", "kubernetes", "deploymentSpec", "executors", label); p != nil {
				out["kubernetes"] = p
			}
		}
		tasks, _ := at(c, "dag", "tasks").(doc)
		if tasks == nil {
			return out
		}
		expanded := doc{}
		for name, task := range tasks {
			e := doc{}
			for k, v := range task.(doc) {
				e[k] = v
			}
			ref, _ := at(task, "componentRef", "name").(string)
			called, ok := at(components, ref).(doc)
			if !ok {
				t.Fatalf("task %s: no component %q", name, ref)
			}
			e["componentRef"] = component(called, depth+1)
			expanded[name] = e
		}
		dag := doc{"tasks": expanded}
		if o := at(c, "dag", "outputs"); o != nil {
			dag["outputs"] = o
		}
		out["dag"] = dag
		return out
	}
	tree := doc{"root": component(spec["root"].(doc), 0), "pipelineInfo": spec["pipelineInfo"], "schemaVersion": spec["schemaVersion"]}
	if config := at(platform, "platforms", "kubernetes", "pipelineConfig"); config != nil {
		tree["pipelineConfig"] = config
	}
	return normal(tree).(doc)
}

// normal drops what authors write for people in components, and parses the JSON
// in loops over constants.
func normal(v any) any {
	switch v := v.(type) {
	case doc:
		out := doc{}
		for k, e := range v {
			if k == "raw" {
				var items any
				if s, ok := e.(string); ok && json.Unmarshal([]byte(s), &items) == nil {
					e = items
				}
			}
			if _, spec := v["parameterType"]; k == "description" && spec {
				continue
			}
			out[k] = normal(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = normal(e)
		}
		return out
	case string: // the JSON of a command line element
		var x doc
		if strings.HasPrefix(v, "{\"") && json.Unmarshal([]byte(v), &x) == nil && (x["IfPresent"] != nil || x["Concat"] != nil) {
			return x
		}
	}
	return v
}

func readYAML(t *testing.T, b []byte) []doc {
	t.Helper()
	var docs []doc
	d := yaml.NewDecoder(bytes.NewReader(b))
	for {
		var v any
		err := d.Decode(&v)
		if errors.Is(err, io.EOF) {
			return docs
		}
		if err != nil {
			t.Fatal(err)
		}
		j, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var m doc
		if err := json.Unmarshal(j, &m); err != nil {
			t.Fatal(err)
		}
		docs = append(docs, m)
	}
}

func at(v any, path ...string) any {
	for _, k := range path {
		m, _ := v.(doc)
		v = m[k]
	}
	return v
}

// diff lists where two trees differ.
func diff(path string, got, want any) []string {
	switch w := want.(type) {
	case doc:
		g, ok := got.(doc)
		if !ok {
			break
		}
		var keys []string
		for k := range g {
			keys = append(keys, k)
		}
		for k := range w {
			if _, ok := g[k]; !ok {
				keys = append(keys, k)
			}
		}
		slices.Sort(keys)
		var out []string
		for _, k := range keys {
			gv, gok := g[k]
			wv, wok := w[k]
			switch {
			case !gok:
				out = append(out, fmt.Sprintf("%s/%s: missing, want %s", path, k, short(wv)))
			case !wok:
				out = append(out, fmt.Sprintf("%s/%s: %s, want none", path, k, short(gv)))
			default:
				out = append(out, diff(path+"/"+k, gv, wv)...)
			}
		}
		return out
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			break
		}
		var out []string
		for i := range w {
			out = append(out, diff(fmt.Sprintf("%s[%d]", path, i), g[i], w[i])...)
		}
		return out
	}
	if a, b := short(got), short(want); a != b {
		return []string{fmt.Sprintf("%s: %s, want %s", path, a, b)}
	}
	return nil
}

func short(v any) string {
	j, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(j)
}
