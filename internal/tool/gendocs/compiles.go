package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/compiler/argo"
	"github.com/kfpgo/kfpgo/internal/tool/gendocs/constructs"
)

const compilesIntro = `# How it compiles

` + generated + `
Each construct of the language, and the parts of KFP's IR and of Argo's Workflow that it becomes. What isn't shown is the
same everywhere. ` + "`kfpgo compile`" + ` prints all of it.
`

// compiles returns the page with each construct beside its YAML.
func compiles() (string, error) {
	var page strings.Builder
	page.WriteString(compilesIntro)
	for _, c := range constructs.All {
		code, err := declaration(c.Var)
		if err != nil {
			return "", err
		}
		ir, err := compiler.Compile(c.Pipeline, compiler.KFP, compiler.Image("registry.example.com/program:1"))
		if err != nil {
			return "", fmt.Errorf("%s: %w", c.Title, err)
		}
		workflow, err := compiler.Compile(c.Pipeline, argo.Workflow, compiler.Image("registry.example.com/program:1"))
		if err != nil {
			return "", fmt.Errorf("%s: %w", c.Title, err)
		}
		kfp, err := excerpt(ir, c.KFP)
		if err != nil {
			return "", fmt.Errorf("%s: %w", c.Title, err)
		}
		templates, err := templatesOf(workflow, c.Argo)
		if err != nil {
			return "", fmt.Errorf("%s: %w", c.Title, err)
		}
		fmt.Fprintf(&page, "\n## %s\n\n%s\n\n```go\n%s\n```\n\n<table><tr><th>Kubeflow Pipelines</th><th>Argo Workflows</th></tr><tr><td valign=\"top\">\n\n```yaml\n%s```\n\n</td><td valign=\"top\">\n\n```yaml\n%s```\n\n</td></tr></table>\n", c.Title, c.Text, code, kfp, templates)
	}
	return page.String(), nil
}

// declaration returns the source of a variable of package constructs.
func declaration(name string) (string, error) {
	src, err := constructs.Source.ReadFile("pipelines.go")
	if err != nil {
		return "", err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "pipelines.go", src, parser.ParseComments)
	if err != nil {
		return "", err
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR || g.Specs[0].(*ast.ValueSpec).Names[0].Name != name {
			continue
		}
		var b bytes.Buffer
		err := format.Node(&b, fset, g)
		return b.String(), err
	}
	return "", fmt.Errorf("there is no variable %s", name)
}

// excerpt returns the parts of IR that are at paths, with the keys that lead there.
func excerpt(text []byte, paths []string) (string, error) {
	out := &yaml.Node{Kind: yaml.MappingNode}
	docs := yaml.NewDecoder(bytes.NewReader(text))
	left := slices.Clone(paths)
	for {
		var doc yaml.Node
		if docs.Decode(&doc) != nil {
			break
		}
		left = slices.DeleteFunc(left, func(path string) bool {
			return pick(doc.Content[0], out, strings.Split(path, "."))
		})
	}
	if len(left) > 0 {
		return "", fmt.Errorf("nothing is at %s", strings.Join(left, ", "))
	}
	return write(out)
}

// pick copies what is at a path of one mapping into another.
func pick(from, to *yaml.Node, path []string) bool {
	value := member(from, path[0])
	if value == nil {
		return false
	}
	if len(path) == 1 {
		to.Content = append(to.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: path[0]}, value)
		return true
	}
	below := member(to, path[0])
	if below != nil {
		return pick(value, below, path[1:])
	}
	below = &yaml.Node{Kind: yaml.MappingNode}
	if !pick(value, below, path[1:]) {
		return false
	}
	to.Content = append(to.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: path[0]}, below)
	return true
}

func member(n *yaml.Node, key string) *yaml.Node {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// templatesOf returns templates of a Workflow.
func templatesOf(workflow []byte, names []string) (string, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(workflow, &doc); err != nil {
		return "", err
	}
	all := member(member(doc.Content[0], "spec"), "templates")
	out := &yaml.Node{Kind: yaml.SequenceNode}
	var there []string
	for _, t := range all.Content {
		name := member(t, "name").Value
		there = append(there, name)
		if slices.Contains(names, name) {
			out.Content = append(out.Content, t)
		}
	}
	if len(out.Content) != len(names) {
		return "", fmt.Errorf("of the templates %s there are %s", strings.Join(names, ", "), strings.Join(there, ", "))
	}
	return write(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: "templates"}, out}})
}

// write returns YAML whose long strings are cut.
func write(n *yaml.Node) (string, error) {
	shorten(n)
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	err := e.Encode(n)
	return b.String(), err
}

func shorten(n *yaml.Node) {
	if first, _, cut := strings.Cut(n.Value, "\n"); n.Kind == yaml.ScalarNode && (cut && len(n.Value) > 120 || len(n.Value) > 160) {
		n.Value, n.Style = first[:min(len(first), 100)]+" ...", 0
	}
	for _, c := range n.Content {
		shorten(c)
	}
}
