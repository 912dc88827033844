package feature

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// inGo is what only somebody who holds the program can follow.
var inGo = regexp.MustCompile(`\b(dsl|k8s|pod)\.[A-Z]\w*|\bOnLocal\b|\bset Command\b|the options on|set (it|them) on`)

// reports are the functions whose texts are errors or findings.
var reports = regexp.MustCompile(`(?i)(errorf|refuse|refuseAt|find|New)$`)

// TestMessages: what a back end, the engine or a rule says in Go's words has words for
// somebody who holds a file: in the table of words, where one function says all errors of
// the package, or in a function that asks FromFile.
func TestMessages(t *testing.T) {
	used := map[string]bool{}
	for _, pkg := range []struct {
		dir    string
		all    bool // its texts are messages, and no source of Go
		spoken bool // by way of Words
	}{{"target/argo", true, true}, {"target/kfp", true, true}, {"review/vet", true, true}, {"local/engine", true, false}, {"read/raise", false, false}, {"read/kfpread", true, false}, {"read/argoread", true, false}} {
		files, err := filepath.Glob(filepath.Join("../..", pkg.dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(pkg.dir, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			messages(f, pkg.all, func(lit *ast.BasicLit) {
				text, err := strconv.Unquote(lit.Value)
				if err != nil || strings.HasPrefix(text, "k8s.io/") {
					return
				}
				if pkg.spoken {
					for said := range words {
						used[said] = used[said] || strings.Contains(text, said)
					}
					text = replacer().Replace(text)
				}
				if found := inGo.FindString(text); found != "" {
					t.Errorf("%s: %q says %s to somebody who may hold a file; give it words in feature/words.go", fset.Position(lit.Pos()), text, found)
				}
			})
		}
	}
	for said := range words {
		if !used[said] && !strings.HasPrefix(said, "dsl.") && !strings.HasPrefix(said, "k8s.") {
			t.Errorf("nothing says %q", said)
		}
	}
}

// messages calls f with the strings of a file that are messages, but for those of functions
// that ask FromFile themselves.
func messages(file *ast.File, all bool, f func(*ast.BasicLit)) {
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && asks(fn) {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec, *ast.Field: // paths and tags
				return false
			case *ast.BasicLit:
				if all && n.Kind == token.STRING {
					f(n)
				}
			case *ast.CallExpr:
				if name := called(n); !all && reports.MatchString(name) {
					for _, arg := range n.Args {
						if lit, ok := arg.(*ast.BasicLit); ok && lit.Kind == token.STRING {
							f(lit)
						}
					}
				}
			}
			return true
		})
	}
}

func asks(fn *ast.FuncDecl) (yes bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && called(call) == "FromFile" {
			yes = true
		}
		return true
	})
	return yes
}

func called(call *ast.CallExpr) string {
	switch fn := call.Fun.(type) {
	case *ast.Ident:
		return fn.Name
	case *ast.SelectorExpr:
		return fn.Sel.Name
	}
	return ""
}

// TestWords: messages are as they were for Go, and about the file for a file.
func TestWords(t *testing.T) {
	const msg = "dsl.CPURequest and dsl.CPU of a pod.Patch; set Command"
	p := &program.Program{}
	if got := Words(p, graph.Pos{File: "p.go", Line: 1}, msg); got != msg {
		t.Errorf("in Go: %q", got)
	}
	if got, want := Words(p, graph.Pos{File: "p.yaml", Line: 1}, msg), "resourceCpuRequest and resourceCpuLimit of a podSpecPatch; write the command in the file"; got != want {
		t.Errorf("in a file: %q, want %q", got, want)
	}
}
