// Package manifest makes the manifests of dsl.Resource of Kubernetes' own Go
// types, or checks YAML against them: a field that the type hasn't is a mistake
// of the definition, and not something that the cluster drops.
//
//	var Deploy = dsl.Resource("deploy", func(in DeployIn, _ DeployOut) dsl.ResourceSpec {
//		return dsl.ResourceSpec{
//			Action:   dsl.Apply,
//			Manifest: manifest.Strict(fmt.Sprintf(deploymentYAML, in.Name, in.Image), appsv1.Deployment{}),
//			Success:  "status.readyReplicas > 0",
//		}
//	})
//
// For manifests that are inputs, and for objects that are only applied, package dsl/k8s
// has Apply, Create, Patch and Delete.
package manifest

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/kube/kubeop"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
	"github.com/kfpgo/kfpgo/internal/text/near"
)

// Of returns the manifest of an object: of Kubernetes' Go types, or of any other
// with apiVersion, kind and metadata. Inputs go into its strings as they format:
// in.Name.String().
func Of(obj any) string {
	m, err := kubeop.Manifest(obj)
	if err != nil {
		return record.Bad("manifest: " + err.Error())
	}
	for _, field := range []string{"apiVersion", "kind"} {
		if s, _ := m[field].(string); s == "" {
			return record.Bad(fmt.Sprintf("manifest: the %T has no %s; set its TypeMeta", obj, field))
		}
	}
	b, err := json.MarshalIndent(m, "", "  ") // which is YAML too
	if err != nil {
		return record.Bad("manifest: " + err.Error())
	}
	return string(b) + "\n"
}

// Strict returns the YAML of an object as it is, if all of its fields are those of
// a type; else it is a mistake of the definition, which names the line.
func Strict(text string, of any) string {
	t := reflect.TypeOf(of)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	// A placeholder is a value of any type.
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(placeholders.ReplaceAllString(text, "x")), &doc); err != nil {
		return record.Bad("manifest: " + err.Error())
	}
	if len(doc.Content) == 0 {
		return record.Bad("manifest: it is empty")
	}
	if msgs := unknown(doc.Content[0], t, ""); len(msgs) > 0 {
		return record.Bad("manifest: " + strings.Join(msgs, "; "))
	}
	return text
}

var placeholders = lazyregexp.New(`\{\{[^{}]*\}\}`)

// unknown lists the fields of a node that a type hasn't.
func unknown(n *yaml.Node, t reflect.Type, path string) (msgs []string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if ownForm(t) {
		return nil
	}
	switch {
	case n.Kind == yaml.AliasNode:
		return unknown(n.Alias, t, path)
	case n.Kind == yaml.SequenceNode && t.Kind() == reflect.Slice:
		for _, e := range n.Content {
			msgs = append(msgs, unknown(e, t.Elem(), path+"[]")...)
		}
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Map:
		for i := 1; i < len(n.Content); i += 2 {
			msgs = append(msgs, unknown(n.Content[i], t.Elem(), path+"."+n.Content[i-1].Value)...)
		}
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Struct:
		fields := fieldsOf(t)
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			ft, ok := fields[key.Value]
			if !ok {
				msgs = append(msgs, fmt.Sprintf("line %d: %s has no field %s%s", key.Line, place(path, t), key.Value, near.Hint(key.Value, slices.Collect(maps.Keys(fields)))))
				continue
			}
			msgs = append(msgs, unknown(n.Content[i+1], ft, path+"."+key.Value)...)
		}
	case n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode:
		kind := map[yaml.Kind]string{yaml.MappingNode: "an object", yaml.SequenceNode: "a list"}[n.Kind]
		msgs = append(msgs, fmt.Sprintf("line %d: %s is %s, and a %s belongs there", n.Line, place(path, t), kind, t.Kind()))
	}
	return msgs
}

func place(path string, t reflect.Type) string {
	if path == "" {
		return "a " + t.Name()
	}
	return strings.TrimPrefix(path, ".")
}

// ownForm reports whether a type reads its JSON by itself, as quantities do.
func ownForm(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case name == "" && (f.Anonymous || opts == "inline"):
			ft := f.Type
			if ft.Kind() == reflect.Pointer {
				ft = ft.Elem()
			}
			maps.Copy(fields, fieldsOf(ft))
		case name != "":
			fields[name] = f.Type
		case f.IsExported():
			fields[f.Name] = f.Type
		}
	}
	return fields
}
