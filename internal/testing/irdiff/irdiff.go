// Package irdiff compares files of KFP IR by what they mean: for tests that hold
// kfpgo's IR against that of KFP's Python SDK.
package irdiff

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// A doc is a YAML mapping, with JSON's types.
type doc = map[string]any

// Compare lists where two IR files differ, by path. Names of components and
// executors, what is shared, descriptions of inputs and outputs and the SDK's
// version make no difference.
func Compare(got, want []byte, ignore ...func(path string, executor map[string]any)) ([]string, error) {
	return compare(got, want, false, ignore)
}

// CompareDescribed is Compare for files in which descriptions do make a difference.
func CompareDescribed(got, want []byte, ignore ...func(path string, executor map[string]any)) ([]string, error) {
	return compare(got, want, true, ignore)
}

func compare(got, want []byte, described bool, ignore []func(path string, executor map[string]any)) ([]string, error) {
	var trees [2]doc
	for i, ir := range [][]byte{got, want} {
		tree, err := expand(ir, described)
		if err != nil {
			return nil, err
		}
		for _, f := range ignore {
			executors("", tree, f)
		}
		trees[i] = tree
	}
	return Diff("", trees[0], trees[1]), nil
}

// executors calls f for each executor of a tree, to drop what may differ.
func executors(path string, v any, f func(string, map[string]any)) {
	switch v := v.(type) {
	case doc:
		for k, e := range v {
			if x, ok := e.(doc); ok && k == "executor" {
				f(path, x)
			}
			executors(path+"/"+k, e, f)
		}
	case []any:
		for i, e := range v {
			executors(fmt.Sprintf("%s[%d]", path, i), e, f)
		}
	}
}

// Expand reads IR and returns it as a tree: where a task names a component
// stands the component, and where that names an executor stand the executor and
// its platform settings. Two files that differ only in the names of components
// and executors, and in what they share, are the same tree.
func Expand(ir []byte) (map[string]any, error) { return expand(ir, false) }

func expand(ir []byte, described bool) (doc, error) {
	docs, err := Read(ir)
	if err != nil {
		return nil, err
	}
	x := &expander{spec: docs[0]}
	if len(docs) > 1 {
		x.platform = docs[1]
	}
	root, ok := x.spec["root"].(doc)
	if !ok {
		return nil, errors.New("no root: not a KFP IR file")
	}
	root, err = x.component(root, 0)
	if err != nil {
		return nil, err
	}
	tree := doc{"root": root, "pipelineInfo": x.spec["pipelineInfo"], "schemaVersion": x.spec["schemaVersion"]}
	if config := At(x.platform, "platforms", "kubernetes", "pipelineConfig"); config != nil {
		tree["pipelineConfig"] = config
	}
	return normal(tree, described).(doc), nil
}

type expander struct{ spec, platform doc }

func (x *expander) component(c doc, depth int) (doc, error) {
	if depth > 50 {
		return nil, errors.New("a component holds itself")
	}
	out := maps.Clone(c)
	if label, ok := c["executorLabel"].(string); ok {
		delete(out, "executorLabel")
		out["executor"] = At(x.spec, "deploymentSpec", "executors", label)
		if p := At(x.platform, "platforms", "kubernetes", "deploymentSpec", "executors", label); p != nil {
			out["kubernetes"] = p
		}
	}
	tasks, ok := At(c, "dag", "tasks").(doc)
	if !ok {
		return out, nil
	}
	expanded := doc{}
	for name, task := range tasks {
		ref, _ := At(task, "componentRef", "name").(string)
		called, ok := At(x.spec, "components", ref).(doc)
		if !ok {
			return nil, fmt.Errorf("task %s: no component %q", name, ref)
		}
		e := maps.Clone(task.(doc))
		var err error
		if e["componentRef"], err = x.component(called, depth+1); err != nil {
			return nil, err
		}
		expanded[name] = e
	}
	dag := maps.Clone(c["dag"].(doc))
	dag["tasks"] = expanded
	out["dag"] = dag
	return out, nil
}

// normal parses the JSON in loops over constants, and drops what authors write for
// people in components, unless that is to be described.
func normal(v any, described bool) any {
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
			if k == "description" && !described && (v["parameterType"] != nil || v["artifactType"] != nil) {
				continue
			}
			out[k] = normal(e, described)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = normal(e, described)
		}
		return out
	case string: // the JSON of a command line element
		var x doc
		if strings.HasPrefix(v, "{\"") && json.Unmarshal([]byte(v), &x) == nil && (x["IfPresent"] != nil || x["Concat"] != nil) {
			single(x)
			return x
		}
		return archives(v)
	}
	return v
}

// Read returns the documents of a YAML file with JSON's types.
func Read(b []byte) ([]map[string]any, error) {
	var docs []doc
	d := yaml.NewDecoder(bytes.NewReader(b))
	for {
		var v any
		err := d.Decode(&v)
		if errors.Is(err, io.EOF) && docs != nil {
			return docs, nil
		}
		if err != nil {
			return nil, err
		}
		j, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		var m doc
		if err := json.Unmarshal(j, &m); err != nil {
			return nil, err
		}
		docs = append(docs, m)
	}
}

// At returns what is at a path of keys, or nil.
func At(v any, path ...string) any {
	for _, k := range path {
		m, _ := v.(doc)
		v = m[k]
	}
	return v
}

// Diff lists where two trees differ.
func Diff(path string, got, want any) []string {
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
				out = append(out, Diff(path+"/"+k, gv, wv)...)
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
			out = append(out, Diff(fmt.Sprintf("%s[%d]", path, i), g[i], w[i])...)
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

// single writes the one element of an IfPresent as a list, as KFP reads it.
func single(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			single(e)
		}
	case doc:
		for _, e := range v {
			single(e)
		}
		if v["InputName"] == nil {
			return
		}
		for _, k := range []string{"Then", "Else"} {
			if e, ok := v[k]; ok && e != nil {
				if _, list := e.([]any); !list {
					v[k] = []any{e}
				}
			}
		}
	}
}
