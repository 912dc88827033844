package hostile

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"gopkg.in/yaml.v3"
)

// A Field is a scalar of a document.
type Field struct {
	Path string // with * for the names and positions on the way
	Text string
	node *yaml.Node
	in   *inner // that it is a part of
}

// An inner is a scalar that is JSON itself.
type inner struct{ outer, root *yaml.Node }

// A Document is a file of YAML whose scalars are replaced in turn.
type Document struct {
	roots  []*yaml.Node
	Fields []Field // keys that authors choose included, and what is in texts that are JSON
}

// Read reads a file of one or more documents.
func Read(data []byte) (*Document, error) {
	d := &Document{}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		root := &yaml.Node{}
		if err := dec.Decode(root); errors.Is(err, io.EOF) {
			return d, nil
		} else if err != nil {
			return nil, err
		}
		d.roots = append(d.roots, root)
		d.walk(root, "", nil)
	}
}

// named are the keys whose members are named by authors.
var named = map[string]bool{
	"components": true, "tasks": true, "parameters": true, "artifacts": true, "executors": true, "labels": true, "annotations": true, "nodeSelector": true, "platforms": true,
}

func (d *Document) walk(n *yaml.Node, path string, in *inner) {
	switch n.Kind {
	case yaml.DocumentNode, yaml.SequenceNode:
		for _, c := range n.Content {
			d.walk(c, path+"*", in)
		}
	case yaml.MappingNode:
		free := named[path[strings.LastIndex(path, ".")+1:]]
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			if free {
				d.Fields = append(d.Fields, Field{path + ".*", key, n.Content[i], in})
				if !strings.Contains(key, "/") { // such as an annotation of a system's own
					key = "*"
				}
			}
			d.walk(n.Content[i+1], path+"."+key, in)
		}
	case yaml.ScalarNode:
		d.Fields = append(d.Fields, Field{path, n.Value, n, in})
		root := &yaml.Node{}
		if in == nil && json.Valid([]byte(n.Value)) && strings.HasPrefix(n.Value, "{") && yaml.Unmarshal([]byte(n.Value), root) == nil {
			d.walk(root, path, &inner{n, root})
		}
	}
}

// Replace returns the file with a text in place of a field's: the field alone, or
// everywhere, placeholders of its name included, so that what refers to it still
// does. Nil: YAML doesn't take the text.
func (d *Document) Replace(f Field, text string, everywhere bool) []byte {
	was := map[*yaml.Node]yaml.Node{}
	change := func(n *yaml.Node, s string) {
		if _, ok := was[n]; !ok {
			was[n] = *n
		}
		n.Value, n.Tag, n.Style = s, "!!str", yaml.DoubleQuotedStyle
	}
	defer func() {
		for n, old := range was {
			*n = old
		}
	}()
	inners := map[*inner]bool{}
	put := func(f Field, s string) {
		change(f.node, s)
		if f.in != nil {
			inners[f.in] = true
		}
	}
	put(f, text)
	for _, o := range d.Fields {
		switch {
		case !everywhere || o.node == f.node:
		case o.Text == f.Text:
			put(o, text)
		case f.Text != "" && strings.Contains(o.Text, "'"+f.Text+"'"):
			put(o, strings.ReplaceAll(o.Text, "'"+f.Text+"'", "'"+text+"'"))
		}
	}
	for in := range inners {
		var v any
		if in.root.Decode(&v) != nil {
			return nil
		}
		j, err := json.Marshal(v)
		if err != nil {
			return nil
		}
		change(in.outer, string(j))
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	for _, root := range d.roots {
		if err := enc.Encode(root); err != nil {
			return nil
		}
	}
	return b.Bytes()
}
