package gosrc_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/hostile"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// TestTexts: whatever a text is, it makes a comment, a literal, a tag and a name,
// and nothing else.
func TestTexts(t *testing.T) {
	for _, text := range hostile.Texts {
		t.Run(strconv.Quote(text), func(t *testing.T) {
			name, local := gosrc.Exported(text, "X"), gosrc.Local(text, "x")
			src := gosrc.Doc("%s is of %s.", name, text) + "package p\n\nimport \"" + dsl + "\"\n\n" + gosrc.Comment(text) +
				fmt.Sprintf("type %s struct {\n%sF string %s\n}\n\nvar %sV = dsl.Const(%s)\n", name, gosrc.Comment(text), gosrc.Tag("json", text), local, gosrc.Quote(text))
			formatted, err := gosrc.Format("p.go", []byte(src))
			if err != nil {
				t.Fatalf("%v\n%s", err, src)
			}
			p := gosrc.Package{Name: "p", Declares: map[string]bool{name: true, local + "V": true}}
			if err := p.Check(map[string][]byte{"p.go": formatted}); err != nil {
				t.Errorf("%v\n%s", err, formatted)
			}
			if got, err := strconv.Unquote(gosrc.Quote(text)); got != text || err != nil {
				t.Errorf("the literal is %q, %v", got, err)
			}
			if strings.ContainsAny(gosrc.Line(text), "\n\r\u2028\u202e\x1b\x00") {
				t.Errorf("one line: %q", gosrc.Line(text))
			}
		})
	}
}

const dsl = "github.com/kfpgo/kfpgo/dsl"

// TestCheck: what a made source may hold, and what not.
func TestCheck(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"// P is one.\nvar P = dsl.Pipeline(\"p\", func(s *dsl.Scope, in PIn) dsl.None {\nx := F.Call(s, PIn{})\nvar y dsl.Param[string]\ny = x.Out.A\ndsl.Named(`x`)\nreturn dsl.None{}\n})", ""},
		{"var F = dsl.Container[PIn, dsl.None](\"f\", func(in PIn, _ dsl.None) dsl.ContainerSpec { return dsl.ContainerSpec{Args: []string{\"a\" + in.X.String()}} }).Doc(\"x\")", ""},
		{"type PIn struct {\nX dsl.Param[[]map[string]any] `json:\"x\"`\n}", ""},
		{"func (P) Schema() (title, version string) { return \"a\", \"b\" }\ntype P struct{}", ""},
		{"//go:embed f.py\nvar F string", ""},
		{"const F = `x`", ""},
		{"func init() { println(1) }", "p.go:5:1: the function init"},
		{"func F() {}", "the function F"},
		{"func (P) String() string { return \"\" }", "the function String"},
		{"func (P) Schema() (title, version string) { return F(), \"\" }", "the function Schema"},
		{"var Other = dsl.Const(1)", "the declaration of Other"},
		{"var _ = dsl.Const(1)", "the declaration of _"},
		{"var P = dsl.Const(1)\nvar P = dsl.Const(2)", "another declaration of P"},
		{"var P, F = dsl.Const(1), dsl.Const(1)", "several variables"},
		{"var P = dsl.Main(F)", "the call of dsl.Main"},
		{"var P = dsl.Const(dsl.Func(\"x\", nil))", "the call of dsl.Func"},
		{"var P = func() int { return 1 }()", "a call of an expression"},
		{"var P = dsl.Const(func() int { print(1); return 1 }())", "a call of an expression"},
		{"var P = dsl.Group(s, func(s *dsl.Scope) { print(1) })", "the call of print"},
		{"var P = F()", "the call of F"},
		{"var P = dsl.Const(F.Run())", "the method Run"},
		{"var P = (dsl.Main)()", "a call of an expression"},
		{"var P = dsl.Const(dsl.Const)\nvar F = 1", "neither a call nor a literal"},
		{"type P func()", "a type of the kind *ast.FuncType"},
		{"type P interface{}", "a type of the kind *ast.InterfaceType"},
		{"type P struct { dsl.Scope }", "a field without a name"},
		{"type P[T any] struct{}", "a type with parameters"},
		{"var P = dsl.Group(s, func(s *dsl.Scope) { go F() })", "a statement of the kind *ast.GoStmt"},
		{"var P = dsl.Group(s, func(s *dsl.Scope) { for {} })", "a statement of the kind *ast.ForStmt"},
		{"var P = dsl.Group(s, func(s *dsl.Scope) { func() {}() })", "a call of an expression"},
		{"var P = dsl.Group(s, func(s *dsl.Scope) { dsl := s; dsl.Main() })", "a variable called dsl"},
		{"var P = dsl.Group(s, func(s *dsl.Scope) { *s = 1 })", "an assignment to something else"},
		{"var P = dsl.Group(s, func(s *dsl.Scope) { const c = 1 })", "another kind than var"},
		{"var P = dsl.Const(&F)", "the operator &"},
		{"var P = dsl.Const(<-F)", "the operator <-"},
		{"var P = dsl.Const(F[0])", "an expression of the kind *ast.IndexExpr"},
		{"var P = dsl.Const(F.(int))", "an expression of the kind *ast.TypeAssertExpr"},
		{"var P = dsl.Const('x')", "the literal 'x'"},
		{"var P = dsl.Const(F...)", "a call with ..."},
		{"//go:embed /etc/passwd\nvar F string", "may be a directive"},
		{"//go:embed f.py\nvar F = dsl.Const(1)", "may be a directive"},
		{"//go:linkname F runtime.x\nvar F string", "may be a directive"},
		{"//line x.go:1\n", "may be a directive"},
		{"/* x */", "may be a directive"},
		{"//export F\n", "may be a directive"},
		{"// +build x\n", "the build constraint"},
		{"// \u202ex\n", "a character that isn't visible"},
		{"const F = \"\u2066\"\n", "a character that isn't visible"},
		{"var P = dsl.Const(1) }", "not Go"},
	} {
		src := "package p\n\nimport \"" + dsl + "\"\n\n" + c.src + "\n"
		p := gosrc.Package{Name: "p", Declares: map[string]bool{"P": true, "PIn": true, "F": true}, Embeds: map[string]bool{"f.py": true}}
		expect(t, c.src, p.Check(map[string][]byte{"p.go": []byte(src)}), c.want)
	}
}

// TestCheckFiles: imports, packages, and files that aren't Go.
func TestCheckFiles(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"p.go", "package p\n\nimport (\n_ \"embed\"\n\"time\"\n)\n", ""},
		{"p.go", "package q\n", "package q, and not p"},
		{"p.go", "package p\n\nimport \"os\"\n", `the import of "os"`},
		{"p.go", "package p\n\nimport \"C\"\n", `the import of "C"`},
		{"p.go", "package p\n\nimport _ \"fmt\"\n", `the import of "fmt" as _`},
		{"p.go", "package p\n\nimport . \"" + dsl + "\"\n", "as ."},
		{"p.go", "package p\n\nimport x \"" + dsl + "\"\n", "as x"},
		{"p.go", "package p\n\nimport \"time\"\n\nvar X = time.AfterFunc(1, F)\n", "the call of time.AfterFunc"},
		{"p.go", "package p\n\nimport \"embed\"\n\nvar X = embed.FS.Open\n", "neither a call"},
		{"p.py", "import os\n", ""},
		{"p.s", "", "a file of another kind"},
		{"_data/x.go", "package evil\n", ""},
		{"data/x.go", "package evil\n", "a folder that isn't embedded"},
		{"_data/../../x", "", "a file outside of its folder"},
	} {
		p := gosrc.Package{Name: "p", Declares: map[string]bool{"X": true}, Embeds: map[string]bool{"all:_data": true}}
		expect(t, c.name+": "+c.text, p.Check(map[string][]byte{c.name: []byte(c.text)}), c.want)
	}
}

func expect(t *testing.T, what string, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("%s\n%v", what, err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("%s\n%v; want %s", what, err, want)
	}
}
