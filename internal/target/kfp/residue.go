package kfp

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// Documents returns a program as the JSON of its documents: the pipeline, and the
// platform settings if there are any.
func Documents(p *program.Program, o Options) ([]json.RawMessage, error) {
	spec, platform, err := build(p, o)
	if err != nil {
		return nil, err
	}
	return documents(p, spec, platform)
}

// documents puts in what the file had that a program was read from.
func documents(p *program.Program, spec *kfpspec.PipelineSpec, platform *kfpspec.PlatformSpec) ([]json.RawMessage, error) {
	all := []any{spec}
	if platform != nil {
		all = append(all, platform)
	}
	var docs []json.RawMessage
	for _, d := range all {
		b, err := jsontext.Marshal(d)
		if err != nil {
			return nil, err
		}
		docs = append(docs, b)
	}
	for doc := range 2 {
		if !slices.ContainsFunc(p.Residue, func(c program.Change) bool { return c.Doc == doc }) {
			continue
		}
		var tree any
		if doc < len(docs) {
			if err := jsontext.Decode(docs[doc], &tree); err != nil {
				return nil, err
			}
			docs = slices.Delete(docs, doc, doc+1)
		}
		for _, c := range p.Residue {
			if c.Doc != doc {
				continue
			}
			var ok bool
			if tree, ok = change(tree, c.Path, c.Set); !ok {
				return nil, fmt.Errorf("pipeline %s: the file that it was read from has something at %s, which the program no longer has", p.Name, strings.Join(c.Path, "/"))
			}
		}
		if tree == nil {
			continue // dropped
		}
		j, err := json.Marshal(tree)
		if err != nil {
			return nil, err
		}
		docs = slices.Insert(docs, min(doc, len(docs)), j)
	}
	return docs, nil
}

// change sets or drops what is at a path, and returns the tree.
func change(tree any, path []string, set json.RawMessage) (any, bool) {
	if len(path) == 0 {
		if set == nil {
			return nil, true
		}
		var v any
		err := jsontext.Decode(set, &v)
		return v, err == nil
	}
	switch t := tree.(type) {
	case map[string]any:
		old, ok := t[path[0]]
		if set == nil && len(path) == 1 {
			delete(t, path[0])
			return t, true
		}
		if !ok && len(path) > 1 {
			return t, false
		}
		v, ok := change(old, path[1:], set)
		t[path[0]] = v
		return t, ok
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(t) {
			return t, false
		}
		v, ok := change(t[i], path[1:], set)
		t[i] = v
		return t, ok
	}
	return tree, false
}

// manifest puts the documents into the Kubernetes objects that they were in.
func manifest(m *program.Manifest, docs []json.RawMessage) ([]json.RawMessage, error) {
	var version map[string]json.RawMessage
	spec := map[string]json.RawMessage{}
	if err := json.Unmarshal(m.Version, &version); err != nil || version == nil {
		return nil, errors.Join(errors.New("the PipelineVersion is not an object"), err)
	}
	if s := version["spec"]; s != nil {
		if err := json.Unmarshal(s, &spec); err != nil {
			return nil, fmt.Errorf("the spec of the PipelineVersion: %w", err)
		}
	}
	spec["pipelineSpec"] = docs[0]
	if len(docs) > 1 {
		spec["platformSpec"] = docs[1]
	}
	s, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	version["spec"] = s
	v, err := json.Marshal(version)
	if err != nil {
		return nil, err
	}
	if m.Pipeline != nil {
		return []json.RawMessage{m.Pipeline, v}, nil
	}
	return []json.RawMessage{v}, nil
}
