package gosrc_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/read/raise"
	"github.com/kfpgo/kfpgo/internal/testing/hostile"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// TestUnescaped: with escaping switched off, what was made to have code written
// gets through to the check, which refuses it.
func TestUnescaped(t *testing.T) {
	files, err := filepath.Glob("../../read/raise/testdata/hostile/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, err := kfpread.ReadWith(file, data, kfpread.Options{ByUse: true})
			if err != nil {
				t.Fatal(err)
			}
			made := func() error {
				_, bound := raise.Bindings([]raise.Binding{{Program: p, From: "f.yaml"}}, raise.Options{Package: "x"}, nil)
				_, err := raise.Source(p, raise.Options{Package: "x"})
				if (err == nil) != (bound == nil) {
					t.Errorf("import: %v; gen: %v", err, bound)
				}
				return err
			}
			if err := made(); err != nil {
				t.Fatal(err)
			}
			gosrc.Unescaped(t, "comments")
			if err := made(); err == nil || !strings.Contains(err.Error(), "has unexpected declarations") || !strings.Contains(err.Error(), "the function init") {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestUnescapedTexts: no text becomes code that the check takes, wherever it is
// and whichever kind of escaping is missing.
func TestUnescapedTexts(t *testing.T) {
	data, err := os.ReadFile("../../read/raise/testdata/hostile/function.yaml")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := hostile.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{"comments": hostile.Texts[0], "literals": hostile.Texts[6], "names": "X = 1\nfunc init() { println(`PWNED`) }\nvar Y"} {
		t.Run(what, func(t *testing.T) {
			gosrc.Unescaped(t, what)
			refused, seen := 0, map[string]bool{}
			for _, f := range doc.Fields {
				if seen[f.Path] {
					continue
				}
				seen[f.Path] = true
				p, err := kfpread.Read("f.yaml", doc.Replace(f, text, true))
				if err != nil {
					continue
				}
				made, err := raise.Source(p, raise.Options{Package: "x"})
				if err != nil && strings.Contains(err.Error(), "the generated source") {
					refused++
				}
				for name, src := range made {
					tree, err := parser.ParseFile(token.NewFileSet(), name, src, 0)
					if strings.HasSuffix(name, ".go") && (err != nil || gosrc.Declared(tree)["init"]) {
						t.Errorf("%s = %q: %s has\n%s", f.Path, text, name, src)
					}
				}
			}
			if refused == 0 {
				t.Error("no source was refused: the texts didn't get there")
			}
		})
	}
}
