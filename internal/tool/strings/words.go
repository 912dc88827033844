package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// page collects the words of one Go file, by line.
type page struct {
	set   *token.FileSet
	lines []string
}

// words returns the strings and comments of a Go file as Markdown, each at its line in the source.
func words(name string, src []byte) ([]byte, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	p := &page{set, make([]string, bytes.Count(src, []byte("\n"))+1)}
	ast.Inspect(file, p.node)
	for _, group := range file.Comments {
		for _, c := range group.List {
			p.comment(c)
		}
	}
	return []byte(strings.Join(p.lines, "\n") + "\n"), nil
}

func (p *page) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.Field:
		if n.Tag != nil {
			tag, _ := strconv.Unquote(n.Tag.Value)
			p.add(n.Tag.Pos(), reflect.StructTag(tag).Get("doc"))
		}
		ast.Inspect(n.Type, p.node)
		return false
	case *ast.BasicLit, *ast.BinaryExpr:
		if text, ok := p.joined(n.(ast.Expr)); ok {
			p.add(n.Pos(), text)
		}
		return false
	}
	return true
}

// joined returns the text of a string, or of strings and other values that are added. A value that isn't a literal
// becomes X. It returns false for an expression that isn't a string, and adds the strings in it on its own.
func (p *page) joined(expr ast.Expr) (string, bool) {
	switch e := expr.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if e.Kind == token.STRING && err == nil {
			if e.Value[0] != '`' {
				text = strings.ReplaceAll(text, "\n", " ") // not a line of the source
			}
			return format.ReplaceAllStringFunc(text, value), true
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			left, a := p.joined(e.X)
			right, b := p.joined(e.Y)
			return left + right, a || b
		}
		ast.Inspect(e.X, p.node)
		ast.Inspect(e.Y, p.node)
	default:
		ast.Inspect(expr, p.node)
	}
	return "X", false
}

// format matches a format verb of Go's package fmt, such as %q.
var format = regexp.MustCompile(`%[-+#0]*(\[\d+\])?[\d*]*(\.(\[\d+\])?[\d*]*)?(\[\d+\])?[a-zA-Z%]`)

func value(verb string) string {
	if strings.HasSuffix(verb, "%") {
		return "%"
	}
	return "X"
}

// prose matches strings of two words or more; others are names, formats and paths.
var prose = regexp.MustCompile(`\pL[,;:.]? \pL`)

// add adds a string at its line. The lines of a raw string are lines of the source too.
func (p *page) add(pos token.Pos, text string) {
	if !prose.MatchString(text) {
		return
	}
	for i, s := range strings.Split(text, "\n") {
		p.put(p.set.Position(pos).Line+i, strings.Join(strings.Fields(s), " "))
	}
}

// comment adds a comment, at each line that it has.
func (p *page) comment(c *ast.Comment) {
	if strings.HasPrefix(c.Text, "//go:") {
		return
	}
	line := p.set.Position(c.Pos()).Line
	for i, s := range strings.Split(strings.TrimSuffix(c.Text[2:], "*/"), "\n") {
		if strings.HasPrefix(c.Text, "//\t") { // code
			s = ""
		}
		p.put(line+i, strings.TrimSpace(s))
	}
}

// put adds text to a line, so that Markdown shows it unchanged but for code in backquotes.
func (p *page) put(line int, text string) {
	text = strings.ReplaceAll(text, "<", `\<`)
	if strings.Count(text, "`")%2 == 1 || strings.Contains(text, "```") {
		text = strings.ReplaceAll(text, "`", "\\`")
	}
	if at := &p.lines[line-1]; text == "" || *at == "" {
		*at += text
	} else {
		*at += "; " + text
	}
}
