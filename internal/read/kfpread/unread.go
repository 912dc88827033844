package kfpread

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
)

// Fields of KFP 2.17 that programs have no word for, as TYPE.FIELD, with what becomes
// of them. A field that KFP doesn't know isn't here.
const (
	nobody  = "KFP's servers do nothing about it"
	checked = "KFP's servers check the arguments of runs by it"
)

// Unsaid are the fields of KFP 2.17 that no program says. The residue keeps them for KFP;
// what somebody acts on is refused for other targets.
var Unsaid = map[string]string{
	"ComponentSpec.singlePlatformSpecs": nobody,
	"ParameterSpec.type":                "the form of schema 2.0.0",
	"ParameterSpec.literals":            checked,
	"ArtifactSpec.metadata":             nobody,
	"ArtifactSpec.properties":           nobody,
	"ArtifactSpec.customProperties":     nobody,
	"ValueOrParameter.constantValue":    "the form of schema 2.0.0",
	"Container.lifecycle":               nobody,
	"Importer.properties":               nobody,
	"Importer.customProperties":         nobody,
	"Platform.platform":                 "the key of the platform says it",
	"Platform.config":                   nobody,
}

// acts reports whether somebody acts on a field that has no word, and whether KFP 2.17 does.
// Names that begin with @ are protobuf's own.
func acts(field string) (somebody, known bool) {
	why, known := Unsaid[field]
	_, key, _ := strings.Cut(field, ".")
	return !known && !strings.HasPrefix(key, "@") || why == checked, known
}

// fieldsUnread returns the fields of the file that are left to those who know them.
func (f *file) fieldsUnread() []program.Unread {
	if len(f.unread) == 0 {
		return nil
	}
	var all []program.Unread
	var walk func(n *node, path []string)
	walk = func(n *node, path []string) {
		for i, item := range n.items {
			if n.kind != object {
				walk(item, path)
				continue
			}
			k := n.keys[i]
			if len(path) == 1 && path[0] == "platforms" && k.text != kfpspec.Kubernetes {
				continue // nobody has another platform
			}
			path := append(path, k.text)
			field, unread := f.unread[k]
			if !unread {
				walk(item, path)
				continue
			}
			if is, known := acts(field); is && item.kind != null {
				all = append(all, program.Unread{Path: strings.Join(path, "."), Known: known, Pos: graph.Pos{File: f.log.name, Line: k.line}})
			}
		}
	}
	for _, n := range []*node{f.node, f.platformNode} {
		if n != nil {
			walk(n, nil)
		}
	}
	return all
}
