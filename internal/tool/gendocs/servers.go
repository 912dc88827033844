package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// A limit is what a server of KFP does with a pipeline that it can't run as others do.
type limit struct{ State, Why string }

// servers returns the page of what the pipelines of the conformance suite do on each
// server: the doc comment of each says what it tests, and the known limits of a server are in
// test/k8s/known.yaml, which the tests there hold true.
func servers(root string) (string, error) {
	b, err := os.ReadFile(filepath.Join(root, "test", "k8s", "known.yaml"))
	if err != nil {
		return "", err
	}
	var known struct {
		Limits  map[string]limit
		Servers map[string]map[string]yaml.Node
	}
	if err := yaml.Unmarshal(b, &known); err != nil {
		return "", err
	}
	shows, err := suite(filepath.Join(root, "test", "k8s", "suite"))
	if err != nil {
		return "", err
	}
	ran, err := rowsOf(filepath.Join(root, "test", "k8s"))
	if err != nil {
		return "", err
	}
	maps.DeleteFunc(shows, func(name, _ string) bool { return !ran[name] })
	versions := slices.Sorted(maps.Keys(known.Servers))
	rows := slices.Collect(maps.Keys(shows))
	for _, of := range known.Servers {
		for row := range of {
			if shows[row] == "" && !slices.Contains(rows, row) {
				rows = append(rows, row)
			}
		}
	}
	slices.Sort(rows)
	var page strings.Builder
	page.WriteString("# Constructs and servers\n\n" + generated + `
Each row is a pipeline of test/k8s/suite that shows a construct. Its run on this machine is what the others are compared
with: equal is a run that ends alike, with the same outputs. On a KFP it is equal, or its column says what that server
can't do. ` + "`make e2e`" + ` runs the pipelines on Argo 3.7 and, with ` + "`ARGO=v4.0.5`" + `, on Argo 4; ` + "`make e2e-kfp`" + ` runs them on KFP 2.0.5 and,
with ` + "`KFP=2.17`" + `, on 2.17. Each CI run has some rows, and ` + "`FULL=1`" + ` has all of them. A row that a server runs in another way
than this page says fails the test.
Refused is what kfpgo or the server refuses before anything runs.

`)
	page.WriteString("| pipeline | what it shows | Argo 3.7 | Argo 4.0 |" + strings.Join(prefixed(versions, " KFP "), " |") + " |\n| --- | --- | --- | --- |" + strings.Repeat(" --- |", len(versions)) + "\n")
	for _, row := range rows {
		fmt.Fprintf(&page, "| %s | %s | equal | equal |", cell(row), cell(shows[row])) // Argo has no limits in known.yaml
		for _, v := range versions {
			text := "equal"
			n, ok := known.Servers[v][row]
			if !ok && shows[row] == "" { // a row alone, which its pipeline's limit stands for
				pipeline, _, _ := strings.Cut(row, " ")
				n, ok = known.Servers[v][pipeline]
			}
			if ok {
				l := known.Limits[n.Value]
				if n.Kind != yaml.ScalarNode {
					if err := n.Decode(&l); err != nil {
						return "", err
					}
				}
				if n.Value == "untried" {
					text = "not run yet"
				}
				if l != (limit{}) {
					text = map[string]string{"REFUSED": "refused: ", "FAILED": "fails: ", "SUCCEEDED": "differs: ", "RUNNING": "hangs: "}[l.State] + l.Why
				}
			}
			fmt.Fprintf(&page, " %s |", cell(text))
		}
		page.WriteString("\n")
	}
	return page.String(), nil
}

// rowsOf returns the pipelines in the table of tests, but those that are too large for
// all of it on KFP.
func rowsOf(dir string) (map[string]bool, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	ran := map[string]bool{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, m := range rowName.FindAllSubmatch(b, -1) {
			ran[string(m[1])] = true
		}
	}
	delete(ran, "Broad")
	return ran, nil
}

var rowName = regexp.MustCompile(`\{name: "([A-Za-z]+)"`)

func prefixed(list []string, with string) (out []string) {
	for _, s := range list {
		out = append(out, with+s)
	}
	return out
}

// cell returns a string in a cell of a table.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s)
}

// suite returns what the pipelines of a package show, by name.
func suite(dir string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	shows := map[string]string{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				if len(v.Values) != 1 || !v.Names[0].IsExported() || !isPipeline(v.Values[0]) {
					continue
				}
				doc := cmp.Or(v.Doc.Text(), g.Doc.Text())
				shows[v.Names[0].Name] = cmp.Or(strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(strings.Join(strings.Fields(doc), " "), v.Names[0].Name)), "."), "-")
			}
		}
	}
	return shows, nil
}

func isPipeline(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	fun, ok := call.Fun.(*ast.SelectorExpr)
	return ok && fun.Sel.Name == "Pipeline"
}
