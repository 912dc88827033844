package kfpread

import (
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// firstSchema is the schema of KFP 1.8's SDK: types of parameters had other names,
// constants said their type, and conditions named it too. The servers of KFP 2 take
// what followed it only.
const firstSchema = "2.0.0"

// oldTypes are the types of parameters that it had.
var oldTypes = map[string]string{"STRING": kfptype.String, "INT": kfptype.Integer, "DOUBLE": kfptype.Double}

// oldOperand is a parameter in a condition.
var oldOperand = lazyregexp.New(`inputs\.parameters\[('[^']*')\]\.(?:string|int|double)_value`)

// modern returns a document of the first schema as one of today's, with its places.
func modern(n *node) *node { return modernize(n, "") }

func modernize(n *node, key string) *node {
	c := *n
	c.index, c.keys, c.items = nil, nil, nil
	for i, item := range n.items {
		if n.kind == list {
			c.items = append(c.items, modernize(item, ""))
			continue
		}
		k, v := n.keys[i], item
		switch {
		case k.text == "type" && v.kind == text && oldTypes[v.text] != "" && key != "container":
			k, v = renamed(k, "parameterType"), renamed(v, oldTypes[v.text])
		case k.text == "constantValue" && (key == "runtimeValue" || key == "artifactUri"):
			k = renamed(k, "constant")
			if plain := typed(v); plain != nil {
				v = plain
			}
		case k.text == "schemaVersion" && v.kind == text && v.text == firstSchema && n.get("root") != nil:
			v = renamed(v, kfpspec.SchemaVersion)
		case k.text == "condition" && key == "triggerPolicy" && v.kind == text:
			v = renamed(v, oldOperand.ReplaceAllString(v.text, "inputs.parameter_values[$1]"))
		default:
			v = modernize(v, k.text)
		}
		c.keys, c.items = append(c.keys, k), append(c.items, v)
	}
	return &c
}

// renamed returns a string of another content in its place.
func renamed(n *node, to string) *node {
	c := *n
	c.text = to
	return &c
}

// typed returns the value in {stringValue: x} and the like, or nil.
func typed(n *node) *node {
	if n == nil || n.kind != object || len(n.keys) != 1 {
		return nil
	}
	v := *n.items[0]
	switch key := n.keys[0].text; {
	case key == "stringValue" && v.kind == text:
		return &v
	case (key == "intValue" || key == "doubleValue") && (v.kind == number || v.kind == text && numeral.MatchString(v.text)):
		v.kind = number // protobuf's JSON writes 64-bit integers as strings
		return &v
	}
	return nil
}

var numeral = lazyregexp.New(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$`)
